package index

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/internal/pace"
	"parley/session"
)

// Sources are the sessions that an index is brought up to date with.
type Sources struct {
	Sessions []session.Meta
	// All reports that there are no others: what else the index has is removed.
	All bool
	// Texts passes on what was said in a session, and returns the place where it ended; see [session.TextReader].
	Texts func(ctx context.Context, m session.Meta, want session.TextQuery, yield func(session.Text) bool) (place string, err error)
	// Pause is called between steps of some milliseconds; it may wait. It is optional.
	Pause func(ctx context.Context)
	// Waits is called once by [Index.Rebuild] if it waits for another process. It is optional.
	Waits func()
}

// writeSessions is of how many sessions pieces are written at once.
const writeSessions = 2048

// Update brings the index up to date: sessions whose time of the last change is another one are read, from where they ended when they
// were read before. It returns how many it read, and returns at once if another process is at it. A session that cannot be read hides no other; errors join theirs.
func (x *Index) Update(ctx context.Context, s Sources) (read int, err error) {
	x.writing.Lock()
	defer x.writing.Unlock()
	lock, err := x.lock()
	if err != nil || lock == nil {
		return 0, err
	}
	defer lock.Close()
	return x.update(ctx, s)
}

// update is [Index.Update] with the lock of the file.
func (x *Index) update(ctx context.Context, s Sources) (read int, err error) {
	u := update{index: x, Sources: s}
	err = u.run(ctx)
	if damaged(err) {
		if aside := x.setAside(err); aside != nil {
			return u.read, errors.Join(err, aside)
		}
		u = update{index: x, Sources: s}
		err = u.run(ctx)
	}
	return u.read, errors.Join(append(u.failed, err)...)
}

// Rebuild sets the index back to nothing, and brings it up to date like [Index.Update], behind another process that is at it. The file stays:
// other processes have it open, and would go on with one that nobody else sees. One that is damaged is set aside.
func (x *Index) Rebuild(ctx context.Context, s Sources) (read int, err error) {
	x.writing.Lock()
	defer x.writing.Unlock()
	lock, err := x.awaitLock(ctx, s.Waits)
	if err != nil {
		return 0, err
	}
	defer lock.Close()
	err = x.use(ctx, &x.writer, "change", func(c *sqlite.Conn) error {
		return transact(c, func() error { return remake(c) })
	})
	if damaged(err) {
		err = x.setAside(err)
	}
	if err != nil {
		return 0, err
	}
	return x.update(ctx, s)
}

// Remove removes a session. While an update is at work it does nothing: the next update removes what is gone.
func (x *Index) Remove(ctx context.Context, id session.ID) error {
	if _, err := os.Stat(x.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if !x.writing.TryLock() {
		return nil
	}
	defer x.writing.Unlock()
	return x.use(ctx, &x.writer, "change", func(c *sqlite.Conn) error {
		return transact(c, func() error { return remove(c, id) })
	})
}

// update is one run of [Index.Update].
type update struct {
	Sources
	index  *Index
	known  map[session.ID]*entry
	read   int
	failed []error

	vocabulary vocabulary

	waiting []said // what is to be written
	size    int
	writes  int
}

// said is what was said in a session, or a part of it.
type said struct {
	meta   session.Meta
	kind   kind
	first  bool // what the index had of the session goes
	begins bool // what the index has behind the places of the session goes
	whole  bool // nothing follows
	place  string
	pieces [][]byte
}

func (u *update) run(ctx context.Context) error {
	err := u.index.use(ctx, &u.index.writer, "read", func(c *sqlite.Conn) error {
		u.known = map[session.ID]*entry{}
		return sqlitex.Execute(c, "SELECT id, stamp, tools, place, toolplace FROM session", &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
			u.known[session.ID(s.ColumnText(0))] = &entry{stamps: [kinds]int64{s.ColumnInt64(1), s.ColumnInt64(2)}, places: [kinds]string{s.ColumnText(3), s.ColumnText(4)}}
			return nil
		}})
	})
	if err != nil {
		return err
	}
	for k := range kinds {
		for _, m := range u.Sessions {
			if err := u.session(ctx, m, k); err != nil {
				return err
			}
			u.rest(ctx)
		}
		if err := u.write(ctx); err != nil {
			return err
		}
	}
	for _, m := range u.Sessions {
		delete(u.known, m.ID)
	}
	return u.finish(ctx)
}

