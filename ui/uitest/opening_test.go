package uitest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
	"parley/ui/core"
)

const openedID = "0194a000-0000-7000-8000-000000000710"

// door is a long session that is being opened, and stays so until the test lets it in.
type door struct {
	open   chan struct{} // made within the bubble of the program
	err    error
	called int
	drafts *memoryDrafts
	past   []session.Event // nil: as many paragraphs as it takes
}

// opening is a screen that shows the end of a long session.
func (d *door) opening(width, height int) Config {
	w := sessiontest.NewWorld()
	if d.past == nil {
		d.past = longPast(openedID, 3000)
	}
	w.Journals.Put(session.Meta{ID: openedID, Agent: "builtin", Dir: Dir}, d.past...)
	return Config{Width: width, Height: height, World: w, Options: func(o *ui.Options) {
		d.open = make(chan struct{})
		p, ok := o.Manager.Preview(context.Background(), openedID)
		if !ok {
			panic("there is no preview of the session")
		}
		if d.drafts != nil {
			o.Drafts = d.drafts
		}
		manager := o.Manager
		o.Opening = &core.Opening{Meta: p.Meta, Settings: p.Settings, Events: p.Events, Load: func(ctx context.Context) (*live.Session, error) {
			d.called++
			select {
			case <-d.open:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			if d.err != nil {
				return nil, d.err
			}
			return manager.Resume(ctx, openedID)
		}}
	}}
}

// loading is what the status line says meanwhile.
const loading = "loading the session…"

// TestEndOfALongSessionIsShown shows the end at once, and nothing of it moves when all of the session has arrived.
func TestEndOfALongSessionIsShown(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {40, 12}, {200, 120}} {
		d := &door{}
		Run(t, d.opening(size[0], size[1]), func(p *Program) {
			if size[0] < 200 {
				p.Golden(fmt.Sprintf("opening-%dx%d", size[0], size[1]))
			}
			before := p.Rows()
			if !strings.Contains(p.Text(), loading) {
				t.Errorf("it does not say that it is loading:\n%s", p.Text())
			}
			close(d.open)
			p.Settle()
			after := p.Rows()
			for i := range before {
				if before[i] != after[i] && !strings.Contains(before[i], loading) {
					p.T.Errorf("%v: row %d was %q and is %q", size, i, before[i], after[i])
				}
			}
			if strings.Contains(p.Text(), loading) || !strings.Contains(p.Text(), "Paragraph number 3000") {
				t.Errorf("it has not arrived:\n%s", p.Text())
			}
			p.Keys("ctrl+home")
			p.Settle()
			if !strings.Contains(p.Text(), "Paragraph number 1\n") {
				t.Errorf("the beginning is not there:\n%s", p.Text())
			}
			if d.called != 1 {
				t.Errorf("loaded %d times", d.called)
			}
		})
	}
}

// variedPast is a session of so many turns in which all kinds of things happen. How many decides what the last of them are.
func variedPast(turns int) []session.Event {
	var out []session.Event
	at := time.Date(1999, 12, 1, 0, 0, 0, 0, time.UTC)
	for i := range turns {
		at = at.Add(time.Minute)
		h := session.Head{Session: openedID, Turn: session.TurnID(fmt.Sprintf("t%d", i)), Gen: 1, At: at}
		between := h
		between.Turn = ""
		id := fmt.Sprint(i)
		put := func(e ...session.Event) { out = append(out, e...) }
		if i%11 == 0 {
			put(session.ModelChanged{Head: between, Model: fmt.Sprint("model-", i/11%3), Effort: "high"})
		}
		if i%13 == 0 {
			put(session.ModeChanged{Head: between, Mode: []session.Mode{session.ModePlan, session.ModeDefault, session.ModeAcceptEdits}[i/13%3]})
		}
		put(session.TurnStarted{Head: h, Prompt: session.Prompt{ID: session.PromptID(id), Text: "prompt " + id}, Origin: session.OriginUser})
		if i%3 == 0 {
			part := session.PartID("r" + id)
			put(session.PartStarted{Head: h, Part: part, Kind: session.PartReasoning}, session.PartDelta{Head: h, Part: part, Text: "a thought\nand another"},
				session.PartEnded{Head: h, Part: part, Duration: time.Second})
		}
		for c := range i % 4 {
			call := session.CallID(fmt.Sprint("c", i, "-", c))
			put(session.ToolStarted{Head: h, Call: call, Name: "Bash"}, session.ToolReady{Head: h, Call: call, Input: []byte(`{"command":"ls"}`)})
			if c == 1 {
				put(session.Asked{Head: h, Ask: session.AskID("a" + id), Kind: session.AskPermission, Call: call, Permission: &session.PermissionAsk{Tool: "Bash", Command: "ls"}},
					session.Settled{Head: h, Ask: session.AskID("a" + id), How: session.SettledAnswered, Answer: session.Answer{Decision: session.Deny}})
			}
			put(session.ToolEnded{Head: h, Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Text: "one\ntwo\nthree"}, Duration: time.Second})
		}
		if i%5 == 0 {
			q := session.Prompt{ID: session.PromptID("q" + id), Text: "also this"}
			put(session.Queued{Head: between, Prompt: q}, session.Steered{Head: h, Prompt: q.ID})
		}
		if i%7 == 0 {
			put(session.Notice{Head: between, Severity: session.Warning, Text: "something to note"})
		}
		if i%17 == 0 {
			put(session.TodosChanged{Head: h, Todos: []session.Todo{{Text: "do it", State: session.TodoDone}}})
		}
		part := session.PartID("p" + id)
		put(session.PartStarted{Head: h, Part: part, Kind: session.PartText}, session.PartDelta{Head: h, Part: part, Text: "Paragraph number " + id + "\n\n- a\n- b"},
			session.PartEnded{Head: h, Part: part}, session.UsageReported{Head: h, Usage: session.Usage{Input: 10, Output: 5}},
			session.ContextReported{Head: h, Used: int64(1000 + i), Window: 200_000}, session.CreditsReported{Head: h, NanoAIU: 10})
		ended := session.TurnEnded{Head: h, Outcome: session.TurnCompleted, Duration: 20 * time.Second}
		if i%6 == 0 {
			ended.Outcome, ended.Problem = session.TurnFailed, &session.Problem{Kind: session.KindNetwork, What: "No route.", Next: "Try again."}
		}
		put(ended)
	}
	return out
}

