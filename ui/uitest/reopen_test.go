package uitest

import (
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
	"parley/ui/core"
)

// The sessions that were open when parley was killed are offered at the next start in their directory, and opened or left with one key.
// Leaving parley with nothing to do offers nothing.
func TestReopen(t *testing.T) {
	drafts := &memoryDrafts{}
	with := func(o *ui.Options) { o.Drafts = drafts }
	open := func() string { return strings.ReplaceAll(drafts.get("open:"+Dir), "\n", " ") }
	c := Config{Width: 100, Height: 30, Options: with}
	Run(t, c, func(p *Program) {
		c.World = p.World
		p.Type("mend the retries")
		p.Turn().Text("I begin.")
		p.Settle()
		p.Type("/new")
		p.Settle()
		p.Type("write the docs")
		second := p.Turn()
		second.Text("The docs.")
		second.End(session.TurnCompleted)
		p.Send("half a thought")
		p.Pass(time.Second)
		if len(strings.Fields(open())) != 2 {
			t.Fatalf("open are %q", open())
		}
	})
	was := open()
	c.World = c.World.AfterCrash()
	Run(t, c, func(p *Program) {
		p.Pass(time.Second)
		if !p.Has("2 sessions were open here: enter opens them, esc leaves them") {
			t.Fatalf("nothing is offered:\n%s", p.Text())
		}
		p.Golden("reopen-offered")
		p.Keys("enter")
		p.Pass(time.Second)
		p.Golden("reopen-opened")
		if !p.Has("The docs.") || !p.Has("half a thought") || !p.Has("2 mend the retries") {
			t.Errorf("not what was open:\n%s", p.Text())
		}
		if open() != was {
			t.Errorf("open are %q, were %q", open(), was)
		}
		p.Keys("ctrl+u", "alt+2")
		p.Pass(time.Second)
		if !p.Has("I begin.") {
			t.Errorf("the other one is not shown:\n%s", p.Text())
		}
		p.Keys("ctrl+d")
		if r := p.Left(); r.Reason != core.LeftQuit {
			t.Fatalf("left with %+v", r)
		}
	})
	if open() != "" {
		t.Errorf("after leaving with idle sessions %q are offered", open())
	}
}

// What leaving stopped is offered, what has no answer goes on being offered, and esc is one.
func TestReopenLeft(t *testing.T) {
	drafts := &memoryDrafts{}
	c := Config{Width: 80, Height: 24, Options: func(o *ui.Options) { o.Drafts = drafts }}
	Run(t, c, func(p *Program) {
		c.World = p.World
		p.Type("mend the retries")
		p.Turn().Text("I begin.")
		p.Settle()
		p.Keys("ctrl+d")
		if r := p.Left(); r.Reason != core.LeftQuit {
			t.Fatalf("left with %+v", r)
		}
	})
	offer := "1 session was open here: enter opens it, esc leaves it"
	for range 2 {
		c.World = c.World.AfterCrash()
		Run(t, c, func(p *Program) {
			p.Pass(time.Second)
			if !p.Has(offer) {
				t.Fatalf("nothing is offered:\n%s", p.Text())
			}
			p.Keys("ctrl+d")
			if r := p.Left(); r.Reason != core.LeftQuit {
				t.Fatalf("left with %+v", r)
			}
		})
	}
	c.World = c.World.AfterCrash()
	Run(t, c, func(p *Program) {
		p.Pass(time.Second)
		p.Keys("esc")
		p.Pass(time.Second)
		if p.Has(offer) || drafts.get("open:"+Dir) != "" {
			t.Errorf("it is still offered:\n%s", p.Text())
		}
	})
	drafts.texts["open:"+Dir] = "id-1\n\x1b[2J ../../etc/passwd"
	c.World = c.World.AfterCrash()
	c.Options = func(o *ui.Options) { o.Drafts, o.Appearance.Inline = drafts, true }
	Run(t, c, func(p *Program) {
		p.Pass(time.Second)
		if !p.Has("3 sessions were open here · /tabs opens them") {
			t.Fatalf("nothing is offered:\n%s", p.Text())
		}
		p.Type("/tabs")
		p.Pass(time.Second)
		if !p.Has("I begin.") {
			t.Errorf("not opened:\n%s", p.Text())
		}
	})
}
