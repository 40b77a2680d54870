package core

import (
	"io"
	"os"
	"path/filepath"
	"strings"
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

// Export renders a session as a file's name asks for, JSON for .json and else markdown, and returns a function that writes it to
// a new file; that one blocks, and fails if the file exists. The transcript is read before Export returns, events is called later.
func Export(path string, meta session.Meta, t *session.Transcript, events func() []session.Event) (write func() error) {
	if strings.EqualFold(filepath.Ext(path), ".json") {
		return func() error { return writeJSON(path, meta, events()) }
	}
	text := export.Markdown(meta, t)
	return func() error {
		return writeNew(path, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
	}
}

// writeJSON writes a session as JSON into a new file.
func writeJSON(path string, meta session.Meta, events []session.Event) error {
	return writeNew(path, func(w io.Writer) error {
		for piece, err := range export.JSON(meta, events) {
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
