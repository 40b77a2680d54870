package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/session"
)

// version is the version of the tables. A file with another one is made again.
const version = 3

// The tables. A row of words is a piece of what was said: its number is that of the session, then that of the piece. Text is stored by no table. The stamps
// are the changes up to which prompts and answers, and tool calls, were read; the places where they ended. Whole is how many pieces stand before these
// places: those behind them are of a reading that was cut off.
const schema = `
CREATE TABLE session(n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, stamp INTEGER NOT NULL, tools INTEGER NOT NULL, pieces INTEGER NOT NULL, whole INTEGER NOT NULL, dir TEXT NOT NULL, meta TEXT NOT NULL,
  place TEXT NOT NULL, toolplace TEXT NOT NULL);
CREATE INDEX newest ON session(stamp);
CREATE INDEX directories ON session(dir, stamp);
CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, detail=none, prefix='3', tokenize='ascii');
INSERT INTO words(words, rank) VALUES('automerge', 0), ('crisismerge', 64), ('hashsize', 16777216);
`

// pieceBits is the number of bits of a piece's number.
const pieceBits = 24

// Index is the index in a file. It is safe for concurrent use, also by several processes.
type Index struct {
	path     string
	patience time.Duration // with another process that writes
	// The sizes of a piece, and of the pieces that are written at once, in bytes.
	pieceSize, writeSize int

	mu     sync.Mutex // held while reading
	reader *opened
	known  map[int64]entry // by number, as of seen
	seen   int64           // the data version of known to the reader

	writing sync.Mutex // held while writing, with the lock of the file
	writer  *opened
}

// opened is a connection to a file, which may be another one than that at the path by now.
type opened struct {
	*sqlite.Conn
	file os.FileInfo
}

// entry is a session of the index.
type entry struct {
	id     session.ID
	stamps [kinds]int64
	places [kinds]string
	read   bool // in this update
}

// kind is a kind of texts: prompts and answers are read first, of all sessions.
type kind int

const (
	spoken kind = iota
	tools
	kinds
)

// New returns the index in a file, which is opened once it is used.
func New(path string) *Index {
	return &Index{path: path, patience: 10 * time.Second, pieceSize: 256 << 10, writeSize: 4 << 20}
}

// open opens the file and makes its tables. A file of another version loses its tables.
func (x *Index) open() (*opened, error) {
	if err := os.MkdirAll(filepath.Dir(x.path), 0o700); err != nil {
		return nil, x.fail("open", nil, err)
	}
	// SQLite's own files take the mode of this one. A file that is there is not opened: closing it would drop the locks of this process on it.
	switch f, err := os.OpenFile(x.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); {
	case err == nil:
		f.Close()
	case !errors.Is(err, fs.ErrExist):
		return nil, x.fail("open", nil, err)
	}
	file, err := os.Stat(x.path)
	if err != nil {
		return nil, x.fail("open", nil, err)
	}
	c, err := sqlite.OpenConn(x.path, sqlite.OpenReadWrite)
	if err != nil {
		return nil, x.fail("open", file, err)
	}
	c.SetBusyTimeout(x.patience)
	if err := prepare(c, x.patience); err != nil {
		return nil, errors.Join(x.fail("open", file, err), c.Close())
	}
	return &opened{c, file}, nil
}

// has reports whether a file is the one at the path.
func (x *Index) has(file os.FileInfo) bool {
	now, err := os.Stat(x.path)
	return err == nil && file != nil && os.SameFile(now, file)
}

// logged makes a file one with a write-ahead log. While another process does the same, SQLite fails at once, whatever the busy timeout.
func logged(c *sqlite.Conn, patience time.Duration) error {
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		err := sqlitex.ExecuteTransient(c, "PRAGMA journal_mode=WAL", nil)
		if sqlite.ErrCode(err).ToPrimary() != sqlite.ResultBusy || time.Now().After(end) {
			return err
		}
	}
}

// prepare sets a connection up, and makes the tables that the file lacks.
func prepare(c *sqlite.Conn, patience time.Duration) error {
	if err := logged(c, patience); err != nil {
		return err
	}
	for _, pragma := range []string{"synchronous=NORMAL", "wal_autocheckpoint=0"} {
		if err := sqlitex.ExecuteTransient(c, "PRAGMA "+pragma, nil); err != nil {
			return err
		}
	}
	if has, err := number(c, "PRAGMA user_version"); err != nil || has == version {
		return err
	}
	return transact(c, func() error {
		has, err := number(c, "PRAGMA user_version") // another process may have made them meanwhile
		if err != nil || has == version {
			return err
		}
		return remake(c)
	})
}

// remake makes the tables, without what is in them, within a transaction.
func remake(c *sqlite.Conn) error {
	drop := "DROP TABLE IF EXISTS session; DROP TABLE IF EXISTS words;"
	for _, sql := range []string{drop, schema, fmt.Sprintf("PRAGMA user_version=%d;", version)} {
		if err := script(c, sql); err != nil {
			return err
		}
	}
	return nil
}

