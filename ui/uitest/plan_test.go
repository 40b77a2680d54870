package uitest

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
)

// longPlan is a plan that fills more than a window.
var longPlan = "# 計画: start the timer first\n\n" + strings.Repeat("1. Read `retry.go` and find where the **timer** starts\n"+
	"2. タイマーを先に始める\n\n```go\ntimer := time.NewTimer(backoff)\n```\n\n", 8) + "That is *all*.\n"

func askPlan(turn interface {
	Ask(session.Asked) (session.AskID, <-chan session.Answer)
}, plan string) <-chan session.Answer {
	_, answer := turn.Ask(session.Asked{Plan: &session.PlanAsk{Plan: plan}})
	return answer
}

// TestLongPlan shows the beginning of a plan that does not fit, lets it be read to its end, and answers in every way.
func TestLongPlan(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {40, 12}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			Run(t, Config{Width: size.w, Height: size.h, Settings: session.Settings{Mode: session.ModePlan}}, func(p *Program) {
				p.Type("plan it")
				turn := p.Turn()
				answer := askPlan(turn, longPlan)
				p.Pass(time.Second)
				p.Golden(fmt.Sprintf("plan-long-%dx%d", size.w, size.h))
				for range 200 {
					p.Keys("pgdown")
				}
				if !p.Has("That is all.") {
					t.Errorf("the end of the plan cannot be reached:\n%s", p.Text())
				}
				unanswered(t, answer)
				p.Keys("a")
				if a := got(p, answer); a.Decision != session.Allow || a.Mode != session.ModeAcceptEdits {
					t.Errorf("a answered %+v", a)
				}
				answer = askPlan(turn, longPlan)
				p.Pass(time.Second)
				if p.Has("bypass") {
					t.Errorf("it offers to bypass permissions:\n%s", p.Text())
				}
				p.Answer("b")
				unanswered(t, answer)
				p.Keys("backspace")
				p.Pass(time.Second)
				p.Answer("y")
				if a := got(p, answer); a.Decision != session.Allow || a.Mode != session.ModeDefault {
					t.Errorf("y answered %+v", a)
				}
				answer = askPlan(turn, longPlan)
				p.Pass(2 * time.Second)
				p.Keys("enter")
				if a := got(p, answer); a.Decision != session.Allow || a.Mode != session.ModeDefault {
					t.Errorf("the preselected choice answered %+v", a)
				}
				turn.End(session.TurnCompleted)
				p.Settle()
				p.Golden(fmt.Sprintf("plan-long-answered-%dx%d", size.w, size.h))
			})
		})
	}
}

// TestPlanModesThatCannotBeHad offers nothing that policy forbids.
func TestPlanModesThatCannotBeHad(t *testing.T) {
	forbid := func(o *ui.Options) {
		managerOf(o).Modes = func(_ string, m session.Mode) string {
			if m == session.ModeAcceptEdits {
				return "it is forbidden here"
			}
			return ""
		}
	}
	Run(t, Config{Options: forbid}, func(p *Program) {
		p.Type("plan it")
		turn := p.Turn()
		answer := askPlan(turn, "Do it.")
		p.Pass(time.Second)
		if p.Has("accept edits") {
			t.Errorf("it offers to accept edits:\n%s", p.Text())
		}
		p.Answer("a")
		unanswered(t, answer)
		p.Keys("backspace")
		p.Pass(time.Second)
		p.Answer("n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestPlanInTheEditor changes a plan in the editor: what was changed goes back, and nothing begins.
func TestPlanInTheEditor(t *testing.T) {
	text := "Do it.\n"
	editor := func(o *ui.Options) {
		o.Editor = EditorFunc(func(path string, _ io.Reader, _, _ io.Writer) error { return os.WriteFile(path, []byte(text), 0o600) })
	}
	Run(t, Config{Options: editor}, func(p *Program) {
		p.Type("plan it")
		turn := p.Turn()
		answer := askPlan(turn, "Do it.")
		p.Pass(time.Second)
		edit := func() {
			p.Answer("o")
			p.Pass(time.Second)
			p.Keys("left") // swallowed by the read of the pipe that was given up
			p.Pass(time.Second)
		}
		edit()
		if p.Has("You changed the plan") {
			t.Errorf("an unchanged plan is taken for a change:\n%s", p.Text())
		}
		text = "Do it **twice**.\n"
		edit()
		p.Golden("plan-edited")
		p.Answer("d")
		p.Pass(time.Second)
		if !p.Has("Go on with this plan?") {
			t.Errorf("dropping the changes does not ask about the plan again:\n%s", p.Text())
		}
		edit()
		unanswered(t, answer)
		p.Keys("n")
		if a := got(p, answer); a.Decision != session.Deny || !strings.HasSuffix(a.Message, "Do it **twice**.") {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		if !p.Has("you edited it, 1 line now") {
			t.Errorf("the change is not told:\n%s", p.Text())
		}
	})
}

// TestPlanThatIsNotWritten says so, and does not ask about nothing.
func TestPlanThatIsNotWritten(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("plan it")
		turn := p.Turn()
		_, answer := turn.Ask(session.Asked{Kind: session.AskPlan, Plan: &session.PlanAsk{}})
		p.Pass(time.Second)
		if !p.Has("the agent wrote no plan") {
			t.Errorf("nothing is said:\n%s", p.Text())
		}
		p.Answer("n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}
