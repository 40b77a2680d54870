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
	// media counts the bytes of images and documents that results of the session hold.
	media int
}

// maxMedia bounds the images and documents of a session, which its journal holds, in bytes.
const maxMedia = 64 << 20

// TakeMedia counts n bytes of an image or a document, and reports false if the session holds too many already.
func (l *FileLog) TakeMedia(n int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.media+n > maxMedia {
		return false
	}
	l.media += n
	return true
}

// sighting is the state of a file when the model last saw it: its content or, in a resumed session, only the time.
type sighting struct {
	sum [sha256.Size]byte
	at  time.Time // zero if sum counts
	// part reports that the model has seen only a part of the file.
	part bool
}

// Saw records the content that the model has seen or written as a whole.
func (l *FileLog) Saw(path string, content []byte) { l.Wrote(path, content, false) }

// SawPart records that the model has seen a part of a file with this content, which suffices to edit it.
func (l *FileLog) SawPart(path string, content []byte) {
	sum := sha256.Sum256(content)
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, ok := l.seen[path]; !ok || s.part || !s.at.IsZero() || s.sum != sum {
		l.seen[path] = sighting{sum: sum, part: true}
	}
}

// Wrote records the new content of a file, of which the model knows only a part if part is set.
func (l *FileLog) Wrote(path string, content []byte, part bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen[path] = sighting{sum: sha256.Sum256(content), part: part}
}

// Whole reports whether the model has seen all of a file.
func (l *FileLog) Whole(path string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, ok := l.seen[path]
	return ok && !s.part
}

// Check returns an error for the model if it has not seen the current content of the file, or a part of it.
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

// CheckWhole is [FileLog.Check] for a call that replaces all of the file, of which the model must have seen all.
func (l *FileLog) CheckWhole(w *Workspace, path string, content []byte, info fs.FileInfo) error {
	if err := l.Check(w, path, content, info); err != nil {
		return err
	}
	if !l.Whole(path) {
		return Errorf("Only a part of %s was read in this session. Read the rest before you replace all of it, or change a part with Edit.",
			w.Short(path))
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
			for _, m := range tool.Result.Media {
				l.media += len(m.Data)
			}
			at := tool.Started.Add(tool.Duration + time.Second)
			for _, e := range tool.Edits {
				part := !e.Created && tool.Name != "Write" && l.seen[e.Path].part
				l.seen[e.Path] = sighting{at: at, part: part}
			}
			if tool.Name == "Read" {
				l.restoreRead(w, tool, at)
			}
		}
	}
}

func (l *FileLog) restoreRead(w *Workspace, tool *session.Tool, at time.Time) {
	var in struct {
		Path   string `json:"file_path"`
		Offset int    `json:"offset"`
	}
	if json.Unmarshal(tool.Input, &in) != nil {
		return
	}
	if path, err := w.Abs(in.Path); err == nil {
		l.seen[path] = sighting{at: at, part: tool.Result.Truncated || in.Offset > 1}
	}
}

// NewFileLog returns a log of files of which the model has seen none.
func NewFileLog() *FileLog { return &FileLog{seen: map[string]sighting{}} }
