package core

// Settings are the settings of the user's configuration file.
type Settings interface {
	// Set writes a setting into the file, such as "model" or "ui.keys"; an empty value removes it, so that its default holds. over
	// names what sets it at the next start all the same, such as an environment variable; "" for nothing. It blocks, and may be called
	// by several goroutines. An error changed nothing; it names the file, and the line where one is to blame.
	Set(key, value string) (over string, err error)
}
