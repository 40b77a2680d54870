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

// planQuestion begins a turn that asks about a plan.
func planQuestion(p *Program, plan string) (turn turnOfAPlan, answer <-chan session.Answer) {
	p.Type("plan it")
	turn = p.Turn()
	answer = askPlan(turn, plan)
	p.Pass(time.Second)
	return turn, answer
}

type turnOfAPlan = interface {
	Ask(session.Asked) (session.AskID, <-chan session.Answer)
	End(session.TurnOutcome)
}

// TestEditPlanInPlace changes a plan in the question and goes on with it in every way.
func TestEditPlanInPlace(t *testing.T) {
	for key, check := range map[string]func(session.Answer) bool{
		"y": func(a session.Answer) bool {
			return a.Decision == session.Allow && a.Plan == "Do it twice.\n\nThen 休む." && a.Mode == session.ModeDefault
		},
		"a": func(a session.Answer) bool {
			return a.Decision == session.Allow && strings.HasPrefix(a.Plan, "Do it twice.") && a.Mode == session.ModeAcceptEdits
		},
		"n": func(a session.Answer) bool {
			return a.Decision == session.Deny && a.Plan == "" && strings.HasSuffix(a.Message, "Do it twice.\n\nThen 休む.")
		},
		"d": func(a session.Answer) bool {
			return a.Decision == session.Allow && a.Plan == ""
		},
	} {
		t.Run(key, func(t *testing.T) {
			Run(t, Config{}, func(p *Program) {
				turn, answer := planQuestion(p, "Do it.\n")
				p.Answer("e")
				p.Keys("end", "backspace")
				p.Send(" twice.")
				p.Keys("enter", "enter")
				p.Send("Then 休む.")
				p.Settle()
				unanswered(t, answer)
				p.Keys("esc")
				if !p.Has("Go on with your version?") || !p.Has("+ Do it twice.") || !p.Has("- Do it.") {
					t.Errorf("the difference is not shown:\n%s", p.Text())
				}
				p.Answer(key)
				if key == "d" {
					if !p.Has("Go on with this plan?") {
						t.Errorf("the plan is not asked about again:\n%s", p.Text())
					}
					p.Answer("y")
				}
				if a := got(p, answer); !check(a) {
					t.Errorf("answered %+v", a)
				}
				turn.End(session.TurnCompleted)
				p.Settle()
				if key == "y" && !p.Has("approved as you changed it") {
					t.Errorf("the conversation does not tell:\n%s", p.Text())
				}
			})
		})
	}
}

