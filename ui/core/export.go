package core

import (
	"io"
	"os"
	"time"

	"parley/session"
	"parley/session/export"
	"parley/session/live"
	"parley/ui/files"
)

// ExportPath returns the file to export a conversation to: name as seen from the session's directory, or a name with the
// time if it is empty.
func ExportPath(name, dir, home string, now time.Time) string {
	if name == "" {
		name = "parley-" + now.Format("2006-01-02-150405") + ".md"
	}
	return files.NewTree(files.TreeOptions{Dir: dir, Home: home}).Path(name)
}

// Export writes a session into a new file. It blocks, and fails if the file exists.
func Export(path string, meta session.Meta, events []session.Event, o export.Options) error {
	var t *session.Transcript
	if o.Format != "json" {
		t = session.Fold(events)
	}
	return writeNew(path, func(w io.Writer) error {
		for piece, err := range export.Pieces(meta, t, events, o) {
			if err != nil {
				return err
			}
			if _, err := io.WriteString(w, piece); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeNew writes a file that does not exist yet.
func writeNew(name string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = fill(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// History returns a function that returns the events of a session so far.
func History(s *live.Session) func() []session.Event {
	return func() []session.Event {
		events, detach := s.Attach(func(session.Event) {})
		detach()
		return events
	}
}
