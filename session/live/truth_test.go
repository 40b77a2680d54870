package live_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// The agent's transcript decides, and the journal adds what is nowhere else: what was asked, what it cost, how the turn
// ended, what was streaming when everything died, and what still waits.
func TestTruthAndJournalTogether(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		at := func(turn session.TurnID, s int, gen session.Generation) session.Head {
			return session.Head{Turn: turn, Gen: gen, At: time.Date(2026, 1, 1, 12, 0, s, 0, time.UTC)}
		}
		p := func(id, text string) session.Prompt { return session.Prompt{ID: session.PromptID(id), Text: text} }
		k := &keeping{Agent: w.Agent, events: []session.Event{
			session.TurnStarted{Head: at("t1", 1, 0), Prompt: p("t1", "one"), Origin: session.OriginUser},
			session.ModelChanged{Head: at("t1", 2, 0), Model: "model-as-they-spell-it"},
			session.ToolStarted{Head: at("t1", 2, 0), Call: "c1", Name: "Write"},
			session.ToolReady{Head: at("t1", 2, 0), Call: "c1", Input: []byte("{}")},
			session.ToolEnded{Head: at("t1", 5, 0), Call: "c1", Outcome: session.ToolFailed},
			session.UsageReported{Head: at("t1", 6, 0), Usage: session.Usage{Input: 1}},
			session.TurnEnded{Head: at("t1", 6, 0), Outcome: session.TurnCompleted},
			session.TurnStarted{Head: at("auto-0-1", 7, 0), Origin: session.OriginAutonomous},
			session.TurnEnded{Head: at("auto-0-1", 8, 0), Outcome: session.TurnCompleted},
			session.TurnStarted{Head: at("t3", 20, 0), Prompt: p("t3", "three"), Origin: session.OriginUser},
			session.PartReplaced{Head: at("t3", 21, 0), Part: "theirs", Text: "whole"},
			session.TurnEnded{Head: at("t3", 21, 0), Outcome: session.TurnCancelled},
			session.ContextReported{Head: at("", 21, 0), Used: 70},
		}}
		w.Deps.Agents = []session.Agent{k}
		image := session.Attachment{Kind: session.AttachFile, Path: "/f"}
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project},
			session.ModelChanged{Head: at("", 0, 1), Model: "model"},
			session.TurnStarted{Head: at("t1", 1, 1), Prompt: session.Prompt{ID: "t1", Text: "one", Attachments: []session.Attachment{image}}},
			session.ToolStarted{Head: at("t1", 2, 1), Call: "c1", Name: "Write"},
			session.Asked{Head: at("t1", 3, 1), Ask: "a1", Kind: session.AskPermission, Call: "c1", Permission: &session.PermissionAsk{Tool: "Write"}},
			session.Settled{Head: at("t1", 4, 1), Ask: "a1", How: session.SettledAnswered, Answer: session.Answer{Decision: session.Deny}},
			session.UsageReported{Head: at("t1", 6, 1), Usage: session.Usage{Input: 2}},
			session.CreditsReported{Head: at("t1", 6, 1), NanoAIU: 7},
			session.ContextReported{Head: at("t1", 5, 1), Used: 50, Window: 150},
			session.ContextReported{Head: at("t1", 6, 1), Used: 60, Window: 200},
			session.SessionIDChanged{Head: at("t1", 6, 1), ID: "cleared"},
			session.TurnEnded{Head: at("t1", 6, 1), Outcome: session.TurnLimit, Duration: time.Minute},
			session.TurnStarted{Head: at("auto-1-1", 7, 1), Origin: session.OriginAutonomous},
			session.TurnEnded{Head: at("auto-1-1", 8, 1), Outcome: session.TurnCompleted},
			session.TurnStarted{Head: at("t2", 10, 2), Prompt: p("t2", "never arrived")},
			session.TurnEnded{Head: at("t2", 11, 2), Outcome: session.TurnFailed},
			session.Queued{Head: at("", 12, 2), Prompt: p("t3", "three")},
			session.Unqueued{Head: at("", 19, 2), Prompt: "t3", Sent: true},
			session.Queued{Head: at("", 19, 2), Prompt: p("t4", "waits")},
			session.TurnStarted{Head: at("t3", 20, 2), Prompt: p("t3", "three")},
			session.PartStarted{Head: at("t3", 21, 2), Part: "ours", Kind: session.PartText},
			session.PartDelta{Head: at("t3", 21, 2), Part: "ours", Text: "whole"},
			session.PartEnded{Head: at("t3", 21, 2), Part: "ours"},
			session.PartStarted{Head: at("t3", 22, 2), Part: "flight", Kind: session.PartText},
			session.PartDelta{Head: at("t3", 22, 2), Part: "flight", Text: "in fli"},
		)
		m := w.Manager()
		s, err := m.Resume(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		tr := watch(s).transcript()
		var order []session.TurnID
		for _, turn := range tr.Turns {
			if turn.ID != "" {
				order = append(order, turn.ID)
			}
		}
		if !slices.Equal(order, []session.TurnID{"t1", "auto-0-1", "t2", "t3"}) {
			t.Fatalf("turns %v", order)
		}
		one := tr.Turns[0]
		if one.Outcome != session.TurnLimit || one.Duration != time.Minute || one.Usage.Input != 2 || one.NanoAIU != 7 || len(one.Prompt.Attachments) != 1 {
			t.Errorf("turn 1 is %+v", one)
		}
		if len(one.Entries) != 2 || one.Entries[0].(*session.Tool).Outcome != session.ToolDenied || !one.Entries[1].(*session.Ask).Settled {
			t.Errorf("turn 1 has %+v", one.Entries)
		}
		three := tr.Turns[len(tr.Turns)-1]
		if three.ID != "t3" {
			three = tr.Turns[len(tr.Turns)-2]
		}
		if len(three.Entries) != 2 || three.Entries[0].(*session.Part).Text() != "whole" || three.Entries[1].(*session.Part).Text() != "in fli" {
			t.Errorf("turn 3 has %+v", three.Entries)
		}
		if len(tr.Queue) != 1 || tr.Queue[0].ID != "t4" || s.Settings().Model != "model" {
			t.Errorf("queue %v, settings %+v", tr.Queue, s.Settings())
		}
		if tr.Context != (session.ContextState{Used: 70, Window: 200}) {
			t.Errorf("context %+v", tr.Context)
		}
		if tr.Session != "cleared" {
			t.Errorf("it goes on as %s", tr.Session)
		}
		closeAll(t, m)
	})
}

