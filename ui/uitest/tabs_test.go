package uitest

import (
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// answered returns the answer to an ask that came, nil for none.
func answered(answers <-chan session.Answer) *session.Answer {
	select {
	case a := <-answers:
		return &a
	default:
		return nil
	}
}

// A session that works goes on while another one is begun. It says when it asks, is answered only where it is shown, gets prompts
// from elsewhere, and is closed once it is left with nothing to do.
func TestTabs(t *testing.T) {
	Run(t, Config{Width: 100, Height: 30}, func(p *Program) {
		p.Type("mend the retries")
		first := p.Turn()
		first.Text("I begin.")
		p.Settle()
		p.Type("/new")
		p.Settle()
		p.Golden("tabs-first-page")
		p.Type("write the docs")
		second := p.Turn()
		if first.Conversation() == second.Conversation() {
			t.Fatal("both prompts went to one session")
		}
		second.Text("The docs.")
		_, answers := first.AskPermission("Bash", "make")
		p.Pass(time.Second)
		p.Golden("tabs-asks")
		p.Keys("y", "1", "ctrl+u") // nothing that is typed here answers there
		p.Pass(time.Second)
		if a := answered(answers); a != nil {
			t.Errorf("a key of another session answered: %+v", a)
		}
		p.Send("half a thought")
		p.Keys("alt+1")
		p.Pass(time.Second)
		p.Golden("tabs-shown")
		p.Keys("y")
		p.Pass(time.Second)
		if answered(answers) == nil {
			t.Errorf("the question is not answered:\n%s", p.Text())
		}
		second.End(session.TurnCompleted)
		p.Settle()
		p.Keys("alt+2")
		p.Pass(time.Second)
		if !p.Has("half a thought") || !p.Has("1 mend the retries  works") {
			t.Errorf("the draft or the tab is gone:\n%s", p.Text())
		}
		p.Keys("ctrl+u", "ctrl+d")
		if !p.Has("stops 1 other session; again to leave") {
			t.Errorf("leaving does not say what it stops:\n%s", p.Text())
		}
		p.Pass(10 * time.Second)
		first.End(session.TurnFailed)
		p.Pass(time.Second)
		if !p.Has("“mend the retries” failed · /tabs 1 shows it") {
			t.Errorf("the end is no news:\n%s", p.Text())
		}
		p.Type("/tabs 1 try again")
		again := first.Conversation().Options.Session
		third := p.Turn()
		if third.Conversation().Options.Session != again {
			t.Error("the words went elsewhere")
		}
		third.End(session.TurnCompleted)
		p.Pass(time.Second)
		p.Type("/tabs")
		p.Pass(time.Second)
		p.Golden("tabs-list")
		p.Keys("enter")
		p.Pass(time.Second)
		if !p.Has("try again") || p.Has("2 write the docs") {
			t.Errorf("a session that does nothing is a tab, or the other one is not shown:\n%s", p.Text())
		}
		p.Keys("alt+6")
		if !p.Has("No other session works") {
			t.Errorf("a tab that is not there:\n%s", p.Text())
		}
	})
}

// Sessions that stream while they are not shown cost no frames.
func TestTabsDrawNothing(t *testing.T) {
	Run(t, Config{Width: 100, Height: 30}, func(p *Program) {
		var turns []*sessiontest.Turn
		for range 9 {
			p.Type("work")
			turns = append(turns, p.Turn())
			p.Settle()
			p.Type("/new")
			p.Settle()
		}
		before := p.Counts().Frames
		for range 50 {
			for _, turn := range turns {
				turn.Text("Some more words. ")
			}
			p.Pass(100 * time.Millisecond)
		}
		if n := p.Counts().Frames - before; n > 0 {
			t.Errorf("%d frames for sessions that are not shown", n)
		}
		before = p.Counts().Frames
		p.Send("x")
		if n := p.Counts().Frames - before; n != 1 {
			t.Errorf("%d frames for a key", n)
		}
		for _, turn := range turns {
			turn.End(session.TurnCompleted)
		}
		p.Pass(time.Second)
	})
}

// The chat in lines has tabs, too: what works goes on, says whose news it has, gets words from elsewhere and is shown again by number.
func TestPlainTabs(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("mend the retries")
		first := l.Agent.Turn(l.T)
		first.Text("I begin.")
		l.Settle()
		l.Type("/new")
		l.Settle()
		l.Type("write the docs")
		second := l.Agent.Turn(l.T)
		second.Text("The docs.")
		second.End(session.TurnCompleted)
		l.Settle()
		_, answers := first.AskPermission("Bash", "make")
		l.Settle()
		l.Type("/tabs")
		l.Settle()
		l.Type("y") // a prompt for the session that is shown
		third := l.Agent.Turn(l.T)
		if a := answered(answers); a != nil || third.Conversation() != second.Conversation() {
			t.Errorf("a line of another session answered: %+v", a)
		}
		l.Type("/send 1 and the tests")
		l.Settle()
		l.Type("/tab 1")
		l.Settle()
		l.Type("y")
		l.Settle()
		if answered(answers) == nil {
			t.Error("the question is not answered")
		}
		first.End(session.TurnCompleted)
		fourth := l.Agent.Turn(l.T)
		if fourth.Conversation() != first.Conversation() {
			t.Error("the words went elsewhere")
		}
		fourth.End(session.TurnCompleted)
		l.Settle()
		third.Text("Yes.")
		third.End(session.TurnCompleted)
		l.Settle()
		l.Type("/tabs 7")
		l.Type("/tabs 2")
		l.Settle()
		l.Golden("plain-tabs")
	})
}

// Ten sessions that stream at once cost the one that is shown nothing: a piece of text of each draws two frames at most, one for the text and
// one for the clock, as if it were alone, and a key draws one.
func TestTenTabsDrawAsOne(t *testing.T) {
	const pieces = 40
	for _, sessions := range []int{1, 10} {
		Run(t, Config{Width: 100, Height: 30}, func(p *Program) {
			var turns []*sessiontest.Turn
			for i := range sessions {
				if i > 0 {
					p.Type("/new")
					p.Settle()
				}
				p.Type("work")
				turns = append(turns, p.Turn())
				p.Settle()
			}
			before := p.Counts()
			for range pieces {
				for _, turn := range turns {
					turn.Text("Some more words. ")
				}
				p.Pass(50 * time.Millisecond)
			}
			after := p.Counts()
			if n, layouts := after.Frames-before.Frames, after.Layouts-before.Layouts; n == 0 || n > 2*pieces || layouts > 2*pieces {
				t.Errorf("%d sessions: %d frames and %d layouts for %d pieces of text", sessions, n, layouts, pieces)
			}
			p.Send("x")
			if n := p.Counts().Frames - after.Frames; n != 1 {
				t.Errorf("%d sessions: a key draws %d frames", sessions, n)
			}
			for _, turn := range turns {
				turn.End(session.TurnCompleted)
			}
			p.Pass(time.Second)
		})
	}
}
