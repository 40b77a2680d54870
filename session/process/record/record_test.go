package record

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"parley/session"
)

var now = time.Date(2026, 11, 23, 6, 0, 0, 0, time.UTC)

// world is a recorder within the turn "now", with calls and children.
type world struct {
	*Recorder
	calls    *Calls[int]
	children *Children[int]
}

func newWorld() world {
	r := New("s", 3)
	r.Begin(session.TurnStarted{}, "now", now)
	r.Take()
	return world{r, NewCalls[int](r), NewChildren[int](r)}
}

// head returns the head of an event.
func head(turn session.TurnID, child session.ChildID) session.Head {
	return session.Head{Session: "s", Gen: 3, Turn: turn, Child: child, At: now}
}

func TestHeads(t *testing.T) {
	w := newWorld()
	w.children.Announce(&Child[int]{Started: session.ChildStarted{ID: "old"}, Turn: "before"}, now)
	w.children.Announce(&Child[int]{Started: session.ChildStarted{ID: "auto"}}, now) // started between turns
	for child, turn := range map[session.ChildID]session.TurnID{"": "now", "old": "before", "auto": "now", "unknown": "now"} {
		if got := w.In(child, now); got != head(turn, child) {
			t.Errorf("in %q: %+v", child, got)
		}
	}
}

func TestEvents(t *testing.T) {
	start := func(w world) *Call[int] { return w.calls.Start("c", "Read", "", "", now) }
	kid := func(w world) *Child[int] {
		k := &Child[int]{Started: session.ChildStarted{ID: "k", Name: "agent"}, Turn: "now"}
		w.children.Announce(k, now)
		return k
	}
	started := session.ToolStarted{Head: head("now", ""), Call: "c", Name: "Read"}
	ended := session.ToolEnded{Head: head("now", ""), Call: "c", Outcome: session.ToolOK}
	end := func(w world) { w.calls.End(session.ToolEnded{Head: w.At(now), Call: "c", Outcome: session.ToolOK}) }
	child := session.ChildStarted{Head: head("now", ""), ID: "k", Name: "agent"}
	for name, tc := range map[string]struct {
		do   func(w world)
		want []session.Event
	}{
		"a turn": {func(w world) { w.Begin(session.TurnStarted{Origin: session.OriginUser}, "next", now) },
			[]session.Event{session.TurnStarted{Head: head("next", ""), Origin: session.OriginUser}}},
		"the end of the process": {func(w world) { w.Turn = ""; w.Exit("cut", "killed", now) },
			[]session.Event{session.RuntimeChanged{Head: head("cut", ""), State: session.RuntimeExited, Detail: "killed"}}},
		"a call, once":      {func(w world) { start(w); start(w) }, []session.Event{started}},
		"a call without id": {func(w world) { w.calls.Start("", "Read", "", "", now) }, nil},
		"its input, once": {func(w world) {
			start(w)
			w.calls.Ready("c", json.RawMessage(`{"a":1}`), now)
			w.calls.Ready("c", nil, now)
		}, []session.Event{started, session.ToolReady{Head: head("now", ""), Call: "c", Input: json.RawMessage(`{"a":1}`)}}},
		"no input": {func(w world) { start(w); w.calls.Ready("c", json.RawMessage(" "), now) },
			[]session.Event{started, session.ToolReady{Head: head("now", ""), Call: "c", Input: json.RawMessage("{}")}}},
		"its end, once":         {func(w world) { start(w); end(w); end(w) }, []session.Event{started, ended}},
		"an unknown call":       {func(w world) { w.calls.Ready("c", nil, now); end(w) }, nil},
		"no input after an end": {func(w world) { start(w); end(w); w.calls.Ready("c", nil, now) }, []session.Event{started, ended}},
		"an end between turns":  {func(w world) { start(w); w.Turn = ""; end(w) }, []session.Event{started, ended}},
		"an end in the next turn": {func(w world) { start(w); w.Turn = "next"; end(w) },
			[]session.Event{started, session.ToolEnded{Head: head("next", ""), Call: "c", Outcome: session.ToolOK}}},
		"the input in the next turn": {func(w world) { start(w); w.Turn = "next"; w.calls.Ready("c", nil, now) },
			[]session.Event{started, session.ToolReady{Head: head("now", ""), Call: "c", Input: json.RawMessage("{}")}}},
		"a child, and its call in the next turn": {func(w world) {
			kid(w)
			w.Turn = "next"
			w.calls.Start("c", "Read", "p", "k", now)
			end(w)
		}, []session.Event{child, session.ToolStarted{Head: head("now", "k"), Call: "c", Name: "Read", Parent: "p"},
			session.ToolEnded{Head: head("now", "k"), Call: "c", Outcome: session.ToolOK}}},
		"the end of a child in the next turn": {func(w world) {
			k := kid(w)
			w.Turn = "next"
			w.children.End(k, session.TurnFailed, "why", now)
		}, []session.Event{child, session.ChildEnded{Head: head("now", ""), ID: "k", Outcome: session.TurnFailed, Summary: "why"}}},
	} {
		w := newWorld()
		if tc.do(w); !reflect.DeepEqual(w.Take(), tc.want) {
			w = newWorld()
			tc.do(w)
			t.Errorf("%s: %+v\nwant %+v", name, w.Take(), tc.want)
		}
	}
}