// What the journal keeps of a turn that the agent began by itself goes to the turn that the transcript has for it, and opens
// none that nothing ends, which would look as if it had been cut off.
func TestWhatAnAutonomousTurnCost(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		at := func(turn session.TurnID, s int) session.Head {
			return session.Head{Turn: turn, At: time.Date(2026, 1, 1, 12, 0, s, 0, time.UTC)}
		}
		first := []session.Event{
			session.TurnStarted{Head: at("t1", 1), Prompt: session.Prompt{ID: "t1", Text: "one"}, Origin: session.OriginUser},
			session.TurnEnded{Head: at("t1", 2), Outcome: session.TurnCompleted},
		}
		w.Deps.Agents = []session.Agent{&keeping{Agent: w.Agent, events: append(first[:2:2],
			session.TurnStarted{Head: at("auto-0-1", 3), Origin: session.OriginAutonomous},
			session.PartReplaced{Head: at("auto-0-1", 5), Part: "p", Text: "By the way."},
			session.TurnEnded{Head: at("auto-0-1", 6), Outcome: session.TurnCompleted},
		)}}
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, append(first[:2:2],
			session.TurnStarted{Head: at("auto-1-1", 3), Origin: session.OriginAutonomous},
			session.CreditsReported{Head: at("auto-1-1", 4), NanoAIU: 7},
			session.ModeChanged{Head: at("auto-1-1", 4), Mode: session.ModePlan},
			session.ModelChanged{Head: at("auto-1-1", 4), Model: "model"},
			session.TitleChanged{Head: at("auto-1-1", 4), Title: "title"},
			session.SessionIDChanged{Head: at("auto-1-1", 4), ID: "s2"},
			session.TurnEnded{Head: at("auto-1-1", 6), Outcome: session.TurnCompleted},
		)...)
		m := w.Manager()
		s := resume(t, m, "s")
		tr := watch(s).transcript()
		if len(tr.Turns) != 2 || tr.Turns[1].ID != "auto-0-1" || tr.Turns[1].Outcome != session.TurnCompleted || tr.Turns[1].NanoAIU != 7 || tr.NanoAIU != 7 {
			t.Errorf("%d in all", tr.NanoAIU)
			for _, turn := range tr.Turns {
				t.Errorf("turn %+v", *turn)
			}
		}
		if s.Settings().Mode != session.ModePlan || tr.Title != "title" {
			t.Errorf("mode %s, title %q", s.Settings().Mode, tr.Title)
		}
		closeAll(t, m)
	})
}

