package switches

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/extensions/inventory"
)

// Here keeps what is off in single sessions: a small file in Dir for each session that has some. Processes may share it.
type Here struct{ Dir string }

// maxHere bounds such a file, in bytes.
const maxHere = 256 << 10

// file returns the file of a session, "" for an id that is not a name.
func (h Here) file(id session.ID) string {
	if name := string(id); h.Dir == "" || name == "" || name[0] == '.' || strings.ContainsAny(name, `/\:`) {
		return ""
	}
	return filepath.Join(h.Dir, string(id)+".json")
}

// Off returns what is off in a session. A file that cannot be read switches nothing off.
func (h Here) Off(id session.ID) (off inventory.Off) {
	if file := h.file(id); file != "" {
		if data, err := safefs.ReadFile(context.Background(), file, maxHere, safefs.NoLinks); err == nil && json.Unmarshal(data, &off) != nil {
			return nil
		}
	}
	return off
}

// Set switches an item for a session.
func (h Here) Set(id session.ID, i inventory.Item, on bool) error {
	file := h.file(id)
	if file == "" {
		return &session.Error{Op: op, Kind: session.KindInvalid, Err: fmt.Errorf("there is no session %q", id)}
	}
	var err error
	off := h.Off(id).Switched(i, on)
	if len(off) == 0 {
		if err = os.Remove(file); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	} else {
		data, _ := json.Marshal(off) // texts always marshal
		if err = os.MkdirAll(h.Dir, 0o700); err == nil {
			err = safefs.Replace(file, append(data, '\n'))
		}
	}
	if err != nil {
		return &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	return nil
}