func TestWhatIsOpen(t *testing.T) {
	w := newWorld()
	for _, id := range []session.CallID{"b", "a", "c"} {
		w.calls.Start(id, "Read", "", "", now)
		w.children.Announce(&Child[int]{Started: session.ChildStarted{ID: session.ChildID(id)}}, now)
	}
	w.calls.End(session.ToolEnded{Call: "c"})
	w.children.End(w.children.Find("c"), session.TurnCompleted, "", now)
	open, work := w.calls.Open(), w.children.AtWork()
	if len(open) != 2 || open[0].ID != "a" || open[1].ID != "b" || len(work) != 2 || work[0].Started.ID != "a" || work[1].Started.ID != "b" {
		t.Errorf("%v %v", open, work)
	}
	if w.calls.Running("c") != nil || w.children.Running("c") != nil || !w.calls.Find("c").Ended || !w.children.Find("c").Ended {
		t.Error("c is over")
	}
	is := func(id session.ChildID) func(*Child[int]) bool {
		return func(k *Child[int]) bool { return k.Started.ID == id }
	}
	if !w.children.Any(is("a")) || w.children.Any(is("c")) {
		t.Error("a is at work, c is over")
	}
}

func TestCause(t *testing.T) {
	for _, tc := range []struct {
		news []string
		want session.TurnStarted
	}{
		{nil, session.TurnStarted{Origin: session.OriginAutonomous}},
		{[]string{"", " a\n"}, session.TurnStarted{Origin: session.OriginAutonomous, Because: "a", Call: "1"}},
		{[]string{"a", "a", "b"}, session.TurnStarted{Origin: session.OriginAutonomous, Because: "a; b", Call: "0"}},
	} {
		var c Cause
		for i, news := range tc.news {
			c.Add(session.CallID(string(rune('0'+i))), news)
		}
		if got := c.Turn(); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%q: %+v", tc.news, got)
		}
	}
}

func TestDied(t *testing.T) {
	for detail, want := range map[string]string{
		"":                            "The X runtime ended in the middle of the turn.",
		"killed: out of memory.\none": "The X runtime ended in the middle of the turn: killed: out of memory.",
	} {
		if p := Died("X", detail); p.What != want || !p.Retry || p.Kind != session.KindRuntime {
			t.Errorf("%q: %+v", detail, p)
		}
	}
}

func TestOutcomes(t *testing.T) {
	for call, want := range map[session.ToolOutcome]session.TurnOutcome{session.ToolOK: session.TurnCompleted, session.ToolFailed: session.TurnFailed,
		session.ToolDenied: session.TurnCancelled, session.ToolCancelled: session.TurnCancelled} {
		if got := OutcomeOf(call); got != want {
			t.Errorf("%s: %s", call, got)
		}
	}
}

func TestUnknown(t *testing.T) {
	r := New("s", 1)
	r.Count("odd")
	r.Count("odd")
	if r.Unknown()["odd"] != 2 {
		t.Error(r.Unknown())
	}
}
