package uitest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"parley/session"
	"parley/session/sessiontest"
	"parley/ui"
	"parley/ui/core"
)

// unanswered fails the test if an answer was given.
func unanswered(t *testing.T, answer <-chan session.Answer) {
	t.Helper()
	select {
	case a := <-answer:
		t.Errorf("answered %+v", a)
	default:
	}
}

// TestTypeAheadCannotApprove types on while prompts come up: not a single letter may answer one.
func TestTypeAheadCannotApprove(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("clean up")
		turn := p.Turn()
		_, answer := commandAsk(turn, "rm -rf /")
		for range 50 {
			for _, k := range []string{"y", "s", "y", "\r"} {
				p.Send(k)
				p.Pass(650 * time.Millisecond) // a slow typist, and never 700 ms
				unanswered(t, answer)
			}
		}
		if p.Has("❯") {
			t.Error("the prompt has the keyboard although no key ever paused")
		}
		p.Pass(100 * time.Millisecond)
		if !p.Has("❯ y  Yes") {
			t.Errorf("the prompt does not have the keyboard:\n%s", p.Text())
		}
		p.Keys("enter") // too soon
		unanswered(t, answer)
		p.Pass(time.Second)
		p.Keys("enter")
		if a := got(p, answer); a.Decision != session.Allow || a.Scope != session.ScopeOnce {
			t.Errorf("the preselected choice answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestKeysBeforeThePromptWasSeen stalls the terminal, so that the prompt is drawn but not visible.
func TestKeysBeforeThePromptWasSeen(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("clean up")
		turn := p.Turn()
		p.Settle()
		resume := p.Stall()
		_, answer := commandAsk(turn, "rm -rf /")
		p.Pass(10 * time.Second)
		p.Send("y")
		p.Pass(10 * time.Second)
		p.Send("y")
		unanswered(t, answer)
		resume()
		p.Settle()
		p.Send("y") // the terminal has only just shown it
		unanswered(t, answer)
		p.Pass(time.Second)
		unanswered(t, answer)
		if !p.Has("> yyy") {
			t.Errorf("what was typed is not in the composer:\n%s", p.Text())
		}
		p.Keys("ctrl+u")
		p.Pass(time.Second)
		p.Answer("y")
		if a := got(p, answer); a.Decision != session.Allow {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestNextPromptNeedsItsOwnLook answers two prompts that wait at once: the key for the first must not reach the second.
func TestNextPromptNeedsItsOwnLook(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("clean up")
		turn := p.Turn()
		_, first := commandAsk(turn, "make clean")
		_, second := commandAsk(turn, "rm -rf /")
		p.Pass(time.Second)
		p.Send("y")
		p.Pass(350 * time.Millisecond)
		p.Send("y")
		if a := got(p, first); a.Decision != session.Allow {
			t.Errorf("answered %+v", a)
		}
		p.Pass(2 * time.Second)
		unanswered(t, second)
		if !p.Has("> y") {
			t.Errorf("the second letter is not in the composer:\n%s", p.Text())
		}
		p.Keys("f2")
		p.Answer("n")
		if a := got(p, second); a.Decision != session.Deny {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestPromptBehindAPicker lets a prompt come up while the model picker is open.
func TestPromptBehindAPicker(t *testing.T) {
	Run(t, Config{Options: withCatalog(catalog{})}, func(p *Program) {
		p.Type("clean up")
		turn := p.Turn()
		p.Type("/model")
		_, answer := commandAsk(turn, "rm -rf /")
		p.Pass(time.Second)
		p.Send("y")
		p.Keys("esc")
		p.Send("y")
		p.Pass(2 * time.Second)
		unanswered(t, answer)
		p.Keys("backspace")
		p.Pass(time.Second)
		p.Answer("y")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestPasteAnswersNothing pastes into a prompt that has the keyboard.
func TestPasteAnswersNothing(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("clean up")
		turn := p.Turn()
		_, answer := commandAsk(turn, "rm -rf /")
		p.Pass(time.Second)
		p.Send("\x1b[200~y\ry\x1b[201~")
		p.Settle()
		unanswered(t, answer)
		p.Keys("esc")
		if _, open := <-answer; open {
			t.Error("escape answered instead of interrupting")
		}
		p.Settle()
		if !p.Has("Stopped") {
			t.Errorf("escape did not interrupt:\n%s", p.Text())
		}
	})
}

// TestNothingDrivesTheTerminal puts control sequences everywhere a model, a tool or a file can put them.
func TestNothingDrivesTheTerminal(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\x1b[31mred\u202e\x9b5m\x00"
	options := func(o *ui.Options) {
		withCatalog(catalog{})(o)
		managerOf(o).Trusters = func(string) session.RepositoryTruster {
			return &truster{items: []session.RepositoryItem{{Kind: "k" + evil, Name: "n" + evil, Path: Dir + "/p" + evil, Runs: "r" + evil}}}
		}
		managerOf(o).Infos = func() []session.AgentInfo {
			return []session.AgentInfo{{Name: "builtin", Version: "v" + evil, About: "a" + evil}, {Name: "x" + evil, Missing: "m" + evil}}
		}
		o.Offer = &core.RuntimeOffer{Name: "x" + evil, Title: "t" + evil, Bytes: 1,
			Install: func(context.Context, func(core.InstallProgress)) error { return errors.New("e" + evil) }}
	}
	Run(t, Config{Width: 120, Height: 60, Options: options}, func(p *Program) {
		p.Keys("f2")
		p.Pass(time.Second)
		p.Answer("l")
		for _, command := range []string{"/agent", "/install"} {
			p.Type(command)
			p.Keys("enter")
			p.Settle()
		}
		p.Send("\x1b[200~" + "a\u202eb\x1b[201~")
		p.Keys("enter")
		turn := p.Turn()
		turn.Emit(session.TitleChanged{Title: "t" + evil}, session.ModelChanged{Model: "m" + evil, Effort: "e" + evil},
			session.Notice{Severity: session.Warning, Text: "n" + evil},
			session.RetryScheduled{Attempt: 2, Of: 3, Delay: time.Second, Why: "w" + evil})
		p.Settle()
		turn.Reasoning(time.Second, "r"+evil)
		turn.Text("x" + evil)
		p.Keys("tab")
		call := turn.StartTool("Bash"+evil, `{"command":"`+"ls \\u001b]0;owned\\u0007"+`"}`)
		turn.Emit(session.ToolOutput{Call: call, Text: "o" + evil + "\n"})
		p.Settle()
		p.Keys("ctrl+down", "tab")
		turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolFailed, Result: session.ToolResult{Text: "res" + evil, Summary: "sum" + evil}},
			session.ChildStarted{ID: "c", Name: "kid" + evil, Description: "d" + evil})
		_, answer := turn.Ask(session.Asked{Permission: &session.PermissionAsk{Tool: "T" + evil, Command: "rm " + evil, Reason: "why" + evil,
			Rules: []session.Rule{{Tool: "T", Label: "l" + evil}}}})
		p.Pass(time.Second)
		p.Keys("n")
		got(p, answer)
		_, answer = turn.Ask(session.Asked{Question: &session.QuestionAsk{Questions: []session.Question{{Text: "q" + evil,
			Options: []session.QuestionOption{{Label: "o" + evil, Description: "d" + evil}}}}}})
		p.Pass(2 * time.Second)
		p.Keys("enter")
		got(p, answer)
		evilForms(p, turn, evil)
		turn.EndWith(session.TurnEnded{Outcome: session.TurnFailed, Problem: &session.Problem{What: "p" + evil, Next: "nx" + evil}})
		p.Settle()
		evilReading(p, evil)
		raw := p.Raw()
		if !utf8.ValidString(raw) {
			t.Error("what was drawn is not UTF-8")
		}
		for _, bad := range []string{"\x1b]0;owned", "\x1b[2J", "\x1b[31m", "\u202e", "\u009b", "\x00"} {
			if i := strings.Index(raw, bad); i >= 0 {
				t.Errorf("%q reached the terminal in %q", bad, raw[max(0, i-40):min(len(raw), i+40)])
			}
		}
	})
}

// evilReading finds, selects and copies hostile words, and leaves them on the normal screen.
func evilReading(p *Program, evil string) {
	p.Keys("alt+a", "alt+i", "ctrl+f")
	p.Send("\x1b[200~" + "\u202ered" + "\x1b[201~")
	p.Settle()
	p.Keys("ctrl+u")
	p.Send("red")
	p.Settle()
	p.Keys("enter", "n", "n", "n", "esc", "alt+w", "alt+k", "esc", "alt+s", "k", "V", "k", "k", "y")
	p.Press(2, 4)
	p.Drag(60, 30)
	p.Release(60, 30)
	p.Settle()
	if got, n := p.Copied(); n < 3 || got == "" || strings.ContainsAny(got, "\x1b\x07\x00\u202e\u009b") {
		p.T.Errorf("copied %d times, at last %q", n, got)
	}
	p.Keys("alt+j", "enter", "esc", "m", "esc", "esc")
	p.Send("\x04\x04") // something runs in the background
	p.Left()
}

// evilForms shows hostile words wherever a form, a plan, a task list, a child agent or a runtime can say any.
func evilForms(p *Program, turn *sessiontest.Turn, evil string) {
	evilJSON := strings.NewReplacer("\x1b", `\u001b`, "\x07", `\u0007`, "\x9b", `\u009b`, "\x00", `\u0000`).Replace(evil)
	turn.Emit(session.TodosChanged{Todos: []session.Todo{{Text: "t" + evil, Active: "a" + evil, State: session.TodoActive}}},
		session.RuntimeChanged{State: session.RuntimeExited, Detail: "d" + evil + "\nrest" + evil})
	p.Keys("ctrl+t", "tab", "ctrl+t")
	for n := range 2 {
		job := turn.StartTool("Bash", `{"command":"job`+evilJSON+`"}`)
		turn.ToBackground(job)
		turn.Emit(session.ToolOutput{Call: job, Text: "out" + evil + "\n"})
		if n == 0 {
			turn.Emit(session.ToolEnded{Call: job, Outcome: session.ToolCancelled, Result: session.ToolResult{Summary: "ended with " + evil}})
		}
		turn.Conversation().Emit(session.TurnStarted{Head: session.Head{Turn: session.TurnID("auto" + job)}, Origin: session.OriginAutonomous, Because: "b" + evil},
			session.TurnEnded{Head: session.Head{Turn: session.TurnID("auto" + job)}, Outcome: session.TurnCompleted})
	}
	c := turn.Child("kid"+evil, "d"+evil, "told"+evil, true)
	c.Text("words" + evil)
	p.Keys("ctrl+x")
	_, answer := turn.Ask(session.Asked{Head: c.Head(), Permission: &session.PermissionAsk{Tool: "T", Command: "rm " + evil}})
	p.Pass(time.Second)
	p.Keys("n")
	got(p, answer)
	p.Keys("esc")
	for _, ask := range []session.Asked{
		{Plan: &session.PlanAsk{Plan: "# p" + evil}},
		{Elicitation: &session.ElicitationAsk{Server: "s" + evil, Message: "m" + evil, URL: "https://x/" + evil}},
		{Elicitation: &session.ElicitationAsk{Server: "s" + evil, Message: "m" + evil, Schema: []byte(`{"properties":{"f` + evilJSON +
			`":{"type":"string","title":"t` + evilJSON + `","description":"d` + evilJSON + `","default":"v` + evilJSON + `"},"e":{"enum":["o` + evilJSON + `"]}}}`)}},
		{Question: &session.QuestionAsk{Questions: []session.Question{{Header: "h" + evil, Text: "q" + evil, Multi: true, Free: true,
			Options: []session.QuestionOption{{Label: "o" + evil, Description: "d" + evil}}}, {Header: "h" + evil, Text: "r" + evil, Free: true}}}},
	} {
		_, answer := turn.Ask(ask)
		p.Pass(time.Second)
		p.Keys("f2")
		if ask.Plan != nil || ask.Elicitation != nil && ask.Elicitation.URL != "" {
			p.Answer("n")
		} else {
			p.Keys("tab", "tab", "tab", "shift+tab", "esc", "esc", "esc", "esc", "esc")
		}
		got(p, answer)
	}
	p.Type("queued" + evil)
	p.Type("/queue")
	p.Keys("ctrl+x")
}
