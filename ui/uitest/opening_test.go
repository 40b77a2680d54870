package uitest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
	"parley/ui"
)

const openedID = "0194a000-0000-7000-8000-000000000710"

// door is a long session that is being opened, and stays so until the test lets it in.
type door struct {
	open   chan struct{} // made within the bubble of the program
	err    error
	called int
	drafts *memoryDrafts
}

// opening is a screen that shows the end of a long session.
func (d *door) opening(width, height int) Config {
	w := sessiontest.NewWorld()
	w.Journals.Put(session.Meta{ID: openedID, Agent: "builtin", Dir: Dir}, longPast(openedID, 3000)...)
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
		o.Opening = &ui.Opening{Meta: p.Meta, Events: p.Events, Load: func(ctx context.Context) (*session.Session, error) {
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

// TestLeaveWhileOpening leaves with ctrl+c twice, also while nothing arrives, and keeps the draft.
func TestLeaveWhileOpening(t *testing.T) {
	d := &door{drafts: &memoryDrafts{}}
	Run(t, d.opening(80, 24), func(p *Program) {
		p.Send("unfinished")
		p.Pass(time.Second)
		p.Keys("enter", "ctrl+c")
		if strings.Contains(p.Text(), "unfinished") {
			t.Errorf("ctrl+c did not clear:\n%s", p.Text())
		}
		p.Send("kept")
		p.Keys("ctrl+c")
		r := p.Left()
		if r.Reason != ui.LeftQuit || r.Session != openedID || !r.Begun {
			t.Errorf("left with %+v", r)
		}
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