// TestEscapeKeepsAnEditedPlan presses escape often: it goes between the editor and the question, and stops nothing.
func TestEscapeKeepsAnEditedPlan(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		turn, answer := planQuestion(p, "Do it.")
		p.Answer("e")
		p.Send("Please: ")
		p.Settle()
		for range 5 {
			p.Keys("esc")
			unanswered(t, answer)
			if !p.Has("Please: Do it.") || p.Has("stopping") {
				t.Fatalf("escape lost the plan:\n%s", p.Text())
			}
		}
		p.Answer("y")
		if a := got(p, answer); a.Plan != "Please: Do it." {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestApproveWithAMessage says something with a yes.
func TestApproveWithAMessage(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		turn, answer := planQuestion(p, "Do it.")
		p.Keys("tab")
		unanswered(t, answer)
		p.Send("but use -v")
		p.Keys("enter")
		if a := got(p, answer); a.Decision != session.Allow || a.Message != "but use -v" || a.Mode != session.ModeDefault {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestEditedPlanIsNotLost lets the ask end elsewhere while its plan is edited, and after: the text is in the prompt.
func TestEditedPlanIsNotLost(t *testing.T) {
	for _, done := range []bool{false, true} {
		for _, how := range []string{"ctrl+c", "ended"} {
			t.Run(fmt.Sprintf("%s/%v", how, done), func(t *testing.T) {
				Run(t, Config{}, func(p *Program) {
					p.Type("plan it")
					turn := p.Turn()
					askPlan(turn, "Do it.\n")
					p.Pass(time.Second)
					p.Answer("e")
					p.Send("Please: ")
					p.Settle()
					if done {
						p.Keys("esc")
					}
					if how == "ended" {
						turn.End(session.TurnFailed)
					} else {
						p.Keys("ctrl+c")
					}
					p.Pass(time.Second)
					if !p.Has("> Please: Do it.") || !p.Has("Your edits are in the prompt") {
						t.Errorf("the text is lost:\n%s", p.Text())
					}
				})
			})
		}
	}
}

// TestEmptyPlanIsRefused says why, and stays in the editor.
func TestEmptyPlanIsRefused(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		turn, answer := planQuestion(p, "Do it.")
		p.Answer("e")
		p.Keys("ctrl+k", "esc")
		if !p.Has("An empty plan can't be used") || !p.Has("Edit the plan") {
			t.Errorf("an empty plan is taken:\n%s", p.Text())
		}
		p.Keys("ctrl+_", "esc")
		if !p.Has("Go on with this plan?") {
			t.Errorf("undo does not bring the plan back:\n%s", p.Text())
		}
		unanswered(t, answer)
		p.Answer("n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestPlanEditorTakesKeys pastes 5,000 lines, moves by pages, resizes, undoes, and holds the letter that opened it.
func TestPlanEditorTakesKeys(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		turn, answer := planQuestion(p, "Do it.")
		p.Answer("e")
		p.Pass(200 * time.Millisecond)
		for range 20 { // the letter is still held down
			p.Send("e")
			p.Pass(30 * time.Millisecond)
		}
		if !p.Has("│ Do it.") {
			t.Errorf("a held key writes:\n%s", p.Text())
		}
		p.Pass(time.Second)
		p.Send("e")
		p.Settle()
		if !p.Has("│ eDo it.") {
			t.Errorf("the letter cannot be typed any more:\n%s", p.Text())
		}
		p.Keys("ctrl+end")
		p.Send("\x1b[200~" + strings.Repeat("\nanother 行", 5000) + "\x1b[201~")
		p.Settle()
		if !p.Has("line 5,001 of 5,001") || !p.Has("another 行") {
			t.Errorf("after the paste:\n%s", p.Text())
		}
		p.Keys("pgup")
		if p.Has("line 5,001 of 5,001") || !p.Has("of 5,001") {
			t.Errorf("a page up:\n%s", p.Text())
		}
		p.Resize(40, 12)
		p.Resize(120, 40)
		p.Settle()
		p.Keys("ctrl+home")
		if !p.Has("line 1 of 5,001") || !p.Has("│ eDo it.") {
			t.Errorf("at the start:\n%s", p.Text())
		}
		p.Keys("ctrl+_")
		if !p.Has("line 1 of 1") {
			t.Errorf("undo of the paste:\n%s", p.Text())
		}
		p.Keys("ctrl+_", "esc", "n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestHeldLettersOpenEmptyFields holds the letters that open a reason and a note: nothing of that is written.
func TestHeldLettersOpenEmptyFields(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		hold := func(key string) {
			p.Answer(key)
			p.Pass(200 * time.Millisecond)
			for range 20 {
				p.Send(key)
				p.Pass(30 * time.Millisecond)
			}
			p.Pass(time.Second)
		}
		answer := ask(turn, errorStyles)
		p.Pass(time.Second)
		hold("n")
		p.Send("nothing else")
		p.Keys("enter")
		hold("m")
		p.Send("my reason")
		if !p.Has("note: nothing else") && !p.Has("do not answer: my reason") {
			t.Errorf("held letters were written:\n%s", p.Text())
		}
		p.Keys("enter")
		if a := got(p, answer); a.Message != "my reason" {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestEditorFromTheQuestionsEditor opens the user's editor from the plan that is edited.
func TestEditorFromTheQuestionsEditor(t *testing.T) {
	var read string
	editor := func(o *ui.Options) { o.Editor = appending(&read, " And again.") }
	Run(t, Config{Options: editor}, func(p *Program) {
		turn, answer := planQuestion(p, "Do it.")
		p.Answer("e")
		p.Send("Please: ")
		p.Keys("ctrl+g")
		p.Pass(time.Second)
		p.Keys("left") // swallowed by the read of the pipe that was given up
		p.Pass(time.Second)
		if strings.TrimSpace(read) != "Please: Do it." || !p.Has("+ Please: Do it. And again.") {
			t.Errorf("the editor got %q:\n%s", read, p.Text())
		}
		p.Answer("y")
		if a := got(p, answer); a.Plan != "Please: Do it. And again." {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// appending is an editor that remembers what it read and adds words to it.
func appending(read *string, words string) EditorFunc {
	return func(path string, _ io.Reader, _, _ io.Writer) error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		*read = string(text)
		return os.WriteFile(path, []byte(strings.TrimRight(*read, "\n")+words+"\n"), 0o600)
	}
}

// TestEditedPlanSurvivesTheProcess kills the program while a plan is edited, and after: the next one has it in the prompt.
func TestEditedPlanSurvivesTheProcess(t *testing.T) {
	for _, done := range []bool{false, true} {
		drafts := &memoryDrafts{}
		with := func(o *ui.Options) { o.Drafts = drafts }
		Run(t, Config{Options: with}, func(p *Program) {
			planQuestion(p, "Do it.")
			p.Answer("e")
			p.Send("Please: ")
			p.Settle()
			if done {
				p.Keys("esc")
			}
			p.Pass(2 * time.Second)
			if got := drafts.get("session:" + string(p.Session.ID())); !strings.Contains(got, "Please: Do it.") {
				t.Errorf("done %v: the draft is %q", done, got)
			}
			if done {
				p.Answer("d")
				p.Pass(2 * time.Second)
				if got := drafts.get("session:" + string(p.Session.ID())); strings.Contains(got, "Please") {
					t.Errorf("what was dropped is still there: %q", got)
				}
			}
		})
	}
}
