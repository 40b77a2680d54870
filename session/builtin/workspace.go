package builtin

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"parley/session"
	"parley/session/permission"
	"parley/session/proc"
)

// workspace is the place of work of one conversation's tools. It is safe for concurrent use.
type workspace struct {
	dir       string
	dirs      []string
	home      string
	outputDir string
	// bashTimeout bounds a command without a timeout of the model's choice.
	bashTimeout time.Duration
	environ     []string
	bashPath    string // empty if another shell runs commands
	processes   *proc.Group
	session     session.ID
	now         func() time.Time
	files       *fileLog
	// hidden returns what rules about reading say of files; see [conversation.hidden]. Nil: there are no rules.
	hidden func(ctx context.Context) func(path, real string) permission.Ruling
}

func newWorkspace(o Options, open session.OpenOptions) *workspace {
	return &workspace{dir: filepath.Clean(open.Dir), dirs: open.Dirs, home: o.Home, outputDir: o.OutputDir,
		bashTimeout: cmp.Or(o.BashTimeout, bashTimeout), environ: o.Environ, bashPath: findBash(), processes: o.Processes,
		session: open.Session, now: o.Now, files: &fileLog{seen: map[string]sighting{}}}
}

// abs returns the absolute path that a model refers to.
func (w *workspace) abs(path string) (string, error) {
	if strings.TrimSpace(path) == "" || strings.ContainsRune(path, 0) {
		return "", errTool("%q is not a path.", path)
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok && w.home != "" {
		return filepath.Join(w.home, rest), nil
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	return filepath.Join(w.dir, path), nil
}

// short returns a path for the user and the model: relative below the working directory.
func (w *workspace) short(path string) string {
	rel, err := filepath.Rel(w.dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return rel
}

// fileLog records what the model has seen of each file, so that it does not overwrite unknown content.
type fileLog struct {
	mu   sync.Mutex
	seen map[string]sighting // by absolute path
}

// sighting is the state of a file when the model last saw it: its content or, in a resumed session, only the time.
type sighting struct {
	sum [sha256.Size]byte
	at  time.Time // zero if sum counts
}

// saw records the content that the model has seen or written.
func (l *fileLog) saw(path string, content []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen[path] = sighting{sum: sha256.Sum256(content)}
}

// check returns an error for the model if it has not seen the current content of the file.
func (l *fileLog) check(w *workspace, path string, content []byte, info fs.FileInfo) error {
	l.mu.Lock()
	s, ok := l.seen[path]
	l.mu.Unlock()
	switch {
	case !ok:
		return errTool("%s exists and was not read in this session. Read it first.", w.short(path))
	case s.at.IsZero() && s.sum != sha256.Sum256(content), !s.at.IsZero() && info.ModTime().After(s.at):
		return errTool("%s has changed since it was last read, by the user or by a command. Read it again first.", w.short(path))
	}
	return nil
}

// restore records the files that an earlier process has read or written in this session.
func (l *fileLog) restore(t *session.Transcript, dir string) {
	w := &workspace{dir: dir}
	for _, turn := range t.Turns {
		for _, e := range turn.Entries {
			tool, ok := e.(*session.Tool)
			if !ok || tool.Outcome != session.ToolOK || tool.Started.IsZero() {
				continue
			}
			switch tool.Name {
			case readTool.name, editTool.name, writeTool.name:
			default:
				continue
			}
			var in struct {
				Path string `json:"file_path"`
			}
			if json.Unmarshal(tool.Input, &in) != nil {
				continue
			}
			if path, err := w.abs(in.Path); err == nil {
				l.seen[path] = sighting{at: tool.Started.Add(tool.Duration + time.Second)}
			}
		}
	}
}

// cause removes the path that an error of package os repeats.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// isBinary reports whether content is binary: it has a zero byte near its beginning.
func isBinary(content []byte) bool {
	for _, b := range content[:min(len(content), 8000)] {
		if b == 0 {
			return true
		}
	}
	return false
}
