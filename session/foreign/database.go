package foreign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/internal/crash"
	"parley/internal/safefs"
	"parley/session"
	"parley/session/sources"
)

// Bounds of databases: the size in bytes up to which one is copied, that of a value that is read and of one in a description, the time that
// a query may take, the number of its rows, and the time after which a copy that is not used goes.
const (
	maxCopy  = 256 << 20
	maxValue = 4 << 20
	maxBrief = 4 << 10
	maxQuery = 30 * time.Second
	maxRows  = 100_000
	idle     = 5 * time.Second
)

// stepBytes is what a step counts besides its text, so that those without one are bounded too.
const stepBytes = 1 << 10

// errRows is the cause of an error about a query with more than maxRows rows, of which the first were read.
var errRows = errors.New("of more than 100,000 sessions only the newest are listed")

// errBusy is the cause of an error about a database that its program wrote to all the time.
var errBusy = errors.New("its program is writing to it; try again")

// database reads the databases of one program: each from a copy, which is kept until it is out of date or not used for a while. The
// program's own file is opened as a file only, so that no lock of ours is ever in its way.
type database struct {
	temp string
	// large allows a file that is too large for a copy to be read itself, as if nobody wrote to it and without what is only in its log.
	large bool
	// patience is the time that a query may take, maxQuery if it is 0.
	patience time.Duration
	// most is the number of rows that a query may have, maxRows if it is 0.
	most int

	mu    sync.Mutex // held while reading
	place sources.Place
	taken time.Time // when the copy was made
	conn  *sqlite.Conn
	dir   string      // of the copy that conn reads
	gone  *time.Timer // closes conn
}

// use calls do with a connection for reading the database of a place: as it is, or as it was recently if that is enough.
func (d *database) use(ctx context.Context, p sources.Place, enough bool, do func(*sqlite.Conn) error) (err error) {
	most := cmp.Or(d.patience, maxQuery)
	bounded, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.gone != nil {
		d.gone.Stop()
	}
	if now, err := databaseStamp(p.Path); err != nil {
		return err
	} else if p.Stamp = now; d.place != p && !(enough && d.place.Path == p.Path && time.Since(d.taken) < sources.Recently) {
		d.close()
	}
	if d.conn == nil {
		if d.conn, err = d.open(bounded, p); err != nil {
			return err
		}
		d.place, d.taken = p, time.Now()
	}
	d.conn.SetInterrupt(bounded.Done())
	err = do(d.conn)
	d.conn.SetInterrupt(nil)
	if err != nil {
		d.close()
		if ctx.Err() == nil && bounded.Err() != nil {
			return fmt.Errorf("reading it took more than %v", most)
		}
		return errors.Join(ctx.Err(), err)
	}
	d.gone = time.AfterFunc(idle, crash.Guarded(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.close()
	}))
	return nil
}

// steps passes the steps that do finds in a database on, after the database was read: who gets them may take long.
func (d *database) steps(ctx context.Context, p sources.Place, emit func(step) bool, do func(c *sqlite.Conn, found func(step) bool) error) (read int64, err error) {
	var all []step
	err = d.use(ctx, p, true, func(c *sqlite.Conn) error {
		all, read = nil, 0
		left := step{kind: stepDamaged} // stands for the rest
		err := do(c, func(s step) bool {
			if read += int64(len(s.text)+len(s.input)) + stepBytes; read > maxCopy {
				s = left
			}
			all = append(all, s)
			return read <= maxCopy
		})
		if errors.Is(err, errRows) {
			all, err = append(all, left), nil
		}
		return err
	})
	for _, s := range all {
		if err != nil || !emit(s) {
			break
		}
	}
	return read, err
}

// close closes the connection. The lock is held.
func (d *database) close() {
	if d.conn != nil {
		_ = d.conn.Close() // it only read
		_ = os.RemoveAll(d.dir)
		d.conn, d.dir = nil, ""
	}
}

// open opens a copy of a database, or the file itself.
func (d *database) open(ctx context.Context, p sources.Place) (*sqlite.Conn, error) {
	if p.Stamp[0].Size+p.Stamp[1].Size+p.Stamp[2].Size > maxCopy {
		if !d.large {
			return nil, fmt.Errorf("it has more than %d MB: %w", maxCopy>>20, safefs.ErrTooLarge)
		}
		return readOnly(p.Path)
	}
	if err := os.MkdirAll(d.temp, 0o700); err != nil {
		return nil, err
	}
	d.sweep()
	dir, err := os.MkdirTemp(d.temp, copies)
	if err != nil {
		return nil, err
	}
	d.dir = dir
	defer os.RemoveAll(dir) // where an open file can be removed; else close does it, or a later copy
	copied := filepath.Join(dir, "copy.db")
	if err := copyDatabase(ctx, p.Path, copied); err != nil {
		return nil, err
	}
	if err := settle(copied); err != nil {
		return nil, err
	}
	return readOnly(copied)
}

// copies begins the names of the folders of copies.
const copies = "foreign-"

// sweep removes what killed processes, and those on systems that cannot remove open files, left here.
func (d *database) sweep() {
	old, err := filepath.Glob(filepath.Join(d.temp, copies+"*"))
	if err != nil {
		return
	}
	for _, dir := range old {
		if info, err := os.Lstat(dir); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = os.RemoveAll(dir) // it is tried again
		}
	}
}

// copyDatabase copies a database and its logs as they are at one moment.
func copyDatabase(ctx context.Context, from, to string) error {
	for range 4 {
		before, err := databaseStamp(from)
		if err != nil {
			return err
		}
		for _, suffix := range []string{"", "-wal", "-journal"} {
			err := copyFile(ctx, from+suffix, to+suffix)
			if err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
				return err
			}
		}
		if after, err := databaseStamp(from); err == nil && after == before {
			return nil
		}
	}
	return errBusy
}

