package history_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/history"
	"parley/session/sessiontest"
)

// TestLastTurnsAfterAnUnsureChoice ends a transcript whose first word on model or mode may have held long before: the
// user has chosen otherwise since, or the agent spells it in another way.
func TestLastTurnsAfterAnUnsureChoice(t *testing.T) {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	head := func(turn session.TurnID) session.Head {
		at = at.Add(time.Second)
		return session.Head{Session: "s", Turn: turn, At: at}
	}
	turn := func(id session.TurnID, also ...session.Event) []session.Event {
		begin := session.TurnStarted{Head: head(id), Prompt: session.Prompt{ID: session.PromptID(id), Text: "p"}}
		return append(append([]session.Event{begin}, also...), session.TurnEnded{Head: head(id), Outcome: session.TurnCompleted})
	}
	model := func(turn session.TurnID, model, effort string) session.Event {
		return session.ModelChanged{Head: head(turn), Model: model, Effort: effort}
	}
	mode := func(turn session.TurnID, mode session.Mode) session.Event {
		return session.ModeChanged{Head: head(turn), Mode: mode}
	}
	journal := func() *session.Tail {
		return &session.Tail{Whole: true, Events: turn("1", model("1", "m.1", "high"), mode("1", session.ModePlan))}
	}
	for name, c := range map[string]struct {
		journal *session.Tail
		truth   []session.Event
		before  session.Settings
		want    []session.TurnID
	}{
		"the same":         {journal(), turn("2", model("2", "m.1", "high"), mode("2", session.ModePlan)), session.Settings{}, []session.TurnID{"2"}},
		"another spelling": {journal(), turn("2", model("2", "m-1", "high")), session.Settings{}, nil},
		"another effort":   {journal(), turn("2", model("2", "m.1", "")), session.Settings{}, nil},
		"another mode":     {journal(), turn("2", mode("2", session.ModeDefault)), session.Settings{}, nil},
		"a known change": {journal(), turn("2", model("2", "m-1", "high")), session.Settings{Model: "m.1"},
			[]session.TurnID{"2"}},
		"chosen again later": {journal(), slices.Concat(turn("2", model("2", "m-1", "")), turn("3", model("3", "n", "")), turn("4")),
			session.Settings{}, []session.TurnID{"4"}},
	} {
		truth := session.Tail{Events: c.truth, Before: c.before}
		var got []session.TurnID
		for _, turn := range session.Fold(history.LastTurns(&truth, c.journal)).Turns {
			got = append(got, turn.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: the last turns are %v, want %v", name, got, c.want)
		}
	}
}

// FuzzLastTurns makes what an agent and a journal know of a session, cuts both anywhere, and compares what is left with
// the end of both together.
func FuzzLastTurns(f *testing.F) {
	for seed := range uint64(repeat.Times(2, 4, 16)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		p := pastOf(seed)
		both, alone, compared := session.Fold(history.Merge(p.told(0), p.journal)), session.Fold(p.told(0)), 0
		for i := 0; i < len(p.truth); i++ {
			truth := session.Tail{Events: p.told(i), Whole: i == 0}
			end := session.Fold(history.LastTurns(&truth, nil))
			if end.Todos == nil {
				end.Todos = alone.Todos // from before: only a journal knows
			}
			turns, d := sessiontest.SameEnd(end, alone)
			if d != "" {
				t.Fatalf("truth from %d of %d: %s", i, len(p.truth), d)
			}
			compared += min(turns, 1)
			for j := i % 4; j <= len(p.journal); j += 4 {
				journal := sessiontest.TailOf(p.journal, j)
				turns, d := sessiontest.SameEnd(session.Fold(history.LastTurns(&truth, &journal)), both)
				if d != "" {
					t.Fatalf("truth from %d of %d, journal from %d of %d: %s", i, len(p.truth), j, len(p.journal), d)
				}
				compared += min(turns, 1)
			}
		}
		if compared == 0 {
			t.Errorf("of %d and %d events nothing was compared", len(p.truth), len(p.journal))
		}
	})
}

// past is what was said in a made-up session: as the agent has it, and as the journal has it.
type past struct {
	r              *rand.Rand
	at             time.Time
	truth, journal []session.Event
	gen            session.Generation
	n              int
	child          session.ChildID // in the background
	late           []session.Event // that the journal gets after something else
}

