package core

import (
	"parley/session"
	"parley/session/live"
)

// Current is the session that is shown, as it is when a feature is run. Only the event loop may read the transcript.
type Current struct {
	// Session is nil while there is none or it is loaded.
	Session    *live.Session
	Meta       session.Meta
	Dir, Agent string
	Settings   session.Settings
	Transcript *session.Transcript
	Running    bool // a turn runs
	Stopping   bool // the user has interrupted it
}
