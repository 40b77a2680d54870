package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"parley/session"
)

// Drafts keeps what stands in the composer and was not sent, so that it survives a kill. It is safe for concurrent use;
// saves of one key happen in the order of their calls.
type Drafts struct {
	dir string
	mu  sync.Mutex
	// swept says that what killed processes left in dir was looked for; once per process is enough.
	swept bool
}

// NewDrafts keeps drafts as files in dir, which is made with mode 0700 when needed.
func NewDrafts(dir string) *Drafts { return &Drafts{dir: dir} }

// DirKey is the key of the draft for a new session in a directory.
func DirKey(dir string) string { return "dir:" + filepath.Clean(dir) }

// SessionKey is the key of the draft in an existing session.
func SessionKey(id session.ID) string { return "session:" + string(id) }

// draftFile is the content of a draft's file. The key is kept because the file's name is only its digest.
type draftFile struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

// Load returns the draft of the key, "" if there is none. A file that cannot be read as a draft is an error of kind
// [session.KindCorrupt].
func (d *Drafts) Load(key string) (string, error) {
	const op = "load draft"
	path := d.path(key)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", diskError(op, path, err)
	}
	var f draftFile
	if err := json.Unmarshal(data, &f); err != nil {
		return "", problem(op, session.KindCorrupt, fmt.Errorf("%s: %w", path, err))
	}
	return f.Text, nil
}

// Save replaces the draft of the key as a whole; an empty text removes it. Errors are of kind [session.KindDisk] and leave
// the former draft as it was.
func (d *Drafts) Save(key, text string) error {
	const op = "save draft"
	path := d.path(key)
	d.mu.Lock()
	defer d.mu.Unlock()
	if text == "" {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return diskError(op, path, err)
		}
		return nil
	}
	data, err := json.Marshal(draftFile{Key: key, Text: text})
	if err != nil {
		return problem(op, session.KindInternal, err)
	}
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return diskError(op, d.dir, err)
	}
	if !d.swept {
		d.swept = true
		sweep(d.dir)
	}
	if err := writeAtomically(path, data); err != nil {
		return diskError(op, path, err)
	}
	return nil
}

// path returns the key's file. Keys hold paths of any length and any characters, so that a digest names the file.
func (d *Drafts) path(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(d.dir, hex.EncodeToString(sum[:16])+".json")
}
