package session

import (
	"strings"
	"testing"
	"time"
)

// applied folds events, each examined.
func applied(t *testing.T, events ...Event) *Transcript {
	t.Helper()
	c := newChecked(t)
	for _, e := range events {
		c.apply(e)
	}
	return &c.t
}

func in(turn TurnID) Head { return Head{Turn: turn} }

func TestPartEpochs(t *testing.T) {
	tr := applied(t, TurnStarted{Head: in("t")}, PartStarted{in("t"), "p", PartText}, PartDelta{Head: in("t"), Part: "p", Text: "hel"})
	p := tr.Turns[0].Entries[0].(*Part)
	for _, step := range []struct {
		e     Event
		text  string
		epoch uint64
	}{
		{PartDelta{Head: in("t"), Part: "p", Text: "lo"}, "hello", 0},
		{PartReplaced{Head: in("t"), Part: "p", Text: "hello world"}, "hello world", 0}, // goes on where the stream stopped
		{PartReplaced{Head: in("t"), Part: "p", Text: "bye"}, "bye", 1},
		{PartDelta{Head: in("t"), Part: "p", Text: "late"}, "bye", 1},
		{PartRetracted{in("t"), "p"}, "", 2},
		{PartDelta{Head: in("t"), Part: "p", Text: "late"}, "", 2},
		{PartReplaced{Head: in("t"), Part: "p", Text: "late"}, "", 2},
	} {
		tr.Apply(step.e)
		if p.Text() != step.text || p.Epoch != step.epoch {
			t.Errorf("%+v: %q in epoch %d", step.e, p.Text(), p.Epoch)
		}
	}
}

func TestPartAfterItsEnd(t *testing.T) {
	tr := applied(t, TurnStarted{Head: in("t")}, PartDelta{Head: in("t"), Part: "p", Text: "a"}, PartEnded{Head: in("t"), Part: "p", Duration: 5},
		PartEnded{Head: in("t"), Part: "p", Duration: 7}, PartDelta{Head: in("t"), Part: "p", Text: "b"}, TurnEnded{Head: in("t")}, PartDelta{Head: in("t"), Part: "q", Text: "c"})
	p, q := tr.Turns[0].Entries[0].(*Part), tr.Turns[0].Entries[1].(*Part)
	if p.Text() != "ab" || p.Epoch != 1 || p.Duration != 5 || q.Text() != "c" || len(tr.Turns) != 1 {
		t.Errorf("%q in epoch %d, %v; %q", p.Text(), p.Epoch, p.Duration, q.Text())
	}
}

// An id that an agent uses again in a later turn is a new part or call.
func TestReusedIDs(t *testing.T) {
	tr := applied(t,
		TurnStarted{Head: in("1")}, PartStarted{in("1"), "p", PartText}, PartDelta{Head: in("1"), Part: "p", Text: "one"}, ToolStarted{Head: in("1"), Call: "c", Name: "A"},
		ToolEnded{Head: in("1"), Call: "c", Outcome: ToolOK}, TurnEnded{Head: in("1")},
		TurnStarted{Head: in("2")}, PartStarted{in("2"), "p", PartText}, PartDelta{Head: in("2"), Part: "p", Text: "two"}, ToolStarted{Head: in("2"), Call: "c", Name: "B"},
		ToolEnded{Head: in("2"), Call: "c", Outcome: ToolFailed})
	for i, want := range []string{"one", "two"} {
		e := tr.Turns[i].Entries
		if e[0].(*Part).Text() != want || !e[1].(*Tool).Ended {
			t.Errorf("turn %d: %q", i, e[0].(*Part).Text())
		}
	}
}

