package tool

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"parley/session"
	"parley/session/builtin/shell/job"
	"parley/session/builtin/shell/state"
	"parley/session/permission"
	"parley/session/proc"
)

// Workspace is the place of work of one agent's tools: the conversation's, or that of one child. Its fields are set before
// the first call and stay. It is safe for concurrent use.
type Workspace struct {
	// Dir is the working directory of the session, absolute. Further returns the further directories of now; nil: there are none.
	Dir     string
	Further func() []string
	// Home is the user's home directory, empty if unknown.
	Home string
	// OutputDir stores outputs of which the model gets only a part; empty: nothing is stored.
	OutputDir string
	// BashTimeout bounds a command without a timeout of the model's choice; 0: the default of the shell tool.
	BashTimeout time.Duration
	// Environ is the environment of commands, without GitHub tokens.
	Environ []string
	// Proxy chooses the proxy of a request; nil: by the environment of this process.
	Proxy func(*http.Request) (*url.URL, error)
	// BashPath is bash, empty if another shell runs commands.
	BashPath string
	// Shell is what the agent's commands leave for the next one, and Jobs are the commands of the whole conversation; the
	// package shell sets both up. Child is the agent, empty at the top.
	Shell *state.State
	Jobs  *job.Table
	Child session.ChildID
	// Processes starts everything that tools run.
	Processes *proc.Group
	// Unattended reports whether nobody answers and the session ends with the agent's last answer.
	Unattended bool
	Session    session.ID
	Now        func() time.Time
	// Files records what the model has seen of files.
	Files *FileLog
	// Hidden returns what rules about reading say of files that a search meets. Nil, or a nil function: there are no rules.
	Hidden func(ctx context.Context) func(path, real string) permission.Ruling
	// Ended reports the end of a call whose Run returned a result with Background: because says in a few words what ended,
	// such as "go test ./... ended", and the model reads the result unless that is empty. Output may be given to the call's live until then. Nil:
	// nothing is reported.
	Ended func(id session.CallID, out Outcome, because string)
	// Host is the agent that works here; nil in tests of single tools.
	Host Host
}

// Tops returns the directories of the session, the working directory first.
func (w *Workspace) Tops() []string {
	if w.Further == nil {
		return []string{w.Dir}
	}
	return append([]string{w.Dir}, w.Further()...)
}

// Abs returns the absolute path that a model refers to.
func (w *Workspace) Abs(path string) (string, error) {
	if strings.TrimSpace(path) == "" || strings.ContainsRune(path, 0) {
		return "", Errorf("%q is not a path.", path)
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok && w.Home != "" {
		return filepath.Join(w.Home, rest), nil
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	return filepath.Join(w.Dir, path), nil
}

// Short returns a path for the user and the model: relative below the working directory.
func (w *Workspace) Short(path string) string {
	rel, err := filepath.Rel(w.Dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return rel
}

// Cause removes the path that an error of package os repeats.
func Cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// IsBinary reports whether content is binary: it has a zero byte near its beginning.
func IsBinary(content []byte) bool {
	for _, b := range content[:min(len(content), 8000)] {
		if b == 0 {
			return true
		}
	}
	return false
}