func pastOf(seed uint64) *past {
	p := &past{r: rand.New(rand.NewPCG(seed, 3)), at: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC), gen: 1}
	if p.r.IntN(2) == 0 {
		p.journal = append(p.journal, session.ModelChanged{Model: "chosen"}, session.ModeChanged{Mode: session.ModePlan})
	}
	for i := range 5 + p.r.IntN(3) {
		switch {
		case i == 0 || p.r.IntN(2) == 0:
			p.turn(true, true)
		case p.r.IntN(3) == 0:
			p.turn(true, false) // outside of parley
		case p.r.IntN(2) == 0:
			p.turn(false, true) // never arrived
		default:
			p.autonomous()
		}
		p.choose()
		if p.r.IntN(4) == 0 {
			p.gen++
		}
	}
	p.turn(true, true)
	p.turn(true, true)
	return p
}

// tick returns the heads of the next thing that happens, for the agent and for the journal.
func (p *past) tick(turn session.TurnID) (theirs, ours session.Head) {
	p.at = p.at.Add(time.Second)
	p.n++
	return session.Head{Session: "s", Turn: turn, At: p.at}, session.Head{Session: "s", Turn: turn, Gen: p.gen, At: p.at}
}

// choose changes model or mode now and then, as the user does in parley.
func (p *past) choose() {
	_, h := p.tick("")
	switch p.r.IntN(8) {
	case 0:
		p.journal = append(p.journal, session.ModelChanged{Head: h, Model: fmt.Sprint("m", p.r.IntN(2)), Effort: "high"})
	case 1:
		p.journal = append(p.journal, session.ModeChanged{Head: h, Mode: []session.Mode{session.ModePlan, session.ModeDefault}[p.r.IntN(2)]})
	case 2:
		p.journal = append(p.journal, session.CreditsReported{Head: h, NanoAIU: 5})
	}
}

// turn is a turn that one of them or both know.
func (p *past) turn(theirs, ours bool) {
	id := session.TurnID(fmt.Sprint("t", p.n))
	text := session.Prompt{ID: session.PromptID(id), Text: "prompt " + string(id)}
	put := func(a, b session.Event) {
		if theirs && a != nil {
			p.truth = append(p.truth, a)
		}
		if ours && b != nil {
			p.journal = append(p.journal, b)
		}
	}
	origin := session.OriginUser
	a, b := p.tick(id)
	if ours && p.r.IntN(3) == 0 {
		origin = session.OriginQueued
		put(nil, session.Queued{Head: session.Head{Session: "s", At: b.At}, Prompt: text})
		put(nil, session.Unqueued{Head: session.Head{Session: "s", At: b.At}, Prompt: text.ID, Sent: true})
	}
	put(session.TurnStarted{Head: a, Prompt: text, Origin: session.OriginUser}, session.TurnStarted{Head: b, Prompt: text, Origin: origin})
	if theirs {
		p.said(a)
	}
	for range p.r.IntN(4) {
		p.step(id, theirs && ours, put)
		if p.r.IntN(2) == 0 {
			p.flush(ours)
		}
	}
	defer p.flush(ours)
	a, b = p.tick(id)
	put(session.UsageReported{Head: a, Usage: session.Usage{Input: 1}, Model: "x"}, session.UsageReported{Head: b, Usage: session.Usage{Input: 2}, Model: "y"})
	outcome := []session.TurnOutcome{session.TurnCompleted, session.TurnCancelled}[p.r.IntN(2)]
	put(session.TurnEnded{Head: a, Outcome: outcome}, session.TurnEnded{Head: b, Outcome: outcome, Duration: time.Minute})
}

// flush gives the journal what was found out about files.
func (p *past) flush(ours bool) {
	if ours {
		p.journal = append(p.journal, p.late...)
	}
	p.late = nil
}

// said is what the agent's transcript says of model and mode with each prompt.
func (p *past) said(h session.Head) {
	p.truth = append(p.truth, session.ModeChanged{Head: h, Mode: []session.Mode{session.ModePlan, session.ModeAcceptEdits}[p.r.IntN(2)]},
		session.ModelChanged{Head: h, Model: fmt.Sprint("theirs-", p.r.IntN(2))})
}