// The end of a turn closes what was open in it, as far as the outcome says so.
func TestTurnEndClosesWhatWasOpen(t *testing.T) {
	for outcome, want := range map[TurnOutcome]struct{ tool, child, background bool }{
		TurnCompleted: {}, TurnCancelled: {tool: true, child: true}, TurnFailed: {tool: true, child: true}, TurnLimit: {}, TurnRefused: {},
	} {
		inChild := Head{Turn: "t", Child: "k"}
		tr := applied(t, TurnStarted{Head: in("t")}, PartDelta{Head: in("t"), Part: "p", Text: "x"}, ToolStarted{Head: in("t"), Call: "c"},
			ChildStarted{Head: in("t"), ID: "k"}, ToolStarted{Head: inChild, Call: "inner"}, ChildStarted{Head: in("t"), ID: "b", Background: true},
			Asked{Head: in("t"), Ask: "a"}, TurnEnded{Head: in("t"), Outcome: outcome})
		e := tr.Turns[0].Entries
		part, tool, child, background := e[0].(*Part), e[1].(*Tool), e[2].(*Child), e[3].(*Child)
		inner := child.Entries[0].(*Tool)
		if !part.Ended || tool.Ended != want.tool || inner.Ended != want.child || child.Ended != want.child || background.Ended || len(tr.Asks) != 1 {
			t.Errorf("%s: part %v tool %v inner %v child %v background %v", outcome, part.Ended, tool.Ended, inner.Ended, child.Ended, background.Ended)
		}
		// The real end still counts.
		tr.Apply(ToolEnded{Head: in("t"), Call: "inner", Outcome: ToolOK, Result: ToolResult{Text: "late"}})
		tr.Apply(ToolEnded{Head: in("t"), Call: "inner", Outcome: ToolFailed})
		if inner.Outcome != ToolOK || inner.Result.Text != "late" {
			t.Errorf("%s: late result: %+v", outcome, inner)
		}
	}
}

// A child may turn out to work in the background after it was announced. From then on the end of its turn leaves it alone.
func TestChildGoesToTheBackground(t *testing.T) {
	tr := applied(t, TurnStarted{Head: in("t")}, ChildStarted{Head: in("t"), ID: "k", Name: "explore"})
	child := tr.Turns[0].Entries[0].(*Child)
	before := child.Rev()
	if ch := tr.Apply(ChildStarted{Head: in("t"), ID: "k", Name: "other"}); ch != nothing || child.Rev() != before {
		t.Errorf("announced again without news: %+v", ch)
	}
	ch := tr.Apply(ChildStarted{Head: in("t"), ID: "k", Name: "other", Background: true})
	if !child.Background || child.Name != "explore" || child.Rev() == before || ch.Turn != 0 || ch.Entry != 0 {
		t.Errorf("%+v, %+v", child, ch)
	}
	tr.Apply(TurnEnded{Head: in("t"), Outcome: TurnCancelled})
	if child.Ended {
		t.Error("it ended with the turn")
	}
}

func TestNestedChildrenCarryRevisionsOutwards(t *testing.T) {
	k1, k2 := Head{Turn: "t", Child: "k1"}, Head{Turn: "t", Child: "k2"}
	tr := applied(t, TurnStarted{Head: in("t")}, Notice{Head: in("t")}, ChildStarted{Head: in("t"), ID: "k1"}, ChildStarted{Head: k1, ID: "k2"},
		PartStarted{k2, "p", PartText})
	outer := tr.Turns[0].Entries[1].(*Child)
	before := outer.Rev()
	ch := tr.Apply(PartDelta{Head: Head{Turn: "later", Child: "k2"}, Part: "p", Text: "x"})
	if outer.Rev() == before || ch.Turn != 0 || ch.Entry != 1 || len(tr.Turns) != 1 {
		t.Errorf("revision %d to %d, %+v", before, outer.Rev(), ch)
	}
	inner := outer.Entries[0].(*Child)
	if inner.Parent != "k1" || inner.Entries[0].(*Part).Text() != "x" {
		t.Errorf("inner %+v", inner)
	}
	// What an unknown child does announces it.
	tr.Apply(ToolStarted{Head: Head{Turn: "t", Child: "new"}, Call: "c"})
	if c := tr.Turns[0].Entries[2].(*Child); c.ID != "new" || len(c.Entries) != 1 {
		t.Errorf("unknown child %+v", c)
	}
	// A child cannot hold itself.
	tr.Apply(ChildStarted{Head: Head{Turn: "t", Child: "self"}, ID: "self"})
	if c := tr.Turns[0].Entries[3].(*Child); c.ID != "self" || c.Parent != "" {
		t.Errorf("self %+v", c)
	}
}

