package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// TestPreviews shows what an option would mean: beside the options, below the selected one, folded, and in full.
func TestPreviews(t *testing.T) {
	long := errorStyles
	long.Options = append([]session.QuestionOption{{Label: "Long", Preview: strings.Repeat("one more row\n\n", 40) + "the end"}}, long.Options...)
	for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 12}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			Run(t, Config{Width: size[0], Height: size[1]}, func(p *Program) {
				p.Type("go on")
				turn := p.Turn()
				answer := ask(turn, long)
				p.Pass(time.Second)
				if size[1] > 12 && (!p.Has("one more row") || !p.Has("more rows · p show all")) || size[1] == 12 && p.Has("one more row") {
					t.Errorf("the preview is not folded:\n%s", p.Text())
				}
				p.Answer("p")
				unanswered(t, answer)
				for range 100 {
					p.Keys("down")
				}
				if !p.Has("the end") {
					t.Errorf("the end of the preview cannot be read:\n%s", p.Text())
				}
				p.Keys("esc")
				p.Keys("down")
				for range 20 {
					if !p.Has("2 Typed") {
						p.Keys("down")
					}
				}
				p.Keys("enter")
				if a := got(p, answer); a.Decision != session.Allow || len(a.Choices) != 1 {
					t.Errorf("answered %+v", a)
				}
				turn.End(session.TurnCompleted)
				p.Settle()
			})
		})
	}
}

// TestNotes adds a note to an answer, changes it, and shows it in the review and in the conversation.
func TestNotes(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		answer := ask(turn, errorStyles)
		p.Pass(time.Second)
		p.Answer("n")
		p.Send("for the exported names")
		p.Keys("enter")
		p.Answer("n")
		p.Send(" only")
		p.Keys("enter")
		unanswered(t, answer)
		if !p.Has("note: for the exported names only") {
			t.Errorf("the note is not shown:\n%s", p.Text())
		}
		p.Keys("enter")
		a := got(p, answer)
		if a.Decision != session.Allow || a.Choices[errorStyles.Text][0] != "Typed" || a.Notes[errorStyles.Text] != "for the exported names only" {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		if !p.Has("note: for the exported names only") {
			t.Errorf("the conversation does not show the note:\n%s", p.Text())
		}
	})
}

// TestClickOptionsBesideAPreview clicks an option, whose preview then stands beside it, and not the preview.
func TestClickOptionsBesideAPreview(t *testing.T) {
	Run(t, Config{Width: 120, Height: 40}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		q := errorStyles
		q.Multi = true
		answer := ask(turn, q)
		p.Pass(time.Second)
		x, y := p.Find("callers can tell")
		p.Click(x, y, 1)
		unanswered(t, answer)
		x, y = p.Find("Sentinels")
		p.Click(x, y, 1)
		if !p.Has("[x] Sentinels") || !p.Has("upload.ErrTimeout") || p.Has("callers can tell") {
			t.Errorf("after the click:\n%s", p.Text())
		}
		p.Pass(time.Second)
		p.Keys("enter")
		if a := got(p, answer); fmt.Sprint(a.Choices[q.Text]) != "[Sentinels]" {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestLeavingAForm asks whether to decline or to close, and goes back to what was written.
func TestLeavingAForm(t *testing.T) {
	for keys, want := range map[string]session.Decision{"d": session.Deny, "esc": session.Cancel, "enter": session.Allow} {
		t.Run(keys, func(t *testing.T) {
			Run(t, Config{}, func(p *Program) {
				p.Type("deploy")
				turn := p.Turn()
				_, answer := turn.Ask(session.Asked{Elicitation: &session.ElicitationAsk{Server: "deployer", Message: "Where?",
					Schema: []byte(`{"properties":{"host":{"type":"string"}}}`)}})
				p.Pass(time.Second)
				p.Keys("f2")
				p.Send("example")
				p.Keys("esc")
				if !p.Has("Close unanswered? d decline") || !p.Has("> example") {
					t.Errorf("it does not ask how:\n%s", p.Text())
				}
				unanswered(t, answer)
				p.Answer(keys)
				if want == session.Allow {
					p.Send(".org")
					p.Keys("enter")
				}
				a := got(p, answer)
				if a.Decision != want || want == session.Allow && a.Choices["host"][0] != "example.org" {
					t.Errorf("answered %+v", a)
				}
				turn.End(session.TurnCompleted)
				p.Settle()
			})
		})
	}
}

// TestPlainPlan writes a version of the plan in lines and goes on with it.
func TestPlainPlan(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("plan it")
		turn := l.Agent.Turn(l.T)
		_, answer := turn.Ask(session.Asked{Plan: &session.PlanAsk{Plan: "Do it.\n\nThen rest."}})
		l.Settle()
		for _, line := range []string{"e", "Do it twice.", "", "Then rest.", "."} {
			l.Type(line)
		}
		if !strings.Contains(l.News(), "+Do it twice.") {
			t.Errorf("the change is not shown:\n%s", l.Said())
		}
		unanswered(t, answer)
		l.Type("a")
		if a := l.answered(answer); a.Plan != "Do it twice.\n\nThen rest." || a.Mode != session.ModeAcceptEdits {
			t.Errorf("answered %+v", a)
		}
		_, answer = turn.Ask(session.Asked{Plan: &session.PlanAsk{Plan: "Do it."}})
		l.Settle()
		for _, line := range []string{"e", " ", ".", "m", "but use -v"} {
			l.Type(line)
		}
		if a := l.answered(answer); a.Decision != session.Deny || a.Message != "but use -v" || a.Plan != "" {
			t.Errorf("answered %+v", a)
		}
		_, answer = turn.Ask(session.Asked{Question: &session.QuestionAsk{Questions: []session.Question{errorStyles}}})
		l.Settle()
		l.Type("/note only the exported names")
		l.Type("2")
		if a := l.answered(answer); a.Notes[errorStyles.Text] != "only the exported names" || a.Choices[errorStyles.Text][0] != "Sentinels" {
			t.Errorf("answered %+v", a)
		}
		_, answer = turn.Ask(session.Asked{Elicitation: &session.ElicitationAsk{Server: "db", Message: "Who?", Schema: []byte(deploySchema)}})
		l.Settle()
		l.Type("/answer UPPER")
		l.Type("/close")
		if a := l.answered(answer); a.Decision != session.Cancel {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		l.Settle()
		l.Golden("plain-plan")
	})
}
