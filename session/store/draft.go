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

	"parley/internal/atomicfile"
	"parley/session"
)

// Drafts keeps what stands in the composer of one window and was not sent, so that it survives a kill. Each window has
// drafts of its own: of what others left under a key, Load takes over the newest that no living process has. It is safe for
// concurrent use; saves of one key happen in the order of their calls.
type Drafts struct {
	dir string
	// owner is the process that has the drafts, and window tells them from those of others in the same process.
	owner  holder
	window string
	mu     sync.Mutex
	// swept says that what killed processes left in dir was looked for; once per process is enough.
	swept bool
}

// NewDrafts keeps drafts as files in dir, which is made with mode 0700 when needed. Close lets other windows have them.
func NewDrafts(dir string) *Drafts {
	return &Drafts{dir: dir, owner: self(), window: strings.ToLower(rand.Text()[:12])}
}

// draftFile is the content of a draft's file. The key is kept because the file's name is only its digest.
type draftFile struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

// Load returns the draft of the key, "" if there is none. One that another window left is this window's from then on. A
// file that cannot be read as a draft is an error of kind [session.KindCorrupt], unless there is another draft.
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
		// Whoever renames it has it. Where nothing can be written nobody can have it.
		if err := os.Rename(path, own); errors.Is(err, fs.ErrNotExist) {
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

// left returns the drafts of a key that no living process has, the newest first.
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

// Close lets other windows have the drafts. What is saved after it is this window's again.
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
		if err := os.Rename(path, filepath.Join(d.dir, sum+"."+d.window+draftSuffix)); err != nil {
			return diskError(op, path, err)
		}
	}
	return nil
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
	if err := atomicfile.Write(path, data); err != nil {
		return diskError(op, path, err)
	}
	return nil
}

const draftSuffix = ".json"

// digest names the files of a key. Keys hold paths of any length and any characters.
func digest(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}

// path returns this window's file of a key.
func (d *Drafts) path(key string) string { return filepath.Join(d.dir, digest(key)+d.suffix()) }

// suffix is how the names of this window's files end: with its process, then the window.
func (d *Drafts) suffix() string {
	return fmt.Sprintf(".%d-%s-%s%s", d.owner.pid, d.owner.start, d.window, draftSuffix)
}

// ownerOf returns the process that a file of the digest names, none for a file that a window has left. It is false for
// other files.
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
