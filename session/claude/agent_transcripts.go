package claude

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"parley/internal/lazyregexp"
	"parley/session"
)

// plainName matches ids without a meaning in patterns and paths.
var plainName = lazyregexp.New(`^[A-Za-z0-9-]+$`)

// stored reports whether the runtime has a transcript of the session in any project. A new session cannot take the id of a
// stored one, and only a stored one can be resumed.
func (a *Agent) stored(id session.ID) bool { return len(a.transcriptsOf(id)) > 0 }

func (a *Agent) transcriptsOf(id session.ID) []string {
	if a.transcripts == "" || !plainName.MatchString(string(id)) {
		return nil
	}
	found, err := filepath.Glob(filepath.Join(a.transcripts, "projects", "*", string(id)+".jsonl"))
	if err != nil {
		return nil
	}
	return found
}

// emptySuffix is appended to the name of a transcript without messages.
const emptySuffix = ".empty"

// moveEmpty renames transcripts of a session without messages, which a runtime leaves that is killed before it stores the
// first prompt: they can be neither resumed nor started again. It must not be called while a runtime has the session.
func (a *Agent) moveEmpty(id session.ID) {
	for _, path := range a.transcriptsOf(id) {
		has, err := hasMessages(path)
		if err == nil && !has {
			err = os.Rename(path, path+emptySuffix)
		}
		if err != nil {
			a.o.Log.Warn("move an empty transcript", "path", path, "error", err)
		}
	}
}

// hasMessages reports whether a transcript holds a message.
func hasMessages(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if bytes.Contains(line, []byte(`"type":"user"`)) || bytes.Contains(line, []byte(`"type":"assistant"`)) {
			return true, nil
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}