// TestNothingMovesWhenItArrives shows all kinds of ends the same before and after the session has arrived.
func TestNothingMovesWhenItArrives(t *testing.T) {
	turns := repeat.Times(500, 500, 3000) // more than a megabyte, from which a session is long
	for shift := 14; shift >= 0; shift -= repeat.Times(7, 4, 1) {
		d := &door{past: variedPast(turns + shift)}
		if shift == 14 { // a task from long ago that was never done
			d.past = append([]session.Event{session.TodosChanged{Todos: []session.Todo{{Text: "do it", State: session.TodoActive}}}},
				longPast(openedID, 3000)...)
		}
		Run(t, d.opening(100, 60), func(p *Program) {
			before := p.Rows()
			if shift == 14 && !strings.Contains(p.Text(), "0/1 do it") {
				t.Errorf("the task is not there:\n%s", p.Text())
			}
			close(d.open)
			p.Settle()
			for i, row := range p.Rows() {
				if row != before[i] && !strings.Contains(before[i], loading) {
					t.Errorf("%d: row %d was %q and is %q", shift, i, before[i], row)
				}
			}
			if strings.Contains(p.Text(), loading) {
				t.Errorf("it has not arrived:\n%s", p.Text())
			}
		})
	}
}

// TestWrittenWhileOpening keeps what is written and where the cursor stands, and does the rest in order once the session
// is there.
func TestWrittenWhileOpening(t *testing.T) {
	d := &door{}
	Run(t, d.opening(80, 24), func(p *Program) {
		p.Send("hello wrld")
		if !strings.Contains(p.Text(), "> hello wrld") {
			t.Fatalf("what is written is not shown:\n%s", p.Text())
		}
		p.Keys("left", "left", "left")
		p.Send("o")
		p.Keys("enter")
		p.Send("and then")
		p.Wheel(-3)
		if p.Agent.Pending() != 0 || strings.Contains(p.Text(), "and then") {
			t.Fatalf("a key did not wait:\n%s", p.Text())
		}
		close(d.open)
		p.Settle()
		turn := p.Turn()
		if turn.Prompt.Text != "hello world" {
			t.Errorf("it was sent %q", turn.Prompt.Text)
		}
		if !strings.Contains(p.Text(), "> and then") {
			t.Errorf("what was written last is not there:\n%s", p.Text())
		}
		turn.Text("fine")
		turn.End(session.TurnCompleted)
		p.Settle()
		if p.Session.ID() == openedID || p.Manager == nil {
			t.Error("the stand-in is the session")
		}
	})
}

// TestLeaveWhileOpening leaves with ctrl+c twice, also while nothing arrives, and keeps the draft when it is ended.
func TestLeaveWhileOpening(t *testing.T) {
	d := &door{drafts: &memoryDrafts{}}
	Run(t, d.opening(80, 24), func(p *Program) {
		p.Send("unfinished")
		p.Pass(time.Second)
		p.Keys("enter", "ctrl+c")
		if strings.Contains(p.Text(), "unfinished") {
			t.Errorf("ctrl+c did not clear:\n%s", p.Text())
		}
		p.Keys("ctrl+c")
		r := p.Left()
		if r.Reason != core.LeftQuit || r.Session != openedID || !r.Begun {
			t.Errorf("left with %+v", r)
		}
	})
	Run(t, d.opening(80, 24), func(p *Program) {
		p.Send("kept")
		p.Signals <- syscall.SIGTERM
		p.Left()
	})
	if got := d.drafts.get("session:" + openedID); !strings.Contains(got, `"kept"`) {
		t.Errorf("the draft is %q", got)
	}
}

