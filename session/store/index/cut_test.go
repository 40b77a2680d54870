package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/internal/repeat"
	"parley/session"
)

// small is an index that writes often.
func small(t *testing.T, path string) *Index {
	t.Helper()
	x := New(path)
	x.pieceSize, x.writeSize = 20, 60
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

// dump returns all that an index has: the sessions with their pieces, and the words with the pieces that have them.
func dump(t *testing.T, x *Index) string {
	t.Helper()
	var out strings.Builder
	row := &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
		for i := range s.ColumnCount() {
			out.WriteString(s.ColumnText(i) + " ")
		}
		out.WriteByte('\n')
		return nil
	}}
	err := x.read(t.Context(), func(c *sqlite.Conn) error {
		names := "(SELECT id, n FROM session)"
		for _, sql := range []string{"CREATE VIRTUAL TABLE IF NOT EXISTS temp.had USING fts5vocab(main, words, instance)",
			"SELECT id, stamp, tools, pieces, whole, place, toolplace, meta FROM session ORDER BY id",
			fmt.Sprintf("SELECT id, words.rowid & %d FROM words LEFT JOIN %s ON n = words.rowid >> %d ORDER BY 1, 2", 1<<pieceBits-1, names, pieceBits),
			fmt.Sprintf("SELECT term, id, doc & %d FROM had LEFT JOIN %s ON n = doc >> %d ORDER BY 1, 2, 3", 1<<pieceBits-1, names, pieceBits),
		} {
			if err := sqlitex.Execute(c, sql, row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// long returns sessions of which each takes several writes, and the same once they grew.
func long() (before, after *growing) {
	g := newGrowing("a", "b")
	grow := func(name string) *growing {
		for n := range g.sessions {
			for i := range 8 {
				g.add(n, fmt.Sprintf("said%s%d%dx and some more of it", name, n, i), fmt.Sprintf("[tool%s%d%dx with what it returned", name, n, i))
			}
		}
		c := newGrowing("a", "b")
		copy(c.sessions, g.sessions)
		for id, texts := range g.texts {
			c.texts[id] = append([]session.Text(nil), texts...)
		}
		return c
	}
	return grow("old"), grow("new")
}

// TestCutOff cuts updates off after each write and in each text, by an end of its context, a failure of what it reads and a killed process.
// The next update makes what one makes that was not cut off: no piece is there twice, and none is missing.
func TestCutOff(t *testing.T) {
	before, after := long()
	for name, c := range map[string]struct{ had, now *growing }{"a new index": {nil, before}, "sessions that grew": {before, after}} {
		make := func(path string) *Index {
			x := small(t, path)
			if c.had != nil {
				if _, err := x.Update(t.Context(), c.had.sources()); err != nil {
					t.Fatal(err)
				}
			}
			return x
		}
		whole := make(filepath.Join(t.TempDir(), "whole.db"))
		writes, texts := 0, 0
		s := counted(c.now.sources(), func() error { texts++; return nil })
		s.Pause = func(context.Context) { writes++ }
		if _, err := whole.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		want := dump(t, whole)
		if writes < 12 || texts < 30 {
			t.Fatalf("%s: %d writes, %d texts", name, writes, texts)
		}
		again := func(how string, x *Index) {
			t.Helper()
			if _, err := x.Update(t.Context(), c.now.sources()); err != nil {
				t.Fatal(err)
			}
			if got := dump(t, x); got != want {
				t.Errorf("%s, %s:\n%s\nwant\n%s", name, how, got, want)
			}
		}
		for at := 0; at < writes; at += repeat.Times(6, 3, 1) {
			ctx, cancel := context.WithCancel(t.Context())
			x, killed := make(filepath.Join(t.TempDir(), "canceled.db")), filepath.Join(t.TempDir(), "killed.db")
			s, n := c.now.sources(), 0
			s.Pause = func(context.Context) {
				if n++; n == at+1 {
					cancel()
					clone(t, x.path, killed)
				}
			}
			if _, err := x.Update(ctx, s); err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			again(fmt.Sprint("canceled after write ", at), x)
			again(fmt.Sprint("killed after write ", at), small(t, killed))
		}
		broken := errors.New("broken")
		for at := 0; at < texts; at += repeat.Times(9, 9, 1) {
			x, n := make(filepath.Join(t.TempDir(), "failed.db")), 0
			s := counted(c.now.sources(), func() error {
				if n++; n == at+1 {
					return broken
				}
				return nil
			})
			if _, err := x.Update(t.Context(), s); !errors.Is(err, broken) {
				t.Error(err)
			}
			again(fmt.Sprint("failed in text ", at), x)
		}
	}
}

// counted calls do before each text, and ends with its error.
func counted(s Sources, do func() error) Sources {
	texts := s.Texts
	s.Texts = func(ctx context.Context, m session.Meta, want session.TextQuery, yield func(session.Text) bool) (string, error) {
		var failed error
		place, err := texts(ctx, m, want, func(t session.Text) bool {
			if failed == nil {
				failed = do()
			}
			return failed == nil && yield(t)
		})
		return place, errors.Join(err, failed)
	}
	return s
}

// clone copies the files of an index, as a process leaves them that is killed.
func clone(t *testing.T, from, to string) {
	t.Helper()
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(from + suffix)
		if err == nil {
			err = os.WriteFile(to+suffix, b, 0o600)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	}
}

// TestAnotherSessionWithinAnUpdate has the words of a session that was written anew after what was said was read, once, and none that it had.
func TestAnotherSessionWithinAnUpdate(t *testing.T) {
	x, g := newIndex(t), newGrowing("a")
	g.add(0, "oldsaid", "[oldtool")
	g.update(t, x, 1, "a:1 a[1")
	g.add(0, "moresaid", "[moretool")
	s := g.sources()
	texts := s.Texts
	s.Texts = func(ctx context.Context, m session.Meta, want session.TextQuery, yield func(session.Text) bool) (string, error) {
		if want.Tools && g.marks["a"] == "" {
			g.texts["a"], g.marks["a"] = []session.Text{{Bytes: []byte("newsaid")}, {Tool: true, Bytes: []byte("newtool")}}, "new"
		}
		return texts(ctx, m, want, yield)
	}
	if _, err := x.Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"oldsaid": "", "oldtool": "", "moresaid": "", "moretool": "", "newsaid": "a", "newtool": "a"} {
		check(t, x, word, want)
	}
	g.update(t, x, 0, "")
}

// TestCanceledSearch ends searches at any moment, as typing does. The next one finds what it should.
func TestCanceledSearch(t *testing.T) {
	x, l := newIndex(t), library{}
	for i := range 300 {
		l[session.ID(fmt.Sprint("s", i))] = fmt.Sprintf("jitter w%d", i)
	}
	l.update(t, x, began, 300)
	for i := range repeat.Times(20, 200, 5000) {
		ctx, cancel := context.WithCancel(t.Context())
		stop := time.AfterFunc(time.Duration(i*37%1500)*time.Microsecond, cancel)
		if _, has, err := x.Look(ctx, []string{"jitter", "w1", "jit"}); err == nil && len(has[0]) != 300 || err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%d sessions, %v", len(has[0]), err)
		}
		stop.Stop()
		cancel()
	}
	check(t, x, "w299", "s299")
}

// TestRebuildBeside makes the index again while another process has it open: both go on with the same file.
func TestRebuildBeside(t *testing.T) {
	x, l := newIndex(t), library{"a": "jitter", "b": "other"}
	l.update(t, x, began, 2)
	other := New(x.path)
	check(t, other, "jitter", "a")
	l["a"] = "jitterbug"
	if read, err := other.Rebuild(t.Context(), l.sources(began)); read != 2 || err != nil {
		t.Fatal(read, err)
	}
	check(t, x, "jitterbug", "a")
	l["c"] = "jitter"
	l.update(t, x, began, 1)
	check(t, x, "jitter", "a c")
	check(t, other, "jitter", "a c")
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	third := New(x.path)
	check(t, third, "jitter", "a c")
	check(t, other, "jitter", "a c")
	if err := errors.Join(third.Close(), other.Close()); err != nil {
		t.Error(err)
	}
}
