package index

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/session"
)

// Look returns the sessions of the index with the time of the last change up to which it has them, and for each word the sessions
// that may have it: in them a text has its letters at the beginning of a word. That is nil for what has neither letters nor digits.
// Words are in small letters.
func (x *Index) Look(ctx context.Context, words []string) (indexed map[session.ID]time.Time, has []map[session.ID]bool, err error) {
	look := func(c *sqlite.Conn) error {
		if err := x.refresh(c); err != nil {
			return err
		}
		indexed, has = make(map[session.ID]time.Time, len(x.known)), nil
		for _, e := range x.known {
			stamp := e.stamps[spoken]
			if stamp != e.stamps[tools] {
				stamp = unfinished
			}
			indexed[e.id] = time.Unix(0, stamp)
		}
		for _, w := range words {
			with, err := x.with(c, w)
			if err != nil {
				return err
			}
			has = append(has, with)
		}
		return nil
	}
	err = x.read(ctx, func(c *sqlite.Conn) error {
		return within(c, "BEGIN", func() error { return look(c) }) // the sessions and the words of one moment
	})
	return indexed, has, err
}

// refresh reads the sessions of the file if it changed since.
func (x *Index) refresh(c *sqlite.Conn) error {
	now, err := number(c, "PRAGMA data_version")
	if err != nil || x.known != nil && now == x.seen {
		return err
	}
	known := map[int64]entry{}
	err = sqlitex.Execute(c, "SELECT n, id, stamp, tools FROM session", &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
		known[s.ColumnInt64(0)] = entry{id: session.ID(s.ColumnText(1)), stamps: [kinds]int64{s.ColumnInt64(2), s.ColumnInt64(3)}}
		return nil
	}})
	if err == nil {
		x.known, x.seen = known, now
	}
	return err
}

// with returns the sessions that may have a word, nil for all.
func (x *Index) with(c *sqlite.Conn, word string) (map[session.ID]bool, error) {
	match := expression(word)
	if match == "" {
		return nil, nil
	}
	with, last := map[session.ID]bool{}, int64(-1)
	err := sqlitex.Execute(c, "SELECT rowid FROM words WHERE words MATCH ?", &sqlitex.ExecOptions{Args: []any{match}, ResultFunc: func(s *sqlite.Stmt) error {
		if n := s.ColumnInt64(0) >> pieceBits; n != last {
			with[x.known[n].id], last = true, n
		}
		return nil
	}})
	return with, err
}

// expression returns what FTS5 looks for to find a word: the pieces that it makes of texts, of which the last one may go on. "" is all.
func expression(word string) string {
	tokens := strings.FieldsFunc(word, func(r rune) bool { return !inToken(r) })
	if len(tokens) == 0 {
		return ""
	}
	match := `"` + strings.Join(tokens, `" AND "`) + `"`
	if last := word[len(word)-1]; inToken(rune(last)) || last >= 0x80 {
		match += "*"
	}
	return match
}

// inToken reports whether FTS5's tokenizer "ascii" puts a letter into a token.
func inToken(r rune) bool {
	return r >= 0x80 || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// Newest returns the descriptions of the most recently changed sessions, as many of a directory and as many of all.
func (x *Index) Newest(ctx context.Context, dir string, most int) (all []session.Meta, err error) {
	err = x.read(ctx, func(c *sqlite.Conn) error {
		all = nil
		had := map[session.ID]bool{}
		add := &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
			var m session.Meta
			if json.Unmarshal([]byte(s.ColumnText(0)), &m) == nil && !had[m.ID] {
				had[m.ID] = true
				all = append(all, m)
			}
			return nil
		}}
		add.Args = []any{dir, most}
		if err := sqlitex.Execute(c, "SELECT meta FROM session WHERE dir=? ORDER BY stamp DESC LIMIT ?", add); err != nil {
			return err
		}
		add.Args = []any{most}
		return sqlitex.Execute(c, "SELECT meta FROM session ORDER BY stamp DESC LIMIT ?", add)
	})
	return all, err
}
