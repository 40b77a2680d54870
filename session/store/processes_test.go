package store_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/session/store"
	"parley/session/store/index"
)

// parley is one of several on the same folders: its own store, index, drafts and manager, as a process has them.
type parley struct {
	t      *testing.T
	n      int
	r      *rand.Rand
	m      *live.Manager
	index  *index.Index
	drafts *store.Drafts
	own    *live.Session
	shared []session.ID

	prompts map[session.ID][]session.PromptID // answered
	titles  map[session.ID][]string           // acknowledged
}

// fails reports an error that a user of several windows should not see. That another one has a session open right now is none.
func (p *parley) fails(doing string, err error) bool {
	if err == nil {
		return false
	}
	if session.KindOf(err) != session.KindLocked || strings.Contains(strings.ToLower(err.Error()), "busy") {
		p.t.Errorf("parley %d, %s: %v", p.n, doing, err)
	}
	return true
}

// ask sends a prompt to a session and notes that it was answered.
func (p *parley) ask(s *live.Session) {
	id := session.PromptID(fmt.Sprintf("p%d-%d", p.n, p.r.Uint32()))
	end, err := s.Ask(p.t.Context(), session.Prompt{ID: id, Text: fmt.Sprintf("words of parley %d", p.n)})
	if !p.fails("ask", err) && end.Outcome == session.TurnCompleted {
		p.prompts[s.ID()] = append(p.prompts[s.ID()], id)
	}
}

// step does one thing that a user does.
func (p *parley) step() {
	ctx, one := p.t.Context(), p.shared[p.r.IntN(len(p.shared))]
	switch p.r.IntN(7) {
	case 0, 1:
		p.ask(p.own)
	case 2: // go on in a session that others go on in too
		s, err := p.m.Resume(ctx, one)
		if p.fails("resume", err) {
			return
		}
		p.ask(s)
		p.fails("close", s.Close(ctx))
	case 3:
		title := fmt.Sprintf("title %d-%d", p.n, p.r.Uint32())
		if _, err := p.m.Rename(ctx, one, title); !p.fails("rename", err) {
			p.titles[one] = append(p.titles[one], title)
		}
	case 4:
		all := p.m.Listing(ctx)
		for _, problem := range all.Problems {
			p.t.Errorf("parley %d, list: %+v", p.n, problem)
		}
		_, err := p.m.Index(ctx, all.Sessions, len(all.Problems) == 0)
		p.fails("index", err)
	case 5:
		_, _, err := p.index.Look(ctx, []string{"words"})
		p.fails("search", err)
	case 6:
		key, text := fmt.Sprintf("draft of %d", p.n), fmt.Sprint(p.r.Uint32())
		p.fails("save a draft", p.drafts.Save(key, text))
		got, err := p.drafts.Load(key)
		if !p.fails("load a draft", err) && got != text {
			p.t.Errorf("parley %d wrote the draft %q and has %q", p.n, text, got)
		}
	}
}

// TestEightParleysOnOneStore lets eight work on the same folders: no update is lost, and none of them is busy. As a long test it takes a
// minute.
func TestEightParleysOnOneStore(t *testing.T) {
	root := t.TempDir()
	open := func(n int) *parley {
		p := &parley{t: t, n: n, r: rand.New(rand.NewPCG(uint64(n), 28)), index: index.New(filepath.Join(root, "library.db")),
			drafts: store.NewDrafts(filepath.Join(root, "composer")), prompts: map[session.ID][]session.PromptID{}, titles: map[session.ID][]string{}}
		agent := sessiontest.NewAgent("builtin")
		agent.Script(func(turn *sessiontest.Turn) { turn.Text("an answer ", "in two parts") })
		p.m = live.NewManager(live.Deps{Agents: []session.Agent{agent}, Endpoints: sessiontest.Endpoints(), Index: p.index,
			Journals: store.New(store.Options{Dir: filepath.Join(root, "sessions"), LockDir: filepath.Join(root, "locks")})})
		var err error
		if p.own, err = p.m.Draft(live.DraftOptions{Dir: project}); err != nil {
			t.Fatal(err)
		}
		return p
	}
	closeIt := func(p *parley) {
		if err := p.m.Close(context.Background()); err != nil {
			t.Errorf("parley %d, close: %v", p.n, err)
		}
		p.fails("close the index", p.index.Close())
		p.fails("close the drafts", p.drafts.Close())
	}
	var shared []session.ID
	first := open(0)
	for range 3 {
		s, err := first.m.Draft(live.DraftOptions{Dir: filepath.Join(project, "y")})
		if err != nil {
			t.Fatal(err)
		}
		first.ask(s)
		shared = append(shared, s.ID())
	}
	closeIt(first)
	var all []*parley
	var wg sync.WaitGroup
	var steps atomic.Int64
	until := time.Now().Add(time.Minute)
	for n := range 8 {
		p := open(n + 1)
		p.shared, all = shared, append(all, p)
		wg.Go(func() {
			for n := repeat.Times(15, 40, math.MaxInt); n > 0 && time.Now().Before(until); n-- {
				p.step()
				steps.Add(1)
			}
			closeIt(p)
		})
	}
	wg.Wait()
	last := open(9)
	defer closeIt(last)
	answered, renamed := 0, 0
	for _, p := range append(all, first) {
		for id, prompts := range p.prompts {
			_, events, err := last.m.Read(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			answered += len(prompts)
			for _, prompt := range prompts {
				if n := turnsOf(events, prompt); n != 1 {
					t.Errorf("parley %d: prompt %s was answered and is in %d turns", p.n, prompt, n)
				}
			}
		}
		for id, titles := range p.titles {
			_, events, err := last.m.Read(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			renamed += len(titles)
			for _, title := range titles {
				if !slices.ContainsFunc(events, func(e session.Event) bool { c, ok := e.(session.TitleChanged); return ok && c.Title == title }) {
					t.Errorf("parley %d: the title %q is lost", p.n, title)
				}
			}
		}
	}
	if listed := last.m.Listing(t.Context()); len(listed.Sessions) < 4 || len(listed.Problems) > 0 || answered < 16 || renamed == 0 {
		t.Errorf("%d sessions, problems %v, %d answered, %d renamed", len(listed.Sessions), listed.Problems, answered, renamed)
	}
	t.Logf("%d steps, %d prompts answered, %d titles given", steps.Load(), answered, renamed)
	if has, _, err := last.index.Look(t.Context(), []string{"words"}); err != nil || len(has) == 0 {
		t.Errorf("the index has %d sessions, %v", len(has), err)
	}
}

// turnsOf counts the turns of a prompt that have completed.
func turnsOf(events []session.Event, id session.PromptID) (n int) {
	for _, turn := range session.Fold(events).Turns {
		if turn.Prompt.ID == id && turn.Outcome == session.TurnCompleted {
			n++
		}
	}
	return n
}
