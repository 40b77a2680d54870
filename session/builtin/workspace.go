package builtin

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"parley/session"
	"parley/session/proc"
)

// workspace is where the tools of one conversation work. It is safe for concurrent use.
type workspace struct {
	dir       string
	dirs      []string
	home      string
	outputDir string
	prune     sync.Once // of outputDir
	// bashTimeout is how long a command may run that does not say.
	bashTimeout time.Duration
	environ     []string
	processes   *proc.Group
	session     session.ID
	now         func() time.Time
	files       *fileLog
}

func newWorkspace(o Options, open session.OpenOptions) *workspace {
	return &workspace{dir: filepath.Clean(open.Dir), dirs: open.Dirs, home: o.Home, outputDir: o.OutputDir,
		bashTimeout: cmp.Or(o.BashTimeout, bashTimeout), environ: o.Environ, processes: o.Processes,
		session: open.Session, now: o.Now, files: &fileLog{seen: map[string]sighting{}}}
}

// abs returns the absolute path a model means.
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

// short returns a path as the user and the model like to read it: relative if below the working directory.
func (w *workspace) short(path string) string {
	rel, err := filepath.Rel(w.dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return rel
}

// leads says where a path really leads, if links bring it elsewhere than it reads, "" otherwise. Whoever is asked about
// the path has to know.
func (w *workspace) leads(path string) string {
	if path == "" {
		return ""
	}
	real, ok := resolved(path)
	if !ok {
		if to, err := os.Readlink(path); err == nil {
			return w.short(path) + " is a link to " + to + ", which does not exist."
		}
		return ""
	}
	plain := path
	if root, err := filepath.EvalSymlinks(w.dir); err == nil {
		if rel, err := filepath.Rel(w.dir, path); err == nil && filepath.IsLocal(rel) {
			plain = filepath.Join(root, rel)
		}
	}
	if real == plain {
		return ""
	}
	return w.short(path) + " leads to " + real + "."
}

// resolved is a path with its links resolved; its last names need not exist yet. It reports false for a link that leads
// nowhere.
func resolved(path string) (string, bool) {
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest), true
		}
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
			return "", false
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// fileLog remembers what the model has seen of each file, so that it changes no file blindly.
type fileLog struct {
	mu   sync.Mutex
	seen map[string]sighting // by absolute path
}

// sighting is the state of a file when the model last saw it: its content, or, in a resumed session, only the time.
type sighting struct {
	sum [sha256.Size]byte
	at  time.Time // zero if sum counts
}

// saw notes the content the model has seen or made.
func (l *fileLog) saw(path string, content []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen[path] = sighting{sum: sha256.Sum256(content)}
}

// check returns an error for the model if it has not seen the file as it is now.
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

// restore notes the files that a former process has read or written in this session.
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

// largestFile is the most a tool reads of a file at once.
const largestFile = 10 << 20

// readRegular returns the content of a regular file. Errors are for the model.
func (w *workspace) readRegular(path string) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, errTool("%s does not exist.%s", w.short(path), w.similar(path))
	case err != nil:
		return nil, nil, errTool("%s cannot be read: %v", w.short(path), cause(err))
	case info.IsDir():
		return nil, nil, errTool("%s is a directory. Use Glob to see what is in it.", w.short(path))
	case !info.Mode().IsRegular():
		return nil, nil, errTool("%s is not a regular file.", w.short(path))
	case info.Size() > largestFile:
		return nil, nil, errTool("%s is too large (%d bytes). Use Grep, or Bash to look at a part of it.", w.short(path), info.Size())
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, errTool("%s cannot be read: %v", w.short(path), cause(err))
	}
	return content, info, nil
}

// similar suggests files of the same name in the wrong case or with another extension.
func (w *workspace) similar(path string) string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return " Neither does its directory."
	}
	base := strings.ToLower(filepath.Base(path))
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		if name == base || stem != "" && strings.TrimSuffix(name, filepath.Ext(name)) == stem {
			return " Did you mean " + w.short(filepath.Join(filepath.Dir(path), e.Name())) + "?"
		}
	}
	return ""
}

// cause leaves out the path that an error of package os repeats.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// isBinary looks for a zero byte where text has none.
func isBinary(content []byte) bool {
	for _, b := range content[:min(len(content), 8000)] {
		if b == 0 {
			return true
		}
	}
	return false
}