// session reads the texts of a kind of a session that changed: those that were added, or all if it was written anew.
func (u *update) session(ctx context.Context, m session.Meta, k kind) error {
	e := u.known[m.ID]
	if e == nil {
		e = &entry{stamps: [kinds]int64{unfinished, unfinished}}
		u.known[m.ID] = e
	}
	stamp := m.Updated.UnixNano()
	if e.stamps[k] == stamp || k == tools && e.stamps[spoken] != stamp { // the second could not be read
		return nil
	}
	return u.texts(ctx, m, e, k)
}

// texts reads the texts of a kind of a session, from the place of its entry on.
func (u *update) texts(ctx context.Context, m session.Meta, e *entry, k kind) error {
	now := said{meta: m, kind: k, begins: true, first: k == spoken && e.places[k] == ""}
	if now.first {
		e.stamps = [kinds]int64{unfinished, unfinished}
	}
	var piece []byte
	var failed error
	cut := func(end bool) bool {
		if words := u.vocabulary.of(piece); len(words) > 0 {
			now.pieces, u.size = append(now.pieces, words), u.size+len(words)
		}
		piece = piece[:0]
		u.rest(ctx)
		if u.size < u.index.writeSize || end {
			return true
		}
		u.waiting = append(u.waiting, now)
		now = said{meta: m, kind: k}
		failed = u.write(ctx)
		return failed == nil
	}
	want := session.TextQuery{Spoken: k == spoken, Tools: k == tools, After: e.places[k]}
	place, err := u.Texts(ctx, m, want, func(t session.Text) bool {
		if !t.GoesOn && len(piece) > 0 {
			piece = append(piece, '\n')
		}
		if !t.GoesOn && len(piece) >= u.index.pieceSize && !cut(false) {
			return false
		}
		piece = append(piece, t.Bytes...)
		return true
	})
	switch {
	case failed != nil:
		return failed
	case ctx.Err() != nil:
		return ctx.Err()
	case want.After != "" && session.KindOf(err) == session.KindInvalid: // nothing was read
		e.places = [kinds]string{}
		if k == tools { // it was written anew while this update was at work
			if err := u.texts(ctx, m, e, spoken); err != nil || e.stamps[spoken] == unfinished {
				return err
			}
		}
		return u.texts(ctx, m, e, k)
	case err != nil && session.KindOf(err) != session.KindNotFound: // one that is not stored here has no words
		u.failed = append(u.failed, &session.Error{Op: "index session " + string(m.ID), Kind: session.KindOf(err), Err: err})
		return nil // a search reads it itself
	}
	if !e.read {
		e.read = true
		u.read++
	}
	if k == spoken && want.After == "" {
		e.stamps[tools], e.places[tools] = unfinished, ""
	}
	e.stamps[k], e.places[k] = m.Updated.UnixNano(), place
	cut(true)
	now.whole, now.place = true, place
	u.waiting = append(u.waiting, now)
	if u.size < u.index.writeSize && len(u.waiting) < writeSessions {
		return nil
	}
	return u.write(ctx)
}

// write writes what was read, in one transaction.
func (u *update) write(ctx context.Context) error {
	if len(u.waiting) == 0 {
		return nil
	}
	u.rest(ctx)
	err := u.index.use(ctx, &u.index.writer, "write", func(c *sqlite.Conn) error {
		return transact(c, func() error {
			for _, s := range u.waiting {
				if err := u.add(pace.Held(ctx), c, s); err != nil {
					return err
				}
			}
			return nil
		})
	})
	u.waiting, u.size = nil, 0
	if u.writes++; err == nil && u.writes%16 == 0 {
		err = u.index.use(ctx, &u.index.writer, "write", func(c *sqlite.Conn) error { return checkpoint(c, "PASSIVE") })
	}
	u.rest(ctx)
	return err
}

// rest lets the caller pause.
func (u *update) rest(ctx context.Context) {
	if u.Pause != nil {
		u.Pause(ctx)
	}
}

// unfinished is the stamp of a session of which more is to come: no time of a change is like it.
const unfinished = -1

