package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// growing are sessions whose records grow. A record that was written anew has another mark.
type growing struct {
	sessions []session.Meta
	texts    map[session.ID][]session.Text
	marks    map[session.ID]string
	log      []string // what was read: the session, its kind and the number of texts
}

func newGrowing(ids ...session.ID) *growing {
	g := &growing{texts: map[session.ID][]session.Text{}, marks: map[session.ID]string{}}
	for _, id := range ids {
		g.sessions = append(g.sessions, session.Meta{ID: id, Updated: began})
	}
	return g
}

// add adds texts to a session, those of tools in brackets.
func (g *growing) add(n int, texts ...string) {
	m := &g.sessions[n]
	m.Updated = m.Updated.Add(time.Second)
	for _, text := range texts {
		word, tool := strings.CutPrefix(text, "[")
		g.texts[m.ID] = append(g.texts[m.ID], session.Text{Tool: tool, Bytes: []byte(word)})
	}
}

func (g *growing) sources() Sources {
	g.log = nil
	return Sources{Sessions: slices.Clone(g.sessions), All: true, Texts: func(_ context.Context, m session.Meta, want session.TextQuery, yield func(session.Text) bool) (string, error) {
		from := 0
		if want.After != "" {
			at, mark, _ := strings.Cut(want.After, " ")
			if from, _ = strconv.Atoi(at); mark != g.marks[m.ID] || from > len(g.texts[m.ID]) {
				return "", &session.Error{Op: "read", Kind: session.KindInvalid, Err: errors.New("written anew")}
			}
		}
		read := 0
		for _, text := range g.texts[m.ID][from:] {
			if want.Wants(text) {
				read++
				yield(text)
			}
		}
		g.log = append(g.log, fmt.Sprintf("%s%s%d", m.ID, map[bool]string{true: ":", false: "["}[want.Spoken], read))
		return fmt.Sprintf("%d %s", len(g.texts[m.ID]), g.marks[m.ID]), nil
	}}
}

func (g *growing) update(t *testing.T, x *Index, wantRead int, wantLog string) {
	t.Helper()
	read, err := x.Update(t.Context(), g.sources())
	if log := strings.Join(g.log, " "); read != wantRead || err != nil || log != wantLog {
		t.Errorf("%d sessions were read, want %d: %q, want %q; %v", read, wantRead, log, wantLog, err)
	}
}

// What was added is read and nothing before it, and what was said in all sessions before what their tools did. One written anew is
// read whole, and loses the words that it had.
func TestGrowingSessions(t *testing.T) {
	x, g := newIndex(t), newGrowing("a", "b")
	g.add(0, "alpha", "[output", "beta")
	g.add(1, "gamma")
	g.update(t, x, 2, "a:2 b:1 a[1 b[0")
	g.add(0, "delta", "[input")
	g.update(t, x, 1, "a:1 a[1")
	for word, want := range map[string]string{"alpha": "a", "beta": "a", "delta": "a", "output": "a", "input": "a", "gamma": "b"} {
		check(t, x, word, want)
	}
	g.update(t, x, 0, "")
	g.texts["a"], g.marks["a"] = nil, "new"
	g.add(0, "epsilon", "[result")
	g.update(t, x, 1, "a:1 a[1")
	for word, want := range map[string]string{"alpha": "", "output": "", "epsilon": "a", "result": "a"} {
		check(t, x, word, want)
	}
	all, err := x.Newest(t.Context(), "", 9)
	if err != nil || len(all) != 2 || !all[0].Updated.Equal(g.sessions[0].Updated) {
		t.Errorf("%+v, %v", all, err)
	}
}

// A session whose tool calls were not read yet is not taken for one that lacks a word.
func TestSpokenComesFirst(t *testing.T) {
	x, g := newIndex(t), newGrowing("a", "b")
	g.add(0, "alpha", "[output")
	g.add(1, "beta")
	s := g.sources()
	texts := s.Texts
	ctx, stop := context.WithCancel(t.Context())
	s.Texts = func(ctx context.Context, m session.Meta, want session.TextQuery, yield func(session.Text) bool) (string, error) {
		if want.Tools {
			stop()
		}
		return texts(ctx, m, want, yield)
	}
	if _, err := x.Update(ctx, s); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	check(t, x, "alpha", "a")
	check(t, x, "output", "")
	if indexed, _, err := x.Look(t.Context(), nil); err != nil || len(indexed) != 2 || indexed["a"].Equal(g.sessions[0].Updated) {
		t.Errorf("%v, %v", indexed, err)
	}
	g.update(t, x, 2, "a[1 b[0")
	check(t, x, "output", "a")
	if indexed, _, err := x.Look(t.Context(), nil); err != nil || !indexed["a"].Equal(g.sessions[0].Updated) {
		t.Errorf("%v, %v", indexed, err)
	}
}

// However sessions grow, the index finds what one finds that read them once.
func TestGrowingIsReadingWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	x, g := newIndex(t), newGrowing("a", "b", "c", "d")
	word := func() string { return fmt.Sprintf("w%02dx", random.IntN(60)) }
	for range 40 {
		for range random.IntN(4) {
			n := random.IntN(len(g.sessions))
			if random.IntN(6) == 0 {
				id := g.sessions[n].ID
				g.texts[id], g.marks[id] = nil, g.marks[id]+"x"
			}
			g.add(n, word(), "["+word(), word()+" "+word())
		}
		if _, err := x.Update(t.Context(), g.sources()); err != nil {
			t.Fatal(err)
		}
	}
	whole := New(filepath.Join(t.TempDir(), "whole.db"))
	defer whole.Close()
	if _, err := whole.Update(t.Context(), g.sources()); err != nil {
		t.Fatal(err)
	}
	for n := range 60 {
		words := []string{fmt.Sprintf("w%02dx", n)}
		_, got, err := x.Look(t.Context(), words)
		_, want, errWhole := whole.Look(t.Context(), words)
		if err != nil || errWhole != nil || !maps.Equal(got[0], want[0]) {
			t.Errorf("%s is in %v, want %v; %v, %v", words, got[0], want[0], err, errWhole)
		}
	}
}

// TestRemovedWhileItIsRead has nothing of a session that another process removes while its tool calls are read.
func TestRemovedWhileItIsRead(t *testing.T) {
	x, l := newIndex(t), library{"a": "said"}
	s, other := l.sources(began), New(x.path)
	texts := s.Texts
	s.Texts = func(ctx context.Context, m session.Meta, want session.TextQuery, yield func(session.Text) bool) (string, error) {
		if want.Tools {
			if err := errors.Join(other.Remove(ctx, m.ID), other.Close()); err != nil {
				t.Error(err)
			}
			yield(session.Text{Tool: true, Bytes: []byte("done")})
		}
		return texts(ctx, m, want, yield)
	}
	if _, err := x.Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if _, has, err := x.Look(t.Context(), []string{"said", "done"}); err != nil || len(has[0])+len(has[1]) > 0 {
		t.Errorf("%v, %v", has, err)
	}
	l.update(t, x, began, 1) // it is read whole if it is there again
	check(t, x, "said", "a")
}
