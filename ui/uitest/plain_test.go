package uitest

import (
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
	"parley/ui/core"
)

// TestPlainTurn plays a turn with a bit of everything.
func TestPlainTurn(t *testing.T) {
	RunLines(t, Config{Settings: opus}, func(l *Lines) {
		l.Type("why does the upload test fail?")
		turn := l.Agent.Turn(l.T)
		turn.Reasoning(4*time.Second, "Let me look.")
		turn.Tool("Read", `{"file_path":"/home/ada/src/acme/upload_test.go"}`, "a\nb\n")
		turn.Text("It is a *race*.\n\n| a | b |\n|---|---|\n| 1 ", "| 2 |\n\n```go\nx := 1\n```\n\nThat ", "is all.")
		l.Settle()
		answer := editAsk(turn)
		l.Settle()
		l.Type("y")
		if a := l.answered(answer); a.Decision != session.Allow || a.Scope != session.ScopeOnce {
			t.Errorf("answered %+v", a)
		}
		_, answer = commandAsk(turn, "make clean")
		l.Settle()
		l.Type("m")
		l.Type("use make tidy")
		if a := l.answered(answer); a.Decision != session.Deny || a.Message != "use make tidy" {
			t.Errorf("answered %+v", a)
		}
		turn.Emit(session.TodosChanged{Todos: []session.Todo{{Text: "one", State: session.TodoDone}, {Text: "two", Active: "doing two", State: session.TodoActive}}})
		l.Type("and then?")
		turn.EndWith(session.TurnEnded{Outcome: session.TurnCompleted, Duration: 65 * time.Second})
		next := l.Agent.Turn(l.T)
		next.Text("Nothing.")
		next.EndWith(session.TurnEnded{Outcome: session.TurnFailed, Problem: &session.Problem{What: "The quota is used up.", Next: "It comes back tomorrow."}})
		l.Settle()
		l.Type("/quit")
		if r := l.Left(); r.Reason != core.LeftQuit || !r.Begun {
			t.Errorf("left with %+v", r)
		}
		l.Golden("plain-turn")
		for _, r := range l.Said() {
			if r >= 0x2500 && r <= 0x259f || r != '\n' && unicode.IsControl(r) {
				t.Errorf("%q was said", r)
			}
		}
	})
}

// Lines from a pipe are taken one at a time, when it is their turn, and the last answer is waited for.
func TestPlainFromAPipe(t *testing.T) {
	RunLines(t, Config{Options: func(o *ui.Options) { o.Typed = false }}, func(l *Lines) {
		go func() {
			_, _ = l.in.Write([]byte("clean up\ny\nthank you\n"))
			_ = l.in.Close()
		}()
		turn := l.Agent.Turn(l.T)
		_, answer := commandAsk(turn, "make clean")
		if a := l.answered(answer); a.Decision != session.Allow {
			t.Errorf("answered %+v", a)
		}
		turn.Text("Done.")
		turn.End(session.TurnCompleted)
		turn = l.Agent.Turn(l.T)
		_, answer = commandAsk(turn, "make more")
		if a := l.answered(answer); a.Decision != session.Deny {
			t.Errorf("with nobody there it was answered %+v", a)
		}
		turn.Text("You are welcome.")
		turn.End(session.TurnCompleted)
		if r := l.Left(); r.Reason != core.LeftQuit {
			t.Errorf("left with %+v", r)
		}
		l.Golden("plain-pipe")
	})
}