// A transcript breaks off in the middle of a turn that a process left open. Resuming the session ends it and reports that,
// or means that it goes on elsewhere, as without a transcript.
func TestTurnThatIsOpenInTruthAndJournal(t *testing.T) {
	head := session.Head{Turn: "t1", Gen: 1}
	first := session.TurnStarted{Head: head, Prompt: session.Prompt{ID: "t1", Text: "go"}, Origin: session.OriginUser}
	second := session.TurnStarted{Head: session.Head{Turn: "t2", Gen: 1}, Prompt: session.Prompt{ID: "t2", Text: "on"}, Origin: session.OriginUser}
	cut := []session.Event{first, session.PartReplaced{Head: head, Part: "p", Text: "half"}, session.TurnEnded{Head: head, Outcome: session.TurnCancelled}}
	for name, c := range map[string]struct {
		truth, journal []session.Event
		said           int
	}{
		"left open":          {cut, []session.Event{first}, 1},
		"ended":              {cut, []session.Event{first, session.TurnEnded{Head: head, Outcome: session.TurnCancelled}}, 0},
		"went on since":      {append(cut[:3:3], second, session.TurnEnded{Head: second.Head, Outcome: session.TurnCompleted}), []session.Event{first}, 0},
		"ended in the truth": {append(cut[:2:2], session.TurnEnded{Head: head, Outcome: session.TurnCompleted}), []session.Event{first}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, w *sessiontest.World) {
				w.Deps.Agents = []session.Agent{&keeping{Agent: w.Agent, events: c.truth}}
				w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, c.journal...)
				m := w.Manager()
				s := resume(t, m, "s")
				seen := watch(s)
				if got := notices(seen.all(), "parley ended in the middle of this turn"); len(got) != c.said {
					t.Errorf("said %q", got)
				}
				for _, turn := range seen.transcript().Turns {
					if turn.ID != "" && turn.Running() {
						t.Errorf("turn %s is open", turn.ID)
					}
				}
				closeAll(t, m)
			})
		})
	}
}