// TestOpeningFails ends with the error of loading, as without a preview, and gives the terminal back.
func TestOpeningFails(t *testing.T) {
	d := &door{err: errors.New("the disk is on fire")}
	c := d.opening(80, 24)
	var got error
	c.Failed = func(err error) { got = err }
	Run(t, c, func(p *Program) {
		p.Send("kept")
		close(d.open)
		p.Left()
	})
	if !errors.Is(got, d.err) {
		t.Errorf("it ended with %v", got)
	}
}

// TestResizeWhileOpening shows the end in a window of another size, at once and when the session is there.
func TestResizeWhileOpening(t *testing.T) {
	d := &door{}
	Run(t, d.opening(80, 24), func(p *Program) {
		p.Resize(60, 18)
		p.Settle()
		before := p.Rows()
		if !strings.Contains(p.Text(), "Paragraph number 3000") {
			t.Fatalf("the end is not there:\n%s", p.Text())
		}
		close(d.open)
		p.Settle()
		for i, row := range p.Rows() {
			if row != before[i] && !strings.Contains(before[i], loading) {
				t.Errorf("row %d was %q and is %q", i, before[i], row)
			}
		}
	})
}

// slowJournals are journals whose reading takes until the test lets it end.
type slowJournals struct {
	*sessiontest.MemoryJournals
	open chan struct{}
	err  error
}

// Read waits.
func (j *slowJournals) Read(ctx context.Context, id session.ID) (session.Meta, []session.Event, error) {
	select {
	case <-j.open:
	case <-ctx.Done():
		return session.Meta{}, nil, ctx.Err()
	}
	if j.err != nil {
		return session.Meta{}, nil, j.err
	}
	return j.MemoryJournals.Read(ctx, id)
}

// choosing is a screen from whose list a long session can be chosen.
func choosing(j *slowJournals, drafts *memoryDrafts) Config {
	w := sessiontest.NewWorld()
	w.Journals.Put(session.Meta{ID: openedID, Agent: "builtin", Dir: Dir}, longPast(openedID, 3000)...)
	j.MemoryJournals, w.Deps.Journals = w.Journals, j
	return Config{World: w, Options: func(o *ui.Options) {
		j.open = make(chan struct{})
		o.Drafts = drafts
	}}
}

// TestChosenLongSession shows the end of a session chosen from the list at once, in the list and in the chat.
func TestChosenLongSession(t *testing.T) {
	j, drafts := &slowJournals{}, &memoryDrafts{}
	Run(t, choosing(j, drafts), func(p *Program) {
		p.Type("/resume")
		p.Pass(time.Second)
		if !strings.Contains(p.Text(), "Paragraph number 3000") {
			t.Errorf("the list does not show the end:\n%s", p.Text())
		}
		p.Keys("enter")
		p.Settle()
		before := p.Rows()
		if !strings.Contains(p.Text(), "Paragraph number 3000") || !strings.Contains(p.Text(), loading) {
			t.Fatalf("the end is not shown:\n%s", p.Text())
		}
		p.Send("on it goes")
		close(j.open)
		p.Settle()
		if !strings.Contains(p.Text(), "> on it goes") {
			t.Errorf("what was written is not there:\n%s", p.Text())
		}
		for i, row := range p.Rows() {
			if row != before[i] && !strings.Contains(before[i], loading) && !strings.Contains(row, "on it goes") {
				t.Errorf("row %d was %q and is %q", i, before[i], row)
			}
		}
		p.Keys("enter")
		turn := p.Turn()
		turn.Text("done")
		turn.End(session.TurnCompleted)
		p.Settle()
		if got := len(p.World.Journals.Stored(openedID)); got < 15_003 {
			t.Errorf("the turn went elsewhere: %d events", got)
		}
	})
}

// TestChosenSessionCannotBeLoaded goes back to where one was, with what was written there and here.
func TestChosenSessionCannotBeLoaded(t *testing.T) {
	j, drafts := &slowJournals{err: errors.New("the disk is on fire")}, &memoryDrafts{}
	Run(t, choosing(j, drafts), func(p *Program) {
		turn := func(text string) {
			p.Type(text)
			turn := p.Turn()
			turn.Text("an answer")
			turn.End(session.TurnCompleted)
			p.Settle()
		}
		turn("first of all")
		p.Type("/resume")
		p.Pass(time.Second)
		p.Keys("down", "enter")
		p.Settle()
		if !strings.Contains(p.Text(), loading) {
			t.Fatalf("it is not being loaded:\n%s", p.Text())
		}
		p.Send("for that one")
		p.Keys("enter")
		close(j.open)
		p.Settle()
		for _, want := range []string{"> first of all", "an answer", "on fire"} {
			if !strings.Contains(p.Text(), want) {
				t.Errorf("%q is not there:\n%s", want, p.Text())
			}
		}
		if strings.Contains(p.Text(), "for that one") || strings.Contains(p.Text(), "Paragraph") {
			t.Errorf("something of the other is still there:\n%s", p.Text())
		}
		turn("and on")
		if got := drafts.get("session:" + openedID); !strings.Contains(got, `"for that one"`) {
			t.Errorf("what was written there is %q", got)
		}
	})
}
