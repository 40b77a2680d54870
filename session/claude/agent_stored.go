package claude

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"parley/session"
)

// plainName are ids that mean nothing in a pattern or a path.
var plainName = regexp.MustCompile(`^[A-Za-z0-9-]+$`)

// stored reports whether the runtime has a transcript of the session, in whatever directory it began. A new session must
// not take the id of one that exists, and one that does not exist cannot be resumed.
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

// asideSuffix is what the name of a transcript gets that is out of the way.
const asideSuffix = ".empty"

// setAside puts a transcript without a single message out of the way, as a runtime leaves one that is killed just before
// it stores the first prompt: it can be neither resumed nor begun anew. It must not be called while a runtime has the
// session.
func (a *Agent) setAside(id session.ID) {
	for _, path := range a.transcriptsOf(id) {
		said, err := saysSomething(path)
		if err == nil && !said {
			err = os.Rename(path, path+asideSuffix)
		}
		if err != nil {
			a.o.Log.Warn("look at a transcript before resuming it", "path", path, "error", err)
		}
	}
}

// saysSomething reports whether a transcript holds a message.
func saysSomething(path string) (bool, error) {
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
