package core

// Setting is one setting of the user, as it will be at the next start. Its texts may come from outside.
type Setting struct {
	// Key is its path in the configuration file, such as "model" or "ui.keys". Value is written as in the environment: on, off, 5m,
	// dark; "" for none.
	Key, Value string
	// Values are what it can be, nil for any text.
	Values []string
	// Source is what sets it: "default", "file", an environment variable, or a flag.
	Source string
}

// Fixed reports whether something sets the setting that is stronger than the file.
func (s *Setting) Fixed() bool { return s.Source != "default" && s.Source != "file" }

// Settings are the settings of the user, and the configuration file in which they can be changed.
type Settings interface {
	// Path returns the configuration file, whether or not it exists.
	Path() string
	// All returns all settings in the order of the documentation, at once, with the changes that were begun.
	All() []Setting
	// Set writes a setting into the file; an empty value removes it, so that its default holds. over names what sets it at the next
	// start all the same, such as an environment variable, "" for nothing. It blocks. An error changed nothing; it names the file, and
	// the line where one is to blame.
	Set(key, value string) (over string, err error)
	// Begin begins such a change, at once. write does it as Set does: of several changes of one setting, the newest is written.
	Begin(key, value string) (write func() (over string, err error))
}