func copyFile(ctx context.Context, from, to string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) { // of an earlier try
		return err
	}
	in, _, err := safefs.OpenFile(from, safefs.NoLinks)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, maxCopy))
	return errors.Join(err, out.Close(), ctx.Err())
}

// superJournal is the end of a journal that names a file beside it. SQLite opens that file, wherever it is, and removes it.
const superJournal = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"

// namesFile reports whether the journal of a copy names another file.
func namesFile(journal string) (bool, error) {
	f, err := os.Open(journal)
	if err != nil {
		return false, err
	}
	defer f.Close()
	end := make([]byte, len(superJournal))
	if _, err = f.Seek(-int64(len(end)), io.SeekEnd); err != nil {
		return false, nil // it is shorter
	}
	_, err = io.ReadFull(f, end)
	return string(end) == superJournal, err
}

// settle puts what is in the logs of a copy into it.
func settle(path string) error {
	switch names, err := namesFile(path + "-journal"); {
	case names:
		return errors.New("its journal names another file")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	err = sqlitex.ExecuteTransient(c, "PRAGMA journal_mode=DELETE", nil)
	return errors.Join(err, c.Close())
}

// readOnly opens a file that does not change, without locks and without writing anything beside it. It trusts no part of it.
func readOnly(path string) (*sqlite.Conn, error) {
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" {
		path = "/" + path
	}
	c, err := sqlite.OpenConn((&url.URL{Scheme: "file", Path: path, RawQuery: "immutable=1&mode=ro"}).String(), sqlite.OpenReadOnly|sqlite.OpenURI)
	if err != nil {
		return nil, err
	}
	for _, pragma := range []string{"trusted_schema=OFF", "query_only=ON", "cell_size_check=ON", "mmap_size=0"} {
		if err := sqlitex.ExecuteTransient(c, "PRAGMA "+pragma, nil); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	c.Limit(sqlite.LimitLength, maxCopy)
	return c, nil
}

// rows calls do for the rows of a query, in which $most stands for one more than there may be. If there are more, the error is errRows.
func (d *database) rows(c *sqlite.Conn, sql string, do func(row) bool, args ...any) error {
	n, most, stop := 0, cmp.Or(d.most, maxRows), errors.New("enough")
	sql = strings.ReplaceAll(sql, "$most", strconv.Itoa(most+1))
	err := sqlitex.ExecuteTransient(c, sql, &sqlitex.ExecOptions{Args: args, ResultFunc: func(s *sqlite.Stmt) error {
		if n++; n > most {
			return errRows
		}
		if !do(row{s}) {
			return stop
		}
		return nil
	}})
	if errors.Is(err, stop) {
		return nil
	}
	return err
}

// describe returns the descriptions that do makes of the rows of a query, of those in which something was said.
func (d *database) describe(ctx context.Context, p sources.Place, sql string, do func(row) (m session.Meta, said bool)) (metas []session.Meta, err error) {
	err = d.use(ctx, p, false, func(c *sqlite.Conn) error {
		metas = nil
		return d.rows(c, sql, func(r row) bool {
			if m, said := do(r); said {
				metas = append(metas, m)
			}
			return true
		})
	})
	return metas, err
}

// row is a row of a query. Columns that a version does not have are empty.
type row struct{ s *sqlite.Stmt }

// text returns a text, "" for one that is too long.
func (r row) text(column string) string {
	if r.long(column) {
		return ""
	}
	return plain(strings.ReplaceAll(r.s.GetText(column), "\x00", "\uFFFD"))
}

// brief returns the beginning of a text for a description.
func (r row) brief(column string) string { return brief(r.text(column)) }

// brief returns the beginning of a text, as a copy: a list has many, and must not hold the whole texts.
func brief(s string) string { return strings.Clone(limited(s, maxBrief)) }

// first returns what the message of a prompt in a column says first, and whether it counts as said: one that is damaged does.
func (r row) first(column string, steps func(role, message string, s step, emit func(step) bool) bool) (text string, said bool) {
	damaged := false
	steps("user", r.text(column), step{}, func(s step) bool {
		text, damaged = brief(s.text), s.kind == stepDamaged
		return false
	})
	return text, text != "" || damaged && r.s.ColumnLen(r.s.ColumnIndex(column)) > 0
}

// long reports whether a value is too long to be read.
func (r row) long(column string) bool {
	i := r.s.ColumnIndex(column)
	return i >= 0 && r.s.ColumnLen(i) > maxValue
}

// time returns a time in seconds or milliseconds since 1970, or as a text.
func (r row) time(column string) time.Time {
	if n := r.s.GetInt64(column); n > 1e11 {
		return time.UnixMilli(n)
	} else if n > 1e6 {
		return time.Unix(n, 0)
	}
	for _, layout := range []string{time.DateTime, time.RFC3339Nano} {
		if t, err := time.Parse(layout, limited(r.text(column), 40)); err == nil {
			return t
		}
	}
	return time.Time{}
}

// databaseStamp returns the state of a database, and of the log and the journal beside it.
func databaseStamp(path string) (sources.Stamp, error) {
	return sources.StampOf(path, path+"-wal", path+"-journal")
}

// databaseAt returns a database as a place, none if there is no such file.
func databaseAt(path, dir string) []sources.Place {
	s, err := databaseStamp(path)
	if err != nil {
		return nil
	}
	return []sources.Place{{Path: path, Dir: dir, Stamp: s}}
}
