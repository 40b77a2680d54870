package uitest

import (
	"fmt"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
	"parley/ui"
	"parley/ui/core"
)

// long is a title that no list has room for.
const long = "Why the upload test flakes on the slow runner when the retry comes before the server has closed its listener"

// shelf stores sessions, one with a long title, and one that another window has.
func shelf() *sessiontest.World {
	w := library()
	w.Journals.Put(session.Meta{ID: "s5", Agent: "builtin", Dir: Dir, Title: long, First: "why?", Turns: 3, Updated: time.Date(1999, 12, 31, 12, 0, 0, 0, time.UTC)})
	return w
}

// TestResumeActs renames and deletes sessions in their list, brings them back from the bin, and asks before it deletes one there.
func TestResumeActs(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 12}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			w := shelf()
			w.Bin(t.TempDir())
			all := w.Journals.Count()
			Run(t, Config{Width: size[0], Height: size[1], World: w}, func(p *Program) {
				p.Type("/resume")
				p.Keys("down", "tab")
				p.Golden("resume-acts-" + name)
				p.Send("r")
				p.Keys("ctrl+u")
				p.Send("Flaky uploads")
				p.Golden("resume-rename-" + name)
				p.Keys("enter")
				p.Settle()
				if !p.Has("Flaky uploads") || session.Fold(w.Journals.Stored("s5")).Title != "Flaky uploads" {
					t.Errorf("the title is not stored:\n%s", p.Text())
				}
				p.Keys("tab")
				p.Send("d")
				p.Settle()
				p.Golden("resume-delete-" + name)
				if w.Journals.Stored("s5") != nil || p.Has("❯ Flaky uploads") {
					t.Errorf("the session is still there:\n%s", p.Text())
				}
				p.Keys("alt+u")
				p.Settle()
				if w.Journals.Stored("s5") == nil || !p.Has("Flaky uploads") {
					t.Errorf("the session is not back:\n%s", p.Text())
				}
				p.Keys("ctrl+x")
				p.Settle()
				p.Send("is:deleted")
				p.Settle()
				p.Golden("resume-bin-" + name)
				p.Keys("ctrl+x")
				p.Settle()
				p.Golden("resume-for-good-" + name)
				p.Keys("esc", "enter") // opens it once it is back
				p.Settle()
				if w.Journals.Count() != all || p.Has("is:deleted") {
					t.Errorf("%d sessions, the deleted one is not open:\n%s", w.Journals.Count(), p.Text())
				}
			})
		})
	}
}

// TestSessionsInUseStay tries to delete the session that is shown, and one that another window has.
func TestSessionsInUseStay(t *testing.T) {
	w := shelf()
	Run(t, Config{World: w}, func(p *Program) {
		j, _, _, err := w.Journals.Open(t.Context(), "s2")
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		p.Type("/resume")
		p.Keys("enter")
		p.Settle()
		p.Type("/resume")
		p.Keys("ctrl+x")
		if !p.Has("open here") {
			t.Errorf("the session that is shown can be deleted:\n%s", p.Text())
		}
		if !p.Has("Retry with jitter (open elsewhere)") {
			t.Errorf("the row does not say that the session is open:\n%s", p.Text())
		}
		p.Send("jitter")
		p.Keys("ctrl+x")
		p.Settle()
		if !p.Has("Not deleted.") || p.Has("Delete this session?") {
			t.Errorf("a session in use can be deleted:\n%s", p.Text())
		}
	})
}

// TestEscapeLeavesWhatWasStarted clears the filter, and then leaves the program that was started for the list.
func TestEscapeLeavesWhatWasStarted(t *testing.T) {
	for _, keys := range [][]string{{"esc", "esc"}, {"ctrl+c"}} {
		words := "jitter"
		Run(t, Config{World: library(), Options: func(o *ui.Options) { o.Resume = &words }}, func(p *Program) {
			p.Golden("resume-started")
			p.Keys(keys[:len(keys)-1]...)
			if len(keys) > 1 && !p.Has("first sketch") {
				t.Errorf("escape has not cleared the filter:\n%s", p.Text())
			}
			p.Keys(keys[len(keys)-1])
			if r := p.Left(); r.Reason != core.LeftQuit || r.Begun {
				t.Errorf("left with %+v", r)
			}
		})
	}
	Run(t, Config{World: library()}, func(p *Program) {
		p.Type("/resume")
		p.Keys("esc")
		if !p.Has("asks before it acts") {
			t.Errorf("the chat is not back:\n%s", p.Text())
		}
	})
}

// TestResumeFindsWords finds sessions by the words of their prompts and answers, with the passages marked in the preview.
func TestResumeFindsWords(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 12}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			w := shelf()
			h := session.Head{Session: "s6", Turn: "t"}
			w.Journals.Put(session.Meta{ID: "s6", Agent: "builtin", Dir: "/home/ada/src/other", Title: "Tidy the cellar", Turns: 1},
				session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "Where is the Thermostat of the boiler?"}},
				session.PartStarted{Head: h, Part: "p", Kind: session.PartText},
				session.PartDelta{Head: h, Part: "p", Text: "Behind the pump. The ther"}, session.PartDelta{Head: h, Part: "p", Text: "mostat has a red knob that turns."},
				session.PartEnded{Head: h, Part: "p"}, session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
			Run(t, Config{Width: size[0], Height: size[1], World: w}, func(p *Program) {
				p.Type("/resume")
				p.Send("thermostat kn")
				if p.Has("Tidy the cellar") {
					t.Error("every letter looks for words")
				}
				p.Pass(time.Second)
				p.Send("ob")
				p.Pass(time.Second)
				p.Golden("resume-words-" + name)
				p.Send("s")
				p.Pass(time.Second)
				if !p.Has("nothing matches") {
					t.Errorf("a session has a word that was not said:\n%s", p.Text())
				}
				p.Keys("backspace")
				p.Pass(time.Second)
				p.Keys("enter")
				p.Settle()
				if !p.Has("Where is the Thermostat") {
					t.Errorf("the session is not opened:\n%s", p.Text())
				}
			})
		})
	}
}