// transact changes the file as a whole or not at all.
func transact(c *sqlite.Conn, do func() error) error { return within(c, "BEGIN IMMEDIATE", do) }

// within calls do in a transaction. The connection has to be closed after an error, which takes back what was done: a ROLLBACK fails while a
// table of words is being read and the statement before was interrupted, and sqlitex's own transactions panic then.
func within(c *sqlite.Conn, begin string, do func() error) error {
	if err := sqlitex.Execute(c, begin, nil); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return sqlitex.Execute(c, "COMMIT", nil)
}

// script runs several statements within the transaction that is open.
func script(c *sqlite.Conn, sql string) error {
	for len(sql) > 1 {
		stmt, left, err := c.PrepareTransient(sql)
		if err != nil {
			return err
		}
		if stmt == nil {
			return nil
		}
		_, err = stmt.Step()
		if err := errors.Join(err, stmt.Finalize()); err != nil {
			return err
		}
		sql = sql[len(sql)-left:]
	}
	return nil
}

// number returns the number that a query yields.
func number(c *sqlite.Conn, sql string) (n int64, err error) {
	err = sqlitex.ExecuteTransient(c, sql, &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
		n = s.ColumnInt64(0)
		return nil
	}})
	return n, err
}

// fail returns an error that names the file: of kind [session.KindCorrupt] where it cannot be read, else [session.KindDisk].
func (x *Index) fail(op string, file os.FileInfo, err error) error {
	kind := session.KindDisk
	if op == "read" {
		kind = session.KindCorrupt
	}
	return &session.Error{Op: op + " the index of sessions", Kind: kind, Err: &failed{op, x.path, file, err}}
}

// failed is the error that something was not done with the file of an index.
type failed struct {
	op, path string
	file     os.FileInfo // that was open, nil for none
	err      error
}

// Error returns the file and the cause.
func (f *failed) Error() string { return f.path + ": " + f.err.Error() }

// Unwrap returns the cause.
func (f *failed) Unwrap() error { return f.err }

// Words returns the texts of the problem, since no prompt or session is lost with an index; see [session.ProblemOf].
func (f *failed) Words() (what, next string) {
	return "Couldn't " + f.op + " the search index: " + f.Error() + ".", "`parley sessions reindex` makes it again."
}

// read calls do with a connection for reading. A damaged file is set aside and made again, and do called once more.
func (x *Index) read(ctx context.Context, do func(*sqlite.Conn) error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	err := x.use(ctx, &x.reader, "read", do)
	if !damaged(err) {
		return err
	}
	lock, failed := x.lock()
	if lock != nil { // else an update is at it, which meets the damage too
		failed = x.setAside(err)
		lock.Close()
	}
	if failed != nil {
		return errors.Join(err, failed)
	}
	return x.use(ctx, &x.reader, "read", do)
}

// use calls do with a connection to the file at the path, which is closed after an error.
func (x *Index) use(ctx context.Context, conn **opened, op string, do func(*sqlite.Conn) error) error {
	if *conn != nil && !x.has((*conn).file) {
		_ = (*conn).Close() // nothing of it was asked for
		*conn = nil
	}
	if *conn == nil {
		c, err := x.open()
		if err != nil {
			return err
		}
		*conn = c
		if conn == &x.reader {
			x.known = nil // data versions are those of a connection
		}
	}
	c := *conn
	c.SetInterrupt(ctx.Done())
	err := do(c.Conn)
	if err == nil {
		return nil
	}
	_ = c.Close() // what failed is reported
	*conn = nil
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return x.fail(op, c.file, err)
}

// damaged reports whether an error is that of a file that is no database, or a broken one.
func damaged(err error) bool {
	code := sqlite.ErrCode(err).ToPrimary() // of the first error in the chain that has one
	return code == sqlite.ResultCorrupt || code == sqlite.ResultNotADB
}

// setAside renames the file that an error of [damaged] is about, over the one that was set aside before, unless another stands at its place by
// now. The next use makes another. The lock of the file is held: another process might set the new one aside.
func (x *Index) setAside(why error) error {
	if f, is := errors.AsType[*failed](why); !is || !x.has(f.file) {
		return nil
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		_ = os.Remove(x.path + suffix) // they belong to the file that goes
	}
	if err := os.Rename(x.path, x.path+".damaged"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return x.fail("set aside", nil, err)
	}
	return nil
}

// Close closes the file. The index may be used again.
func (x *Index) Close() error {
	x.writing.Lock()
	defer x.writing.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	var errs []error
	for _, c := range []**opened{&x.reader, &x.writer} {
		if *c != nil {
			errs = append(errs, (*c).Close())
			*c = nil
		}
	}
	x.known = nil
	return errors.Join(errs...)
}