func TestPlainCommands(t *testing.T) {
	RunLines(t, Config{World: library(), Settings: opus, Options: withCatalog(catalog{})}, func(l *Lines) {
		for _, line := range []string{"/help", "/status", "/usage", "/mode", "/mode plan", "/effort low", "/model", "/model nosuch", "/nosuch", "/resume upload",
			"/resume s2", "/again", "/new", "two \\", "lines"} {
			l.Type(line)
		}
		turn := l.Agent.Turn(l.T)
		if p := turn.Prompt.Text; p != "two \nlines" {
			t.Errorf("sent %q", p)
		}
		l.Type("/stop")
		l.Settle()
		l.News()
		l.Type("/model 2")
		turn.Emit(session.ModelChanged{Model: "claude-sonnet-5"}, session.ModeChanged{Mode: session.ModeDefault})
		l.Settle()
		if said := l.News(); strings.Contains(said, "Switched to") {
			t.Errorf("what was chosen is said again:\n%s", said)
		}
		turn.Emit(session.ModelChanged{Model: "gpt-5.5"})
		l.Settle()
		if said := l.News(); !strings.Contains(said, "Switched to gpt-5.5") {
			t.Errorf("what was not chosen is not said:\n%s", said)
		}
		l.Golden("plain-commands")
	})
}

// A long turn is reported from time to time, with how to stop it.
func TestPlainLongWork(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("build")
		turn := l.Agent.Turn(l.T)
		turn.StartTool("Bash", `{"command":"make all"}`)
		time.Sleep(70 * time.Second)
		synctest.Wait()
		if news := l.News(); strings.Count(news, "note: still running make all for ") != 2 || !strings.Contains(news, "Stop it with /stop or ctrl+c") {
			t.Errorf("it was said:\n%s", news)
		}
		l.Signals <- syscall.SIGINT
		l.Settle()
		if news := l.News(); !strings.Contains(news, "note: Stopping") || !strings.Contains(news, "note: stopped") {
			t.Errorf("it was said:\n%s", news)
		}
	})
}

func TestPlainWaysOut(t *testing.T) {
	for name, leave := range map[string]func(l *Lines){
		"ctrl+c twice": func(l *Lines) {
			l.Signals <- syscall.SIGINT
			l.Settle()
			l.Signals <- syscall.SIGINT
		},
		"ctrl+d":  func(l *Lines) { _ = l.in.Close() },
		"SIGTERM": func(l *Lines) { l.Signals <- syscall.SIGTERM },
		"/quit":   func(l *Lines) { l.Type("/quit") },
		"exit":    func(l *Lines) { l.Type("exit") },
		"quit":    func(l *Lines) { l.Type(" quit") },
		":q":      func(l *Lines) { l.Type(":q ") },
	} {
		t.Run(name, func(t *testing.T) {
			RunLines(t, Config{}, func(l *Lines) {
				l.Type("hello")
				turn := l.Agent.Turn(l.T)
				turn.Text("Hello.")
				turn.End(session.TurnCompleted)
				l.Settle()
				leave(l)
				r := l.Left()
				if want := map[bool]core.Reason{true: core.LeftSignal, false: core.LeftQuit}[name == "SIGTERM"]; r.Reason != want || !r.Begun {
					t.Errorf("left with %+v", r)
				}
				if !strings.Contains(l.Said(), "parley -r "+string(r.Session)) {
					t.Errorf("it does not say how to go on:\n%s", l.Said())
				}
			})
		})
	}
}

func TestPlainSignIn(t *testing.T) {
	for line, want := range map[string]core.Choice{"d": core.ChooseDemo, "s": core.ChooseSignIn, "q": core.ChooseQuit} {
		RunLines(t, Config{Options: func(o *ui.Options) {
			o.SignIn = &core.SignIn{Looked: []string{"GH_TOKEN", "gh"}, GH: true}
		}}, func(l *Lines) {
			l.Type("what?")
			l.Type(line)
			if r := l.Left(); r.Choice != want {
				t.Errorf("%s chose %+v", line, r)
			}
		})
	}
}

