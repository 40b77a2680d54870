package bin

import (
	"context"
	"crypto/rand"
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

	"parley/internal/lazyregexp"
	"parley/internal/safefs"
	"parley/session"
	"parley/session/spending"
)

// Entry is a session in the bin.
type Entry struct {
	// Session describes it. Its Deleted is when it came into the bin.
	Session session.Meta `json:"session"`
	// Spent is what it cost.
	Spent spending.Session `json:"spent"`
	Items []Item           `json:"items"`

	folder string // its name
}

// Item is a file or folder of a session.
type Item struct {
	// From is where it was, absolute.
	From string `json:"from"`
	// Derived ones can be made again: one that is there already is no reason against bringing a session back.
	Derived bool `json:"derived,omitempty"`
}

// Held is a session that no process can open until Release is called.
type Held struct {
	// Meta describes it; the ID is empty if it is not stored there. Items are its files, which need not exist.
	Meta    session.Meta
	Items   []Item
	Spent   spending.Session
	Release func()
}

// Bin is a folder of deleted sessions. It is safe for concurrent use, also by several processes.
type Bin struct {
	dir string
	// step is called before each change of the disk, and apart makes the places of files another file system; for tests.
	step  func()
	apart bool

	mu    sync.Mutex
	cache map[string]Entry // by folder, which never changes
}

// New returns the bin of a directory, which is made once something is deleted.
func New(dir string) *Bin {
	return &Bin{dir: dir, step: func() {}, cache: map[string]Entry{}}
}

// The folders of the bin: of whole sessions, of sessions on their way in or out, and of what is being deleted for good.
const (
	whole  = "sessions"
	moving = "moving"
	gone   = "gone"
)

const entryFile = "entry.json"

// maxEntry is the size of the description of an entry that is read, in bytes. A session whose description is larger is not put into the bin.
const maxEntry = 64 << 20