// An agent that is killed has not written down all it said. What the journal has of that stays, in its order, and what
// the truth has is not doubled.
func TestTruthThatIsCutShort(t *testing.T) {
	head := session.Head{Turn: "t1", Gen: 1}
	whole := []session.Event{
		session.TurnStarted{Head: head, Prompt: session.Prompt{ID: "t1", Text: "edit"}, Origin: session.OriginUser},
		session.PartStarted{Head: head, Part: "p1", Kind: session.PartText},
		session.PartDelta{Head: head, Part: "p1", Text: "Now I change it."},
		session.PartEnded{Head: head, Part: "p1"},
		session.ToolStarted{Head: head, Call: "c1", Name: "Edit"},
		session.ToolReady{Head: head, Call: "c1", Input: []byte("{}")},
		session.Asked{Head: head, Ask: "a1", Kind: session.AskPermission, Call: "c1", Permission: &session.PermissionAsk{Tool: "Edit"}},
		session.Settled{Head: head, Ask: "a1", How: session.SettledAnswered, Answer: session.Answer{Decision: session.Allow}},
		session.ToolEnded{Head: head, Call: "c1", Outcome: session.ToolOK},
		session.PartStarted{Head: head, Part: "p2", Kind: session.PartText},
		session.PartDelta{Head: head, Part: "p2", Text: "The edit is done."},
		session.PartEnded{Head: head, Part: "p2"},
		session.TurnEnded{Head: head, Outcome: session.TurnCompleted},
	}
	theirs := session.Head{Turn: "t1"}
	said := []session.Event{
		session.TurnStarted{Head: theirs, Prompt: session.Prompt{ID: "t1", Text: "edit"}, Origin: session.OriginUser},
		session.PartReplaced{Head: theirs, Part: "uuid1", Kind: session.PartText, Text: "Now I change it."},
		session.ToolStarted{Head: theirs, Call: "c1", Name: "Edit"},
		session.ToolReady{Head: theirs, Call: "c1", Input: []byte("{}")},
		session.ToolEnded{Head: theirs, Call: "c1", Outcome: session.ToolOK},
		session.PartReplaced{Head: theirs, Part: "uuid2", Kind: session.PartText, Text: "The edit is done."},
	}
	for _, n := range []int{1, 2, 4, 5, 6} { // a call and its input are one line
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			cut := append(slices.Clone(said[:n]), session.TurnEnded{Head: theirs, Outcome: session.TurnCancelled})
			w.Deps.Agents = []session.Agent{&keeping{Agent: w.Agent, events: cut}}
			w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, whole...)
			m := w.Manager()
			s, err := m.Resume(t.Context(), "s")
			if err != nil {
				t.Fatal(err)
			}
			turn := watch(s).transcript().Turns[0]
			if turn.Outcome != session.TurnCompleted || len(turn.Entries) != 4 {
				t.Fatalf("cut after %d: %s with %+v", n, turn.Outcome, turn.Entries)
			}
			first, call, last := turn.Entries[0].(*session.Part), turn.Entries[1].(*session.Tool), turn.Entries[3].(*session.Part)
			if first.Text() != "Now I change it." || call.Outcome != session.ToolOK || !turn.Entries[2].(*session.Ask).Settled ||
				last.Text() != "The edit is done." {
				t.Errorf("cut after %d: %+v, %+v, %+v", n, first, call, last)
			}
			closeAll(t, m)
		})
	}
}

// What was streaming in one process is not late output for what the next process reports of the context window.
func TestTruthThatIsCutShortBeforeAnotherProcess(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		prompt := func(turn session.TurnID, gen session.Generation) session.TurnStarted {
			return session.TurnStarted{Head: session.Head{Turn: turn, Gen: gen}, Prompt: session.Prompt{ID: session.PromptID(turn), Text: "go on"}}
		}
		said := []session.Event{prompt("t1", 0), session.TurnEnded{Head: session.Head{Turn: "t1"}, Outcome: session.TurnCancelled},
			prompt("t2", 0), session.TurnEnded{Head: session.Head{Turn: "t2"}, Outcome: session.TurnCancelled}}
		first, second := session.Head{Turn: "t1", Gen: 1}, session.Head{Turn: "t2", Gen: 2}
		w.Deps.Agents = []session.Agent{&keeping{Agent: w.Agent, events: said}}
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, prompt("t1", 1),
			session.PartStarted{Head: first, Part: "p", Kind: session.PartText}, session.PartDelta{Head: first, Part: "p", Text: "Slowly it begins"},
			prompt("t2", 2), session.ContextReported{Head: second, Used: 5, Window: 10})
		m := w.Manager()
		tr := watch(resume(t, m, "s")).transcript()
		if e := tr.Turns[0].Entries; len(e) == 0 || e[0].(*session.Part).Text() != "Slowly it begins" {
			t.Errorf("the words of the first process are lost: %+v", e)
		}
		if tr.Context.Window != 10 {
			t.Errorf("context window %d", tr.Context.Window)
		}
		closeAll(t, m)
	})
}