// No output drives the terminal.
func TestPlainSaysNothingHostile(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\x1b[31mred\u202e\x9b5m\x00\r"
	RunLines(t, Config{Options: withCatalog(catalog{})}, func(l *Lines) {
		l.Send("go" + evil + "\n")
		turn := l.Agent.Turn(l.T)
		turn.Emit(session.Notice{Severity: session.Warning, Text: "n" + evil}, session.RetryScheduled{Attempt: 2, Of: 3, Delay: time.Second, Why: "w" + evil})
		turn.Text("x" + evil + "\nmore" + evil)
		call := turn.StartTool("Bash"+evil, `{"command":"ls \u001b]0;owned\u0007"}`)
		other := turn.StartTool("Read", `{"file_path":"/x"}`)
		turn.Emit(session.ToolEnded{Call: other, Outcome: session.ToolFailed, Result: session.ToolResult{Text: "r" + evil}})
		turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolFailed, Result: session.ToolResult{Text: "r" + evil, Summary: "s" + evil}},
			session.ChildStarted{ID: "c", Name: "kid" + evil, Description: "d" + evil}, session.ChildEnded{ID: "c", Outcome: session.TurnFailed, Summary: "s" + evil},
			session.TodosChanged{Todos: []session.Todo{{Text: "t" + evil, Active: "a" + evil, State: session.TodoActive}}})
		for _, ask := range []session.Asked{
			{Permission: &session.PermissionAsk{Tool: "T" + evil, Command: "rm " + evil, Reason: "why" + evil, Rules: []session.Rule{{Tool: "T", Label: "l" + evil}}}},
			{Plan: &session.PlanAsk{Plan: "# p" + evil}},
			{Elicitation: &session.ElicitationAsk{Server: "s" + evil, Message: "m" + evil, URL: "https://x/" + evil}},
			{Question: &session.QuestionAsk{Questions: []session.Question{{Header: "h" + evil, Text: "q" + evil,
				Options: []session.QuestionOption{{Label: "o" + evil, Description: "d" + evil}}}}}},
		} {
			_, answer := turn.Ask(ask)
			l.Settle()
			time.Sleep(time.Second)
			l.Send("/answer huh" + evil + "\n")
			for _, line := range []string{"n", "/decline", "n"} {
				l.Type(line)
			}
			l.answered(answer)
		}
		turn.EndWith(session.TurnEnded{Outcome: session.TurnFailed, Problem: &session.Problem{What: "p" + evil, Next: "nx" + evil}})
		l.Settle()
		for _, r := range l.Said() {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				t.Fatalf("%q was said in:\n%q", r, l.Said())
			}
		}
	})
}

func TestPlainResumes(t *testing.T) {
	w := sessiontest.NewWorld()
	const id = "0194a000-0000-7000-8000-000000000600"
	w.Journals.Put(session.Meta{ID: id, Agent: "builtin", Dir: Dir}, longPast(id, 3)...)
	RunLines(t, Config{World: w, Options: func(o *ui.Options) { o.Appearance.Charset = "ascii" }, Session: func(m *live.Manager) *live.Session {
		s, err := m.Resume(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}}, func(l *Lines) {
		l.Type("naïve “question”")
		turn := l.Agent.Turn(l.T)
		turn.Text("naïve “answer” 漢")
		turn.End(session.TurnCompleted)
		l.Settle()
		l.Golden("plain-resumed")
	})
}

// An effort that the model does not have is refused in lines as on the screen.
func TestPlainEffort(t *testing.T) {
	RunLines(t, Config{World: library(), Settings: opus, Options: withCatalog(catalog{})}, func(l *Lines) {
		l.Type("/effort nosuch")
		l.Settle()
		if said := l.News(); !strings.Contains(said, "No effort nosuch: ") || l.Session.Settings().Effort == "nosuch" {
			t.Errorf("%s (effort %q)", said, l.Session.Settings().Effort)
		}
		l.Type("/effort low")
		l.Settle()
		if got := l.Session.Settings().Effort; got != "low" {
			t.Errorf("effort %q: %s", got, l.News())
		}
		l.Type("/effort medium")
		l.Settle()
		l.Type("/model gpt-5.5") // which has no such effort
		l.Settle()
		if got := l.Session.Settings(); got.Effort != "" || got.Model != "gpt-5.5" {
			t.Errorf("%+v: %s", got, l.News())
		}
		l.Type("/model gemini-3-pro")
		l.Settle()
		if said := l.News(); !strings.Contains(said, "a policy of your organization") || l.Session.Settings().Model != "gpt-5.5" {
			t.Errorf("a model that cannot be used: %s", said)
		}
	})
}