// told returns the events of the transcript from its entry i on: model and mode only where they change.
func (p *past) told(i int) []session.Event {
	var out []session.Event
	model, mode := "", session.Mode("")
	for _, e := range p.truth[i:] {
		switch e := e.(type) {
		case session.ModelChanged:
			if e.Model == model {
				continue
			}
			model = e.Model
		case session.ModeChanged:
			if e.Mode == mode {
				continue
			}
			mode = e.Mode
		}
		out = append(out, e)
	}
	return out
}

// step is one thing that happens in a turn.
func (p *past) step(id session.TurnID, both bool, put func(a, b session.Event)) {
	a, b := p.tick(id)
	switch n := p.n; p.r.IntN(7) {
	case 0, 1:
		text := fmt.Sprint("words ", n)
		ours, theirs := session.PartID(fmt.Sprint("o", n)), session.PartID(fmt.Sprint("t", n))
		put(session.PartReplaced{Head: a, Part: theirs, Kind: session.PartText, Text: text}, session.PartStarted{Head: b, Part: ours, Kind: session.PartText})
		put(nil, session.PartDelta{Head: b, Part: ours, Text: text})
		put(nil, session.PartEnded{Head: b, Part: ours})
	case 2:
		call := session.CallID(fmt.Sprint("c", n))
		put(session.ToolStarted{Head: a, Call: call, Name: "Bash"}, session.ToolStarted{Head: b, Call: call, Name: "Bash"})
		put(session.ToolReady{Head: a, Call: call, Input: []byte("{}")}, session.ToolReady{Head: b, Call: call, Input: []byte("{}")})
		ask := session.AskID(fmt.Sprint("a", n))
		put(nil, session.Asked{Head: b, Ask: ask, Kind: session.AskPermission, Call: call, Permission: &session.PermissionAsk{Tool: "Bash"}})
		put(nil, session.Settled{Head: b, Ask: ask, How: session.SettledAnswered, Answer: session.Answer{Decision: session.Allow}})
		put(session.ToolEnded{Head: a, Call: call, Outcome: session.ToolOK}, session.ToolEnded{Head: b, Call: call, Outcome: session.ToolOK})
		if p.r.IntN(2) == 0 {
			p.late = append(p.late, session.FilesChanged{Head: b, Call: call, Edits: []session.FileEdit{{Path: "/" + string(call)}}})
		}
	case 3:
		q := session.Prompt{ID: session.PromptID(fmt.Sprint("q", n)), Text: "also"}
		put(session.Queued{Head: a, Prompt: q}, session.Queued{Head: b, Prompt: q})
		put(session.Steered{Head: a, Prompt: q.ID}, session.Steered{Head: b, Prompt: q.ID})
	case 4:
		child := session.ChildID(fmt.Sprint("k", n))
		put(session.ChildStarted{Head: a, ID: child, Name: "x", Background: true}, session.ChildStarted{Head: b, ID: child, Name: "x", Background: true})
		if both {
			p.child = child
		}
	case 6:
		if !both { // an agent with transcripts has its tasks there
			return
		}
		list := []session.Todo{{Text: fmt.Sprint("task ", n), State: session.TodoActive}}
		put(session.TodosChanged{Head: a, Todos: list}, session.TodosChanged{Head: b, Todos: list})
	case 5:
		if p.child == "" {
			return
		}
		a.Child, b.Child = p.child, p.child
		part := session.PartID(fmt.Sprint("in", n))
		put(session.PartReplaced{Head: a, Part: part, Text: "child"}, session.PartReplaced{Head: b, Part: part, Text: "child"})
	}
}

// autonomous adds an autonomous turn, which both sides name differently.
func (p *past) autonomous() {
	a, _ := p.tick(session.TurnID(fmt.Sprint("auto-0-", p.n)))
	_, b := p.tick(session.TurnID(fmt.Sprint("auto-1-", p.n)))
	p.truth = append(p.truth, session.TurnStarted{Head: a, Origin: session.OriginAutonomous},
		session.PartReplaced{Head: a, Part: session.PartID(fmt.Sprint("u", p.n)), Text: "by itself"}, session.TurnEnded{Head: a, Outcome: session.TurnCompleted})
	p.journal = append(p.journal, session.TurnStarted{Head: b, Origin: session.OriginAutonomous},
		session.PartReplaced{Head: b, Part: session.PartID(fmt.Sprint("v", p.n)), Text: "by itself"}, session.CreditsReported{Head: b, NanoAIU: 5},
		session.TurnEnded{Head: b, Outcome: session.TurnCompleted})
}
