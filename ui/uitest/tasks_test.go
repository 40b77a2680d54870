package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
	"parley/ui/keymap"
)

var todos = []session.Todo{{Text: "read the tests", State: session.TodoDone}, {Text: "タイマーを直す", State: session.TodoDone},
	{Text: "start the timer first", Active: "starting the timer first", State: session.TodoActive}, {Text: "stop it when done", State: session.TodoPending},
	{Text: "run everything twenty times over to see whether it still flakes on the slow machine in the corner", State: session.TodoPending}}

func TestTaskList(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {40, 12}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			Run(t, Config{Width: size.w, Height: size.h}, func(p *Program) {
				p.Type("go on")
				turn := p.Turn()
				turn.Emit(session.TodosChanged{Todos: todos})
				p.Settle()
				if shown := p.Has("2/5 starting the timer first"); shown != (size.h >= 16) {
					t.Errorf("the folded task list is shown: %v\n%s", shown, p.Text())
				}
				p.Keys("ctrl+t")
				p.Golden(fmt.Sprintf("tasks-%dx%d", size.w, size.h))
				p.Keys("ctrl+t")
				done := append([]session.Todo(nil), todos...)
				for i := range done {
					done[i].State = session.TodoDone
				}
				turn.Emit(session.TodosChanged{Todos: done})
				turn.End(session.TurnCompleted)
				p.Settle()
				if p.Has("5/5") {
					t.Errorf("a finished task list stays:\n%s", p.Text())
				}
				p.Type("/tasks")
				if !p.Has("5/5 tasks") {
					t.Errorf("/tasks does not open it:\n%s", p.Text())
				}
			})
		})
	}
}

func TestChildAgents(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {40, 12}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			name := func(s string) string { return fmt.Sprintf("children-%s-%dx%d", s, size.w, size.h) }
			Run(t, Config{Width: size.w, Height: size.h}, func(p *Program) {
				p.Type("look at everything")
				turn := p.Turn()
				one := turn.Child("explore", "find every retry loop", "Find every retry loop in this repository.\n再試行を探してください。", false)
				one.Tool("Grep", `{"pattern":"retry"}`, "retry.go\n")
				one.Text("There are **two** of them.")
				in := one.Child("reader", "read retry.go", "Read retry.go.", false)
				in.Tool("Read", `{"file_path":"/home/ada/src/acme/retry.go"}`, "package acme\n")
				back := turn.Child("レビュー", "変更を確認する", "Check the change.", true)
				p.Pass(3 * time.Second)
				p.Golden(name("rows"))
				p.Keys("ctrl+up", "ctrl+x")
				if !p.Has("parley › レビュー") {
					p.Keys("esc", "ctrl+up", "ctrl+x")
				}
				p.Keys("esc")
				p.Type("/subagents")
				p.Golden(name("picker"))
				p.Keys("down", "enter")
				if size.w > 40 && !p.Has("parley › explore › reader") {
					t.Errorf("the child of the child is not shown:\n%s", p.Text())
				}
				p.Keys("esc")
				if size.w == 80 && !p.Has("parley › explore: find every retry loop") {
					t.Errorf("the child is not shown:\n%s", p.Text())
				}
				p.Golden(name("view"))
				one.Text("And a third one.")
				p.Settle()
				if !p.Has("And a third one.") {
					t.Errorf("what the child does now is not shown:\n%s", p.Text())
				}
				_, answer := turn.Ask(session.Asked{Head: one.Head(), Permission: &session.PermissionAsk{Tool: "Bash", Command: "go vet ./..."}})
				p.Pass(time.Second)
				p.Golden(name("asks"))
				p.Keys("y")
				if a := got(p, answer); a.Decision != session.Allow {
					t.Errorf("answered %+v", a)
				}
				in.End(session.TurnCompleted, "one loop")
				one.End(session.TurnCompleted, "three loops")
				p.Settle()
				p.Keys("esc")
				turn.End(session.TurnCompleted)
				p.Settle()
				p.Golden(name("background"))
				back.End(session.TurnCompleted, "fine")
				p.Settle()
				if p.Has("in the background") || p.Has("behind") {
					t.Errorf("a child that is done is still counted:\n%s", p.Text())
				}
			})
		})
	}
}

// TestAgentsNameTheKeyThatOpensThem, which may be another one or none.
func TestAgentsNameTheKeyThatOpensThem(t *testing.T) {
	for key, want := range map[string]bool{"ctrl+x": false, "f6": true} {
		Run(t, Config{Options: func(o *ui.Options) {
			o.Keys = []keymap.UserBinding{{Key: key, Action: "/mode", Where: "config.yaml:4"}}
		}}, func(p *Program) {
			p.Type("hello")
			turn := p.Turn()
			child := turn.Child("explore", "find it", "Find it.", false)
			child.Text("There.")
			p.Keys("ctrl+up")
			p.Settle()
			if p.Has("· ctrl+x") != want {
				t.Errorf("with %s as another key:\n%s", key, p.Text())
			}
			child.End(session.TurnCompleted, "found")
			turn.End(session.TurnCompleted)
			p.Settle()
		})
	}
}

// A child whose agent reports its task among what it did shows it once.
func TestTheTaskOfAChildIsShownOnce(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("look at everything")
		turn := p.Turn()
		const task = "Find every retry loop."
		one := turn.Child("explore", "find loops", task, false)
		turn.Emit(session.Steered{Head: one.Head(), Prompt: "c1.task", Said: &session.Prompt{Text: task}})
		one.Text("There are two.")
		p.Settle()
		p.Type("/subagents")
		p.Keys("enter")
		if text := p.Text(); strings.Count(text, task) != 1 || !strings.Contains(text, "There are two.") {
			t.Errorf("the child shows\n%s", text)
		}
	})
}