// A transcript does not always tell a call that a hook has blocked from one that failed; the journal does.
func TestJournalKnowsWhatAHookBlocked(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		at := func(s int, gen session.Generation) session.Head {
			return session.Head{Turn: "t", Gen: gen, At: time.Date(2026, 1, 1, 12, 0, s, 0, time.UTC)}
		}
		said := session.ToolResult{Text: "Not so.", Summary: session.BlockedByHook}
		events := func(gen session.Generation, end session.ToolEnded) []session.Event {
			end.Head, end.Call = at(3, gen), "c"
			return []session.Event{session.TurnStarted{Head: at(1, gen), Prompt: session.Prompt{ID: "t", Text: "one"}},
				session.ToolStarted{Head: at(2, gen), Call: "c", Name: "Bash"}, session.ToolReady{Head: at(2, gen), Call: "c", Input: []byte("{}")},
				end, session.TurnEnded{Head: at(4, gen), Outcome: session.TurnCompleted}}
		}
		w.Deps.Agents = []session.Agent{&keeping{Agent: w.Agent, events: events(0, session.ToolEnded{Outcome: session.ToolFailed, Result: session.ToolResult{Text: "Not so."}})}}
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, events(1, session.ToolEnded{Outcome: session.ToolDenied, Result: said})...)
		m := w.Manager()
		for _, e := range watch(resume(t, m, "s")).transcript().Turns[0].Entries {
			if tool, ok := e.(*session.Tool); ok && (tool.Outcome != session.ToolDenied || !reflect.DeepEqual(tool.Result, said)) {
				t.Errorf("%s %+v", tool.Outcome, tool.Result)
			}
		}
		closeAll(t, m)
	})
}

// What a command in the background wrote is in the journal alone.
func TestJournalKnowsBackgroundOutput(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		at := func(s int, gen session.Generation) session.Head {
			return session.Head{Turn: "t", Gen: gen, At: time.Date(2026, 1, 1, 12, 0, s, 0, time.UTC)}
		}
		events := func(gen session.Generation, output string) []session.Event {
			return []session.Event{session.TurnStarted{Head: at(1, gen), Prompt: session.Prompt{ID: "t", Text: "one"}},
				session.ToolStarted{Head: at(2, gen), Call: "c", Name: "Bash"}, session.ToolReady{Head: at(2, gen), Call: "c", Input: []byte("{}")},
				session.ToolEnded{Head: at(3, gen), Call: "c", Outcome: session.ToolOK, Result: session.ToolResult{Text: "begun", Background: true}},
				session.TurnEnded{Head: at(4, gen), Outcome: session.TurnCompleted},
				session.ToolEnded{Head: at(9, gen), Call: "c", Outcome: session.ToolFailed, Result: session.ToolResult{Text: output}}}
		}
		w.Deps.Agents = []session.Agent{&keeping{Agent: w.Agent, events: events(0, "")}}
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, events(1, "late")...)
		m := w.Manager()
		for _, e := range watch(resume(t, m, "s")).transcript().Turns[0].Entries {
			if tool, ok := e.(*session.Tool); ok && (tool.Outcome != session.ToolFailed || tool.Result.Text != "late" || tool.Result.Background) {
				t.Errorf("%s %+v", tool.Outcome, tool.Result)
			}
		}
		closeAll(t, m)
	})
}
