package tool

import (
	"crypto/sha256"
	"encoding/json"
	"io/fs"
	"sync"
	"time"

	"parley/session"
)

// FileLog records what the model has seen of each file, so that it does not overwrite unknown content.
type FileLog struct {
	mu   sync.Mutex
	seen map[string]sighting // by absolute path
}

// sighting is the state of a file when the model last saw it: its content or, in a resumed session, only the time.
type sighting struct {
	sum [sha256.Size]byte
	at  time.Time // zero if sum counts
}

// Saw records the content that the model has seen or written.
func (l *FileLog) Saw(path string, content []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen[path] = sighting{sum: sha256.Sum256(content)}
}

// Check returns an error for the model if it has not seen the current content of the file.
func (l *FileLog) Check(w *Workspace, path string, content []byte, info fs.FileInfo) error {
	l.mu.Lock()
	s, ok := l.seen[path]
	l.mu.Unlock()
	switch {
	case !ok:
		return Errorf("%s exists and was not read in this session. Read it first.", w.Short(path))
	case s.at.IsZero() && s.sum != sha256.Sum256(content), !s.at.IsZero() && info.ModTime().After(s.at):
		return Errorf("%s has changed since it was last read, by the user or by a command. Read it again first.", w.Short(path))
	}
	return nil
}

// Restore records the files that an earlier process has read or written in this session.
func (l *FileLog) Restore(t *session.Transcript, dir string) {
	w := &Workspace{Dir: dir}
	for _, turn := range t.Turns {
		for _, e := range turn.Entries {
			tool, ok := e.(*session.Tool)
			if !ok || tool.Outcome != session.ToolOK || tool.Started.IsZero() {
				continue
			}
			switch tool.Name {
			case "Read", "Edit", "Write":
			default:
				continue
			}
			var in struct {
				Path string `json:"file_path"`
			}
			if json.Unmarshal(tool.Input, &in) != nil {
				continue
			}
			if path, err := w.Abs(in.Path); err == nil {
				l.seen[path] = sighting{at: tool.Started.Add(tool.Duration + time.Second)}
			}
		}
	}
}

// NewFileLog returns a log of files of which the model has seen none.
func NewFileLog() *FileLog { return &FileLog{seen: map[string]sighting{}} }