var validID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$`)

// Put moves the files of a session that exist into the bin: all, or none together with an error. The caller holds the session. A file that
// others remove meanwhile, such as a draft, counts as missing. The first that exist make it a session. Errors are of kind
// [session.KindInvalid], [session.KindNotFound] if no file exists, [session.KindLocked] or [session.KindDisk].
func (b *Bin) Put(ctx context.Context, e Entry, at time.Time) error {
	const op = "delete session"
	if !validID.MatchString(string(e.Session.ID)) {
		return problem(op, session.KindInvalid, fmt.Errorf("%q is not a session id", string(e.Session.ID)))
	}
	unlock, err := b.lock(ctx, op)
	if err != nil {
		return err
	}
	defer unlock()
	e.Items = slices.DeleteFunc(slices.Clone(e.Items), func(i Item) bool {
		return !exists(i.From) || !filepath.IsAbs(i.From)
	})
	if len(e.Items) == 0 {
		return problem(op, session.KindNotFound, errors.New("nothing of it is stored on this machine"))
	}
	e.Session.Deleted = at
	e.folder = fmt.Sprintf("%s@%d-%s", e.Session.ID, at.UnixNano(), strings.ToLower(rand.Text()[:6]))
	dir := b.path(moving, e.folder)
	if err := b.begin(dir, e); err != nil {
		return problem(op, session.KindDisk, errors.Join(err, b.remove(dir)))
	}
	for i, item := range e.Items {
		err := b.take(ctx, item.From, inFolder(dir, i))
		if went := !exists(item.From) && !exists(item.From+asideSuffix); err != nil && !(went && errors.Is(err, fs.ErrNotExist)) {
			return problem(op, session.KindDisk, errors.Join(err, b.putBack(context.WithoutCancel(ctx), e, dir)))
		}
	}
	syncDir(dir)
	if err := b.rename(dir, b.path(whole, e.folder)); err != nil {
		return problem(op, session.KindDisk, errors.Join(err, b.putBack(context.WithoutCancel(ctx), e, dir)))
	}
	syncDir(b.path(whole))
	return nil
}

// begin makes the folder of an entry, with the places of its files.
func (b *Bin) begin(dir string, e Entry) error {
	for _, d := range []string{b.path(whole), dir} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if len(data) > maxEntry {
		return fmt.Errorf("its description has more than %d MB", maxEntry>>20)
	}
	if err := safefs.WriteFileSync(filepath.Join(dir, entryFile), data); err != nil {
		return err
	}
	syncDir(dir)
	syncDir(b.path(moving))
	return nil
}

// Restore moves the session of an entry back to where its files were, which its caller holds. If another file is there by now, nothing is
// moved and the error is of kind [session.KindInvalid]; other errors are those of [Bin.Put].
func (b *Bin) Restore(ctx context.Context, e Entry) error {
	const op = "restore session"
	unlock, err := b.lock(ctx, op)
	if err != nil {
		return err
	}
	defer unlock()
	_ = b.recover(ctx) // what another session with these places left is not ours; Recover reports failures
	from, dir := b.path(whole, e.folder), b.path(moving, e.folder)
	if e.folder == "" || !exists(from) {
		return problem(op, session.KindNotFound, errors.New("it is not in the bin"))
	}
	for i, item := range e.Items {
		if exists(item.From) && exists(inFolder(from, i)) && !item.Derived {
			return problem(op, session.KindInvalid, fmt.Errorf("%s is there already; move it away first", item.From))
		}
	}
	if err := errors.Join(os.MkdirAll(b.path(moving), 0o700), b.rename(from, dir)); err != nil {
		return problem(op, session.KindDisk, err)
	}
	err = b.putBack(ctx, e, dir)
	if err == nil {
		return nil
	}
	undo := context.WithoutCancel(ctx)
	for i, item := range e.Items { // back into the bin
		if !exists(inFolder(dir, i)) && exists(item.From) {
			err = errors.Join(err, b.take(undo, item.From, inFolder(dir, i)))
		}
	}
	return problem(op, session.KindDisk, errors.Join(err, b.rename(dir, from)))
}

// putBack moves what a folder of moving has to where it was, whatever cut off its way, and removes the folder. What finds another file at
// its place stays in the bin with the rest of its folder.
func (b *Bin) putBack(ctx context.Context, e Entry, dir string) error {
	var failed []error
	left := false
	for i, item := range slices.Backward(e.Items) { // the first makes it a session
		kept, err := b.give(ctx, inFolder(dir, i), item)
		left = left || kept
		if err != nil {
			failed = append(failed, err)
		}
	}
	if len(failed) > 0 {
		return errors.Join(failed...)
	}
	if left {
		return b.rename(dir, b.path(whole, e.folder))
	}
	return b.remove(dir)
}

// Recover puts back what a kill left on its way, and ends deletions for good. It does nothing while another process works at the bin, and is
// cheap where there is nothing to do.
func (b *Bin) Recover(ctx context.Context) error {
	const op = "look after the bin"
	if empty(b.path(moving)) && empty(b.path(gone)) {
		return nil
	}
	unlock, held, err := b.tryLock(op)
	if held || err != nil {
		return err
	}
	defer unlock()
	if err := b.recover(ctx); err != nil {
		return problem(op, session.KindDisk, err)
	}
	return nil
}

// recover does what [Bin.Recover] does. The lock is held.
func (b *Bin) recover(ctx context.Context) error {
	interrupted, err := names(b.path(moving))
	failed := []error{b.remove(b.path(gone)), err}
	for _, name := range interrupted {
		dir := b.path(moving, name)
		e, err := readEntry(ctx, dir)
		if errors.Is(err, fs.ErrNotExist) { // it was cut off before anything was moved
			err = b.remove(dir)
		} else if err == nil {
			e.folder = name
			err = b.putBack(ctx, e, dir)
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// List returns the sessions in the bin, the one that was deleted last first. An entry that cannot be read hides no other: the error names
// it, of kind [session.KindCorrupt].
func (b *Bin) List(ctx context.Context) ([]Entry, error) {
	var all []Entry
	var failed []error
	now := map[string]Entry{}
	folders, err := names(b.path(whole))
	if err != nil {
		failed = append(failed, problem("read the bin", session.KindDisk, err))
	}
	for _, name := range folders {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b.mu.Lock()
		e, known := b.cache[name]
		b.mu.Unlock()
		if !known {
			var err error
			if e, err = readEntry(ctx, b.path(whole, name)); err != nil {
				if !exists(b.path(whole, name)) {
					continue // it was taken out meanwhile
				}
				failed = append(failed, problem("read the bin", session.KindCorrupt, fmt.Errorf("%s: %w", b.path(whole, name), err)))
				continue
			}
			e.folder = name
		}
		now[name] = e
		all = append(all, e)
	}
	b.mu.Lock()
	b.cache = now
	b.mu.Unlock()
	slices.SortStableFunc(all, func(a, b Entry) int { return b.Session.Deleted.Compare(a.Session.Deleted) })
	return all, errors.Join(failed...)
}

// Delete deletes entries for good, and returns how many it deleted.
func (b *Bin) Delete(ctx context.Context, all ...Entry) (n int, err error) {
	const op = "empty the bin"
	if len(all) == 0 {
		return 0, nil
	}
	unlock, err := b.lock(ctx, op)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if err := os.MkdirAll(b.path(gone), 0o700); err != nil {
		return 0, problem(op, session.KindDisk, err)
	}
	for _, e := range all {
		err := b.rename(b.path(whole, e.folder), b.path(gone, e.folder))
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process was faster
		}
		if err != nil {
			return n, problem(op, session.KindDisk, err)
		}
		n++
	}
	if err := b.remove(b.path(gone)); err != nil {
		return n, problem(op, session.KindDisk, err)
	}
	return n, nil
}

// Below returns where the files are that came from a directory.
func (b *Bin) Below(ctx context.Context, dir string) (paths []string, err error) {
	all, err := b.List(ctx)
	for _, e := range all {
		for i, item := range e.Items {
			in := inFolder(b.path(whole, e.folder), i)
			if filepath.Dir(item.From) == filepath.Clean(dir) && exists(in) {
				paths = append(paths, in)
			}
		}
	}
	return paths, err
}

// Spending returns what the sessions in the bin cost.
func (b *Bin) Spending(ctx context.Context) (spent []spending.Session, err error) {
	all, err := b.List(ctx)
	for _, e := range all {
		if len(e.Spent.Days) > 0 {
			spent = append(spent, e.Spent)
		}
	}
	return spent, err
}

func (b *Bin) path(names ...string) string {
	return filepath.Join(append([]string{b.dir}, names...)...)
}

// inFolder returns the place of an item in the folder of its entry.
func inFolder(dir string, i int) string { return filepath.Join(dir, strconv.Itoa(i)) }

// readEntry reads the description of a folder.
func readEntry(ctx context.Context, dir string) (e Entry, err error) {
	data, err := safefs.ReadFile(ctx, filepath.Join(dir, entryFile), maxEntry, safefs.NoLinks)
	if err == nil {
		err = json.Unmarshal(data, &e)
	}
	if err == nil && !validID.MatchString(string(e.Session.ID)) {
		err = fmt.Errorf("%q is not a session id", string(e.Session.ID))
	}
	for _, i := range e.Items {
		if err == nil && !filepath.IsAbs(i.From) {
			err = fmt.Errorf("%q is not an absolute path", i.From)
		}
	}
	return e, err
}

// names returns the names of the folders in a directory, in their order, those that could be read with an error. A missing one has none.
func names(dir string) (all []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			all = append(all, e.Name())
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return all, err
}

// empty reports whether a directory has nothing, or is not there.
func empty(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	some, _ := f.Readdirnames(1)
	return len(some) == 0
}

func problem(op string, kind session.Kind, err error) error {
	return &session.Error{Op: op, Kind: kind, Err: err}
}
