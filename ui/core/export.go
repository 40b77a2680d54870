package core

import (
	"os"
	"time"

	"parley/session"
	"parley/session/export"
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

// Export renders a conversation as markdown and returns a function that writes it to a new file; that one blocks, and
// fails if the file exists. The transcript is read before Export returns.
func Export(path string, meta session.Meta, t *session.Transcript) (write func() error) {
	text := export.Markdown(meta, t)
	return func() error { return writeNew(path, text) }
}

// writeNew writes a file that does not exist yet.
func writeNew(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