func TestWhatBelongsToNoTurn(t *testing.T) {
	tr := applied(t, Notice{Text: "before"}, Notice{Text: "before too"}, TurnStarted{Head: in("1")}, Notice{Text: "during"},
		TurnEnded{Head: in("1")}, Notice{Text: "after"}, TurnStarted{Head: in("2")}, Notice{Head: in("1"), Text: "about 1"})
	var got []string
	for _, turn := range tr.Turns {
		line := string(turn.ID) + ":"
		for _, e := range turn.Entries {
			line += " " + e.(*Mark).Event.(Notice).Text
		}
		got = append(got, line)
	}
	if s := strings.Join(got, "; "); s != ": before before too; 1: during about 1; : after; 2:" {
		t.Error(s)
	}
}

func TestQueueAndSteering(t *testing.T) {
	a, b, c := Prompt{ID: "a", Text: "A"}, Prompt{ID: "b", Text: "B"}, Prompt{ID: "c", Text: "C"}
	tr := applied(t, TurnStarted{Head: in("t")}, Queued{Prompt: a}, Queued{Prompt: b}, Queued{Prompt: b}, Queued{Prompt: c},
		Steered{Head: in("t"), Prompt: "b"}, Steered{Head: in("t"), Prompt: "b"}, Unqueued{Prompt: "none"}, TurnStarted{Head: in("c"), Prompt: c})
	if len(tr.Queue) != 1 || tr.Queue[0].ID != "a" || len(tr.Turns[0].Entries) != 1 {
		t.Fatalf("queue %+v, entries %v", tr.Queue, tr.Turns[0].Entries)
	}
	if m := tr.Turns[0].Entries[0].(*Mark); m.Prompt == nil || m.Prompt.Text != "B" {
		t.Errorf("mark %+v", m)
	}
}

func TestQueueIsReordered(t *testing.T) {
	a, b, c := Prompt{ID: "a"}, Prompt{ID: "b"}, Prompt{ID: "c"}
	begin := []Event{Queued{Prompt: a}, Queued{Prompt: b}, Queued{Prompt: c}}
	for _, tt := range []struct {
		prompt, before PromptID
		want           string
		changed        bool
	}{
		{"c", "a", "cab", true}, {"a", "", "bca", true}, {"a", "c", "bac", true}, {"b", "b", "abc", false}, {"a", "b", "abc", false},
		{"c", "", "abc", false}, {"none", "a", "abc", false}, {"a", "none", "bca", true},
	} {
		tr := applied(t, begin...)
		ch := tr.Apply(Requeued{Prompt: tt.prompt, Before: tt.before})
		got := ""
		for _, p := range tr.Queue {
			got += string(p.ID)
		}
		if got != tt.want || ch.Meta != tt.changed {
			t.Errorf("%s before %q: %s, %+v", tt.prompt, tt.before, got, ch)
		}
	}
}

