package session

import "strings"

// Settings are the user's choices for a session. They survive crashes, restarts and rebuilds.
type Settings struct {
	Model  string `json:"model,omitempty"`
	Effort string `json:"effort,omitempty"` // empty: the model's own default
	Mode   Mode   `json:"mode,omitempty"`
	// Custom is the custom agent that holds the conversation: its name, or the absolute path of its file. Empty: the agent
	// as it is.
	Custom string `json:"custom,omitempty"`
	Dirs   Dirs   `json:"dirs,omitempty"`
}

// Dirs are absolute further directories, each after a newline, or one newline for none. Empty: those that the session began with.
type Dirs string

// DirsOf returns a choice of directories.
func DirsOf(dirs []string) Dirs { return Dirs("\n" + strings.Join(dirs, "\n")) }

// Or returns the directories, those that the session began with where none were chosen.
func (d Dirs) Or(begun []string) []string {
	if d == "" {
		return begun
	}
	return strings.FieldsFunc(string(d), func(r rune) bool { return r == '\n' })
}

// After returns the settings after an event, and whether the event is a choice of settings.
func (s Settings) After(e Event) (after Settings, choice bool) {
	switch e := e.(type) {
	case ModelChanged:
		s.Model, s.Effort = e.Model, e.Effort
	case ModeChanged:
		s.Mode = e.Mode
	case CustomChanged:
		s.Custom = e.Custom
	case DirsChanged:
		s.Dirs = DirsOf(e.Dirs)
	default:
		return s, false
	}
	return s, true
}
