package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
)

func TestLongCommandScrolls(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("run it")
		turn := p.Turn()
		var lines []string
		for i := range 40 {
			lines = append(lines, fmt.Sprintf("echo step %d", i))
		}
		lines = append(lines, "rm -rf /tmp/the-last-line")
		_, answer := commandAsk(turn, strings.Join(lines, "\n"))
		p.Pass(time.Second)
		p.Golden("prompt-long-command")
		seen := map[string]bool{}
		for range 60 {
			for _, r := range p.Rows() {
				seen[strings.TrimSpace(r)] = true
			}
			p.Keys("pgdown")
		}
		for _, l := range lines {
			if !seen[l] {
				t.Errorf("%q was never shown", l)
			}
		}
		p.Keys("n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

func TestQuestionScreens(t *testing.T) {
	eachSize(t, Config{}, func(p *Program, size string) {
		p.Type("add tests")
		turn := p.Turn()
		_, answer := turn.Ask(session.Asked{Question: &session.QuestionAsk{Questions: []session.Question{
			{Text: "Which database should the tests use?", Free: true, Options: []session.QuestionOption{
				{Label: "SQLite, in memory", Description: "fast, no set-up"},
				{Label: "PostgreSQL in a container", Description: "the same as production"}}},
			{Text: "What should be tested?", Multi: true, Options: []session.QuestionOption{{Label: "reads"}, {Label: "writes"}, {Label: "races"}}},
		}}})
		p.Pass(time.Second)
		p.Golden("question-" + size)
		p.Keys("3", "enter")
		p.Send("DuckDB")
		p.Golden("question-free-" + size)
		p.Keys("enter", "space", "down", "down", "space")
		p.Golden("question-multi-" + size)
		p.Keys("enter")
		p.Golden("question-review-" + size)
		p.Keys("enter")
		a := got(p, answer)
		if got := fmt.Sprintf("%v %v", a.Decision, a.Choices); got != "allow map[What should be tested?:[reads races] Which database should the tests use?:[DuckDB]]" {
			t.Errorf("answered %s", got)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Golden("question-answered-" + size)
	})
}

func TestPlanScreen(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("plan it")
		turn := p.Turn()
		_, answer := turn.Ask(session.Asked{Plan: &session.PlanAsk{Plan: "# Plan\n\n1. start the timer **first**\n2. stop it when done\n"}})
		p.Pass(time.Second)
		p.Golden("plan")
		p.Answer("m")
		p.Send("keep the old name")
		p.Keys("enter")
		if a := got(p, answer); a.Decision != session.Deny || a.Message != "keep the old name" {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Golden("plan-answered")
	})
}

func TestElicitation(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("deploy")
		turn := p.Turn()
		_, answer := turn.Ask(session.Asked{Elicitation: &session.ElicitationAsk{Server: "deployer", Message: "Where to?",
			Schema: []byte(`{"type":"object","properties":{"stage":{"type":"string","enum":["test","live"]},"sure":{"type":"boolean"},"note":{"type":"string","title":"A note"}}}`)}})
		p.Pass(time.Second)
		p.Golden("elicitation")
		p.Keys("down", "enter", "enter")
		p.Send("hm")
		p.Keys("enter", "enter")
		if a := got(p, answer); fmt.Sprintf("%v %v", a.Decision, a.Choices) != "allow map[note:[hm] stage:[live] sure:[true]]" {
			t.Errorf("answered %+v", a)
		}
		_, answer = turn.Ask(session.Asked{Elicitation: &session.ElicitationAsk{Server: "deployer", Message: "Sign in", URL: "https://example.com/x"}})
		p.Pass(time.Second)
		p.Keys("esc")
		if a := got(p, answer); a.Decision != session.Cancel {
			t.Errorf("escape answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestUnknownAsk gets asks that say nothing: they can be declined like any other.
func TestUnknownAsk(t *testing.T) {
	for name, ask := range map[string]session.Asked{
		"nothing":      {Kind: "wish"},
		"no questions": {Question: &session.QuestionAsk{}},
		"no tool":      {Permission: &session.PermissionAsk{}},
		"no plan":      {Plan: &session.PlanAsk{}},
		"no words":     {Elicitation: &session.ElicitationAsk{}},
		"odd schema":   {Elicitation: &session.ElicitationAsk{Schema: []byte(`[1,2`)}},
	} {
		t.Run(name, func(t *testing.T) {
			Run(t, Config{}, func(p *Program) {
				p.Type("go on")
				turn := p.Turn()
				_, answer := turn.Ask(ask)
				p.Pass(time.Second)
				want := session.Deny
				switch {
				case ask.Elicitation != nil: // escape asks how to leave, and then closes the form
					p.Keys("esc", "esc")
					want = session.Cancel
				case ask.Question != nil:
					p.Keys("esc")
				default:
					p.Keys("n")
				}
				if a := got(p, answer); a.Decision != want {
					t.Errorf("answered %+v", a)
				}
				turn.End(session.TurnCompleted)
				p.Settle()
			})
		})
	}
}

// Of a change that is higher than the window the beginning is shown, where it says what is to be changed; once it is answered,
// the end of the conversation is.
func TestLongChangesAreShownFromTheBeginning(t *testing.T) {
	atSizes(t, Config{}, func(p *Program, size string) {
		p.Type("write it")
		turn := p.Turn()
		turn.Text("Some words before.")
		_, done, answer := longEdit(turn, 80)
		p.Pass(time.Second)
		p.Golden("long-change-" + size)
		p.Keys("y")
		got(p, answer)
		turn.Emit(done)
		turn.Text("The file is written.")
		p.Settle()
		if !p.Has("The file is written.") {
			t.Errorf("%s: the end is not shown:\n%s", size, p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestRuleIsReadableWhole asks with a rule, a title and a reason that are longer than the window: every word of them can be
// read, and what answers stays on the screen.
func TestRuleIsReadableWhole(t *testing.T) {
	var words []string
	for i := range 24 {
		words = append(words, fmt.Sprintf("word%02d", i))
	}
	rule := strings.Join(words[:12], " ")
	path := Dir + "/" + strings.Join(words[12:], " ") + "/last.go" // words with blanks between them are not broken
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {50, 15}, {40, 12}, {40, 10}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			Run(t, Config{Width: size.w, Height: size.h}, func(p *Program) {
				p.Type("do it")
				turn := p.Turn()
				_, answer := turn.Ask(session.Asked{Permission: &session.PermissionAsk{Tool: "Write", Path: path, Reason: "because of reasons",
					Edit: &session.FileEdit{Path: path, Patch: "@@ -1 +1 @@\n-a\n+b\n"}, Rules: []session.Rule{{Label: rule}}}})
				p.Pass(time.Second)
				if size.w == 50 {
					p.Golden("rule-long-50x15")
				}
				var seen strings.Builder
				note := func() { seen.WriteString(p.Text()) }
				for range 40 {
					note()
					if !p.Has("y  Yes") || !p.Has(" n ") && !p.Has("n  No") {
						t.Fatalf("what answers is not on the screen:\n%s", p.Text())
					}
					p.Keys("pgdown")
				}
				for range 60 {
					p.Keys("pgup")
					note()
				}
				for _, w := range append(words, "last.go", "because") {
					if !strings.Contains(seen.String(), w) {
						t.Errorf("%q was never shown:\n%s", w, p.Text())
					}
				}
				p.Answer("a")
				if a := got(p, answer); a.Rule == nil || a.Rule.Label != rule {
					t.Errorf("answered %+v", a)
				}
				turn.End(session.TurnCompleted)
				p.Settle()
			})
		})
	}
}

// TestDescriptionStandsAboveTheCommand shows what the agent says that a command is for.
func TestDescriptionStandsAboveTheCommand(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("do it")
		turn := p.Turn()
		turn.Ask(session.Asked{Permission: &session.PermissionAsk{Tool: "Bash", Command: "make clean",
			Input: []byte(`{"command":"make clean","description":"Removes what was built"}`)}})
		p.Pass(time.Second)
		_, about := p.Find("Removes what was built")
		_, command := p.Find("    make clean")
		if about >= command {
			t.Errorf("the description does not stand above the command:\n%s", p.Text())
		}
	})
}

// TestLowWindowShowsTheFirstChange has room for a row or two of a change that begins with context.
func TestLowWindowShowsTheFirstChange(t *testing.T) {
	edit := session.FileEdit{Path: Dir + "/retry.go", Patch: "@@ -7,7 +7,7 @@\n one\n two\n three\n-four\n+FOUR\n five\n six\n seven\n"}
	for _, child := range []bool{false, true} {
		Run(t, Config{Width: 50, Height: 15}, func(p *Program) {
			p.Type("do it")
			turn := p.Turn()
			q := session.Asked{Permission: &session.PermissionAsk{Tool: "Edit", Path: edit.Path, Edit: &edit,
				Rules: []session.Rule{{Tool: "Edit", Label: "edits under a directory with a long name"}}}}
			if child {
				q.Child = turn.Child("one", "looks", "Look.", true).ID
			} else {
				q.Call = turn.StartTool("Edit", `{"file_path":"retry.go"}`)
			}
			turn.Ask(q)
			p.Pass(time.Second)
			if !p.Has("four") {
				t.Errorf("the first changed line is not shown:\n%s", p.Text())
			}
		})
	}
}

// TestFirstQuestionExplainsItsKeys shows the explanation until a permission was answered, and never again.
func TestFirstQuestionExplainsItsKeys(t *testing.T) {
	given := make(chan struct{}, 2)
	const words = "nothing typed answers"
	Run(t, Config{Options: func(o *ui.Options) { o.Explained = func() { given <- struct{}{} } }}, func(p *Program) {
		p.Type("run it")
		turn := p.Turn()
		_, answer := turn.Ask(session.Asked{Question: &session.QuestionAsk{Questions: []session.Question{{Text: "Which?", Free: true}}}})
		p.Pass(time.Second)
		if p.Has(words) {
			t.Errorf("a question without these keys explains them:\n%s", p.Text())
		}
		p.Keys("esc")
		got(p, answer)
		for i, shown := range []bool{true, false} {
			_, answer = commandAsk(turn, fmt.Sprintf("make step%d", i))
			p.Pass(time.Second)
			if p.Has(words) != shown {
				t.Errorf("question %d: explained is not %v:\n%s", i, shown, p.Text())
			}
			if len(given) != i {
				t.Errorf("question %d: remembered %d times", i, len(given))
			}
			p.Keys("n")
			got(p, answer)
			p.Settle()
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}