func TestCountsAndStates(t *testing.T) {
	tr := applied(t, ModelChanged{Model: "opus"}, ModeChanged{Mode: ModeDefault}, TurnStarted{Head: in("1")},
		UsageReported{Head: in("1"), Usage: Usage{Input: 1, Output: 2}, Model: "opus"}, UsageReported{Head: in("1"), Usage: Usage{Input: 10}},
		CreditsReported{in("1"), 7}, ContextReported{in("1"), 5, 100}, RetryScheduled{Head: in("1"), Attempt: 2},
		LimitReported{in("1"), Quota{Name: "x", Percent: 9}}, LimitReported{in("1"), Quota{Name: "x", Percent: 8}}, TitleChanged{Title: "T"},
		TodosChanged{Todos: []Todo{{Text: "do"}}}, ModelChanged{Model: "opus"}, ModelChanged{Model: "haiku"}, RuntimeChanged{State: RuntimeReady},
		RuntimeChanged{State: RuntimeExited, Detail: "killed"}, SessionIDChanged{ID: "other"})
	turn := tr.Turns[0]
	if tr.Usage != (Usage{Input: 11, Output: 2}) || turn.Usage != tr.Usage || tr.NanoAIU != 7 || turn.NanoAIU != 7 || turn.Model != "opus" ||
		tr.Context != (ContextState{5, 100}) || len(tr.Quotas) != 1 || tr.Quotas[0].Percent != 8 || tr.Title != "T" || len(tr.Todos) != 1 ||
		tr.Runtime != RuntimeExited || tr.Session != "other" || tr.Settings != (Settings{Model: "haiku", Mode: ModeDefault}) {
		t.Errorf("%+v\n%+v", tr, turn)
	}
	// The settings it began with are no news, the changes are.
	if len(turn.Entries) != 2 || turn.Retry == nil {
		t.Errorf("entries %v", turn.Entries)
	}
	if tr.Apply(PartDelta{Head: in("1"), Part: "p", Text: "x"}); turn.Retry != nil {
		t.Error("the retry is still announced while text comes")
	}
}

func TestGenerations(t *testing.T) {
	tr := applied(t, TurnStarted{Head: Head{Turn: "t", Gen: 2}}, PartDelta{Head: Head{Turn: "t", Gen: 1}, Part: "p", Text: "old"}, PartDelta{Head: Head{Turn: "t"}, Part: "p", Text: "any"},
		RuntimeChanged{Head: Head{Gen: 3}, State: RuntimeStarting}, PartDelta{Head: Head{Turn: "t", Gen: 2}, Part: "p", Text: "old"}, PartDelta{Head: Head{Turn: "t", Gen: 3}, Part: "p", Text: " new"})
	if p := tr.Turns[0].Entries[0].(*Part); p.Text() != "any new" || tr.Gen != 3 {
		t.Errorf("%q in generation %d", p.Text(), tr.Gen)
	}
}

// A delta costs the same however long the transcript is: it allocates nothing but the growing text.
func TestDeltaCostsLittle(t *testing.T) {
	var tr Transcript
	for i := range 2000 {
		turn := in(TurnID(strings.Repeat("t", i%7+1) + time.Duration(i).String()))
		tr.Apply(TurnStarted{Head: turn})
		tr.Apply(PartDelta{Head: turn, Part: PartID(turn.Turn), Text: "text"})
		tr.Apply(TurnEnded{Head: turn})
	}
	var delta Event = PartDelta{Head: in("last"), Part: "last", Text: "0123456789"}
	tr.Apply(delta)
	if n := testing.AllocsPerRun(20000, func() { tr.Apply(delta) }); n > 0 {
		t.Errorf("%v allocations for each delta", n)
	}
}

// A question that another transcript brings late stands among the asks of its turn where its time is.
func TestAsksOfATurnAreInTheOrderOfTheirTimes(t *testing.T) {
	ask := func(id AskID, second int64) Event {
		return Asked{Head: Head{Turn: "t", At: time.Unix(second, 0)}, Ask: id}
	}
	turn := Fold([]Event{TurnStarted{Head: in("t")}, ask("b", 2), ask("c", 3), ask("a", 1)}).Turns[0]
	var got AskID
	for _, a := range turn.Asks {
		got += a.Ask
	}
	if got != "abc" {
		t.Error(got)
	}
}