// add adds what was said within a transaction, in which it pauses: nobody waits for its end but a process that removes a session.
func (u *update) add(ctx context.Context, c *sqlite.Conn, s said) error {
	id := string(s.meta.ID)
	if s.first {
		if err := remove(c, s.meta.ID); err != nil {
			return err
		}
		err := sqlitex.Execute(c, "INSERT INTO session(id, stamp, tools, pieces, whole, dir, meta, place, toolplace) VALUES(?, ?, ?, 0, 0, '', '', '', '')",
			&sqlitex.ExecOptions{Args: []any{id, unfinished, unfinished}})
		if err != nil {
			return err
		}
	}
	var n, at, whole int64
	err := sqlitex.Execute(c, "SELECT n, pieces, whole FROM session WHERE id=?", &sqlitex.ExecOptions{Args: []any{id}, ResultFunc: func(s *sqlite.Stmt) error {
		n, at, whole = s.ColumnInt64(0), s.ColumnInt64(1), s.ColumnInt64(2)
		return nil
	}})
	if err != nil || n == 0 { // another process removed it meanwhile
		return err
	}
	if s.begins {
		if err := removePieces(c, n, whole, at); err != nil {
			return err
		}
		at = whole
	}
	for _, piece := range s.pieces {
		err := sqlitex.Execute(c, "INSERT INTO words(rowid, text) VALUES(?, CAST(? AS TEXT))", &sqlitex.ExecOptions{Args: []any{n<<pieceBits | at, piece}})
		if err != nil {
			return err
		}
		at++
		u.rest(ctx)
	}
	meta, err := json.Marshal(s.meta)
	if err != nil {
		return err
	}
	update, args := "UPDATE session SET pieces=?1, dir=?2, meta=?3", []any{at, s.meta.Dir, string(meta), n}
	if s.whole {
		update += ", whole=?1, " + [kinds]string{"stamp=?5, place=?6", "tools=?5, toolplace=?6"}[s.kind]
		args = append(args, s.meta.Updated.UnixNano(), s.place)
	}
	return sqlitex.Execute(c, update+" WHERE n=?4", &sqlitex.ExecOptions{Args: args})
}

// remove removes a session within a transaction.
func remove(c *sqlite.Conn, id session.ID) error {
	n, pieces := int64(-1), int64(0)
	err := sqlitex.Execute(c, "SELECT n, pieces FROM session WHERE id=?", &sqlitex.ExecOptions{Args: []any{string(id)}, ResultFunc: func(s *sqlite.Stmt) error {
		n, pieces = s.ColumnInt64(0), s.ColumnInt64(1)
		return nil
	}})
	if err != nil || n < 0 {
		return err
	}
	if err := removePieces(c, n, 0, pieces); err != nil {
		return err
	}
	return sqlitex.Execute(c, "DELETE FROM session WHERE n=?", &sqlitex.ExecOptions{Args: []any{n}})
}

// removePieces removes the pieces of a session between two numbers.
func removePieces(c *sqlite.Conn, n, from, to int64) error {
	for at := from; at < to; at++ {
		if err := sqlitex.Execute(c, "DELETE FROM words WHERE rowid=?", &sqlitex.ExecOptions{Args: []any{n<<pieceBits | at}}); err != nil {
			return err
		}
	}
	return nil
}

// finish removes what is gone, merges what was written in small steps, and writes the log back into the file.
func (u *update) finish(ctx context.Context) error {
	return u.index.use(ctx, &u.index.writer, "write", func(c *sqlite.Conn) error {
		for id := range u.known {
			if !u.All {
				break
			}
			if err := remove(c, id); err != nil {
				return err
			}
		}
		for u.read > 0 && ctx.Err() == nil {
			before, err := number(c, "SELECT total_changes()")
			if err != nil {
				return err
			}
			if err := sqlitex.Execute(c, "INSERT INTO words(words, rank) VALUES('merge', 100)", nil); err != nil {
				return err
			}
			if after, err := number(c, "SELECT total_changes()"); err != nil || after-before < 2 {
				return errors.Join(err, checkpoint(c, "TRUNCATE")) // nothing was left to merge
			}
			u.rest(ctx)
		}
		return checkpoint(c, "TRUNCATE")
	})
}

// checkpoint writes the log back into the file.
func checkpoint(c *sqlite.Conn, how string) error {
	return sqlitex.ExecuteTransient(c, "PRAGMA wal_checkpoint("+how+")", nil)
}
