package sessions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/library"
	"parley/session/words"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// reader is a manager in whose sessions a word was said, as find says.
type reader struct {
	core.Manager
	find   func(ctx context.Context, m session.Meta) (library.Hit, bool)
	likely func(session.ID) bool // nil: each
	off    error                 // why there is no index
}

func (r reader) Find(ctx context.Context, _ *words.Query, m session.Meta) (library.Hit, bool) {
	return r.find(ctx, m)
}

// Narrow takes every session for likely, or only those of likely.
func (r reader) Narrow(_ context.Context, _ *words.Query, all []session.Meta) (likely, rest []session.Meta, err error) {
	for _, m := range all {
		if r.likely == nil || r.likely(m.ID) {
			likely = append(likely, m)
			continue
		}
		rest = append(rest, m)
	}
	return likely, rest, r.off
}

func listOf(n int, m core.Manager) (*list.Panel, Sessions) {
	l := Sessions{Manager: m, Look: &style.Look{Now: time.Now, Width: 80, Height: 24}}
	for i := range n {
		l.All = append(l.All, session.Meta{ID: session.ID(fmt.Sprint("s", i)), Title: "a title"})
	}
	l = l.Made()
	return list.Open(l.Look, l, "jitter"), l
}

// TestSearchGoesOnUntilItsBounds looks into the newest sessions first, and no further than it may.
func TestSearchGoesOnUntilItsBounds(t *testing.T) {
	hit := library.Hit{Passages: []words.Passage{{Prompt: true, Text: "a jitter\x1b[2J"}}}
	for name, c := range map[string]struct {
		sessions int
		hit      library.Hit
		ok       bool
		looked   int
		shown    int
	}{
		"all":                {40, library.Hit{}, false, 40, 0},
		"enough rows":        {2 * mostHits, hit, true, mostHits, mostHits},
		"enough bytes":       {9, library.Hit{Read: mostBytes/3 + 1}, false, 3, 0},
		"found by its title": {9, library.Hit{}, true, 9, 0},
	} {
		looked := 0
		p, l := listOf(c.sessions, reader{find: func(_ context.Context, m session.Meta) (library.Hit, bool) {
			if m.ID != session.ID(fmt.Sprint("s", looked)) {
				t.Errorf("%s: %s is the session number %d", name, m.ID, looked)
			}
			looked++
			return c.hit, c.ok
		}})
		cmd := l.Find(p, "jitter")
		for cmd != nil {
			_, cmd = p.Update(cmd(t.Context()))
			if looked >= c.looked {
				break
			}
		}
		if rows, _, _ := p.Found(); looked != c.looked || len(rows) != c.shown {
			t.Errorf("%s: looked into %d, %d rows", name, looked, len(rows))
		} else if len(rows) > 0 && (len(rows[0].Says) != 1 || rows[0].Says[0] != style.VisibleLine("> a jitter\x1b[2J")) {
			t.Errorf("%s: it says %q", name, rows[0].Says)
		}
	}
}

// TestAnotherTextEndsASearch types another text while a search reads: that one ends, and what it found is dropped.
func TestAnotherTextEndsASearch(t *testing.T) {
	reads := make(chan struct{})
	p, l := listOf(3, reader{find: func(ctx context.Context, _ session.Meta) (library.Hit, bool) {
		close(reads)
		<-ctx.Done()
		return library.Hit{Passages: []words.Passage{{Text: "late"}}}, true
	}})
	cmd, done := l.Find(p, "jitter"), make(chan any)
	go func() { done <- cmd(t.Context()) }()
	<-reads
	now := p.Source.(Sessions)
	now.Find(p, "")
	msg := <-done
	if _, next := p.Update(msg); next != nil {
		t.Error("the search goes on")
	}
	if rows, wait, _ := p.Found(); len(rows) > 0 || wait != "" {
		t.Errorf("%d rows, waiting for %q", len(rows), wait)
	}
	if p.Source.(Sessions).search != nil {
		t.Error("a search for nothing")
	}
}

// TestUnlikelySessionsComeLast looks into sessions without the words in the index only if no other has them.
func TestUnlikelySessionsComeLast(t *testing.T) {
	for where, want := range map[session.ID]string{"s3": "s1 s3 ", "s0": "s1 s3 s0 s2 "} {
		looked := ""
		p, l := listOf(4, reader{likely: func(id session.ID) bool { return id == "s1" || id == "s3" }, find: func(_ context.Context, m session.Meta) (library.Hit, bool) {
			looked += string(m.ID) + " "
			return library.Hit{Passages: []words.Passage{{Text: "jitter"}}}, m.ID == where
		}})
		for cmd := l.Find(p, "jitter"); cmd != nil; {
			_, cmd = p.Update(cmd(t.Context()))
		}
		if rows, _, _ := p.Found(); looked != want || len(rows) != 1 {
			t.Errorf("%s: looked into %s, %d rows", where, looked, len(rows))
		}
	}
}

// TestSearchWithoutIndex says once that a search is slow and why, and looks into all sessions.
func TestSearchWithoutIndex(t *testing.T) {
	looked, said := 0, 0
	p, l := listOf(3, reader{off: &session.Error{Op: "read the index", Kind: session.KindCorrupt, Err: errors.New("no room")}, find: func(context.Context, session.Meta) (library.Hit, bool) {
		looked++
		return library.Hit{}, false
	}})
	for cmd := l.Find(p, "jitter"); cmd != nil; {
		var e panel.Effect
		e, cmd = p.Update(cmd(t.Context()))
		if n, is := e.(panel.Notice); is && n.Warn && strings.Contains(n.Text, "without the index") {
			said++
		}
	}
	if looked != 3 || said != 1 {
		t.Errorf("looked into %d, said %d times", looked, said)
	}
}
