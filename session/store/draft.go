package store

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"parley/internal/safefs"
	"parley/session"
)

// Drafts stores the unsent text of one window's composer, so that it survives a kill. Each window has separate drafts. Load
// takes over the newest draft of a key that no running process has. It is safe for concurrent use; saves of one key keep
// the order of their calls.
type Drafts struct {
	dir string
	// owner is the process that has the drafts, window the number of the window in it.
	owner  holder
	window string
	mu     sync.Mutex
	// swept reports whether files of killed processes were removed from dir, once per process.
	swept bool
}

// NewDrafts returns drafts as files in dir, which it creates with mode 0700 when needed. Close releases them to other
// windows.
func NewDrafts(dir string) *Drafts {
	return &Drafts{dir: dir, owner: self(), window: strings.ToLower(rand.Text()[:12])}
}

// draftFile is the content of a draft's file. The file's name has only the digest of the key.
type draftFile struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

// Load returns the draft of the key, "" for none, and takes over one of a closed window. A malformed file is an error of
// kind [session.KindCorrupt], unless there is another draft.
func (d *Drafts) Load(key string) (string, error) {
	const op = "load draft"
	d.mu.Lock()
	defer d.mu.Unlock()
	own := d.path(key)
	switch text, err := readDraft(op, own); {
	case err == nil:
		return text, nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	left, err := d.left(key)
	if err != nil {
		return "", diskError(op, d.dir, err)
	}
	var failed error
	for _, path := range left {
		text, err := readDraft(op, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another window was faster
		}
		if err != nil {
			failed = err
			continue
		}
		// The window that renames it has it. On a read-only disk no window can.
		if err := safefs.Rename(path, own); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return text, nil
	}
	return "", failed
}

func readDraft(op, path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", diskError(op, path, err)
	}
	var f draftFile
	if err := json.Unmarshal(data, &f); err != nil {
		return "", problem(op, session.KindCorrupt, fmt.Errorf("%s: %w", path, err))
	}
	return f.Text, nil
}

// left returns the drafts of a key that no running process has, newest first.
func (d *Drafts) left(key string) ([]string, error) {
	entries, err := os.ReadDir(d.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	type draft struct {
		path string
		at   time.Time
	}
	var found []draft
	for _, e := range entries {
		if owner, ok := ownerOf(e.Name(), digest(key)); !ok || owner.pid > 0 && owner.alive() || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil {
			found = append(found, draft{filepath.Join(d.dir, e.Name()), info.ModTime()})
		}
	}
	slices.SortStableFunc(found, func(a, b draft) int { return b.at.Compare(a.at) })
	var paths []string
	for _, f := range found {
		paths = append(paths, f.path)
	}
	return paths, nil
}

// Close releases the drafts to other windows. A later Save takes them again.
func (d *Drafts) Close() error {
	const op = "leave drafts"
	d.mu.Lock()
	defer d.mu.Unlock()
	entries, err := os.ReadDir(d.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return diskError(op, d.dir, err)
	}
	for _, e := range entries {
		sum, ok := strings.CutSuffix(e.Name(), d.suffix())
		if !ok {
			continue
		}
		path := filepath.Join(d.dir, e.Name())
		if err := safefs.Rename(path, filepath.Join(d.dir, sum+"."+d.window+draftSuffix)); err != nil {
			return diskError(op, path, err)
		}
	}
	return nil
}

// Save replaces the draft of the key; an empty text removes it. Errors are of kind [session.KindDisk] and leave the old
// draft.
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
	if err := safefs.WriteFile(path, data); err != nil {
		return diskError(op, path, err)
	}
	return nil
}

const draftSuffix = ".json"

// digest returns the name of a key's files. Keys may contain long paths with any characters.
func digest(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}

// path returns this window's file of a key.
func (d *Drafts) path(key string) string { return filepath.Join(d.dir, digest(key)+d.suffix()) }

// suffix returns the end of this window's file names: process and window.
func (d *Drafts) suffix() string {
	return fmt.Sprintf(".%d-%s-%s%s", d.owner.pid, d.owner.start, d.window, draftSuffix)
}

// ownerOf returns the process in the name of a file of the digest, none for a released file. It is false for other files.
func ownerOf(name, digest string) (holder, bool) {
	rest, ok := strings.CutPrefix(name, digest+".")
	if !ok {
		return holder{}, false
	}
	who, ok := strings.CutSuffix("."+rest, draftSuffix)
	fields := strings.SplitN(strings.TrimPrefix(who, "."), "-", 3)
	if !ok || len(fields) < 3 {
		return holder{}, ok
	}
	pid, err := strconv.Atoi(fields[0])
	return holder{pid: pid, start: fields[1]}, err == nil
}
