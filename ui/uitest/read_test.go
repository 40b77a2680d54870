package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
)

// turns holds conversations of so many turns, the calls of which wrote long outputs.
func turns(p *Program, n int) {
	for i := range n {
		p.Type(fmt.Sprintf("question %d", i))
		turn := p.Turn()
		turn.Tool("Bash", `{"command":"make check"}`, fmt.Sprintf("needle%d in the output\ncompiling\nlinking\ntesting\n", i))
		turn.Text(fmt.Sprintf("Answer %d has several words.\n\nAnd a second paragraph.\n", i))
		turn.End(session.TurnCompleted)
	}
	p.Pass(time.Second)
}

// TestJumpByTurn goes from prompt to prompt.
func TestJumpByTurn(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		turns(p, 20)
		p.Keys("alt+up")
		p.Keys("alt+up")
		p.Keys("alt+up")
		p.Golden("turn-up")
		x, y := p.Find("> question")
		top := p.Rows()[y]
		if x != 0 || y > 2 {
			t.Errorf("no prompt is at the top:\n%s", p.Text())
		}
		p.Keys("alt+up", "alt+down")
		if _, y = p.Find("> question"); p.Rows()[y] != top {
			t.Errorf("up and down went from %q to %q", top, p.Rows()[y])
		}
		for range 20 {
			p.Keys("alt+down")
		}
		if p.Has("more below") {
			t.Errorf("down does not come to the end:\n%s", p.Text())
		}
	})
}

// TestNewIsMarked reads on while an answer comes, and goes to what is new.
func TestNewIsMarked(t *testing.T) {
	for _, s := range readSizes {
		t.Run(s.name, func(t *testing.T) {
			Run(t, Config{Settings: opus, Width: s.w, Height: s.h}, func(p *Program) {
				turns(p, 8)
				p.Type("go on")
				turn := p.Turn()
				p.Settle()
				p.Keys("pgup", "pgup")
				turn.Text("This is new.")
				for i := range 8 {
					turn.Text(fmt.Sprintf("And so is this, %d.", i))
				}
				p.Settle()
				if !p.Has("new below") && !p.Has("↓ 9 new") {
					t.Errorf("it does not say that something came:\n%s", p.Text())
				}
				p.Keys("alt+end")
				p.Golden("new-" + s.name)
				if !p.Has("── new ──") || !p.Has("This is new.") {
					t.Errorf("the new is not marked:\n%s", p.Text())
				}
				p.Keys("end")
				p.Pass(time.Second)
				turn.End(session.TurnCompleted)
				p.Type("next")
				p.Turn().End(session.TurnCompleted)
				p.Keys("alt+up")
				p.Keys("pgup")
				if p.Has("── new ──") {
					t.Errorf("the mark stays:\n%s", p.Text())
				}
			})
		})
	}
}

// TestFoldAll opens and folds everything at once.
func TestFoldAll(t *testing.T) {
	eachReadSize(t, Config{}, func(p *Program, size string) {
		p.Keys("alt+a")
		p.Golden("fold-all-open-" + size)
		p.Keys("home", "end", "alt+a")
		if p.Has("lost the race again") {
			t.Errorf("not everything is folded:\n%s", p.Text())
		}
	})
}

// TestTimes shows when things were, and hides it again.
func TestTimes(t *testing.T) {
	eachReadSize(t, Config{}, func(p *Program, size string) {
		before := p.Text()
		p.Keys("alt+i", "home")
		p.Golden("times-" + size)
		p.Keys("alt+i", "end")
		if p.Text() != before {
			t.Errorf("times stay:\n%s", p.Text())
		}
	})
}

// TestCopyAnswer copies the answer and its code by key.
func TestCopyAnswer(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Keys("alt+w")
		if _, n := p.Copied(); n != 0 || !p.Has("No answer to copy") {
			t.Errorf("an empty chat:\n%s", p.Text())
		}
		talk(p)
		p.Keys("alt+w")
		if got, _ := p.Copied(); got != strings.TrimSpace(talked) {
			t.Errorf("copied %q", got)
		}
		p.Golden("copied-answer")
		p.Keys("alt+k")
		if got, _ := p.Copied(); got != "func wait() {\n\ttimer := time.NewTimer(backoff)\n\t<-timer.C\n}" {
			t.Errorf("copied %q", got)
		}
	})
}

// TestCopyCodePicks lets the user pick one of several code blocks.
func TestCopyCodePicks(t *testing.T) {
	for _, s := range readSizes {
		t.Run(s.name, func(t *testing.T) {
			Run(t, Config{Settings: opus, Width: s.w, Height: s.h}, func(p *Program) {
				p.Type("how?")
				turn := p.Turn()
				turn.Text("First:\n\n```sh\nmake all\n```\n\n1. then\n\n   ```go\n   func a() {\n   \treturn\n   }\n   ```\n")
				turn.End(session.TurnCompleted)
				p.Pass(time.Second)
				p.Keys("alt+k")
				p.Golden("copy-code-" + s.name)
				p.Keys("down", "enter")
				if got, _ := p.Copied(); got != "func a() {\n\treturn\n}" {
					t.Errorf("copied %q", got)
				}
			})
		})
	}
}

// TestLastAnswerStays leaves the program: the last answer stands on the normal screen in its colours, whole if it is not
// very long.
func TestLastAnswerStays(t *testing.T) {
	for _, n := range []int{30, 1000} {
		Run(t, Config{}, func(p *Program) {
			turns(p, 3)
			p.Type("tell me more")
			turn := p.Turn()
			var text strings.Builder
			for i := range n {
				fmt.Fprintf(&text, "Line **%d** of it.\n\n", i)
			}
			turn.Text(text.String())
			turn.End(session.TurnCompleted)
			p.Pass(time.Second)
			p.Send("\x04")
			p.Left()
			raw := p.Raw()
			tail := raw[strings.LastIndex(raw, "\x1b[?1049l"):]
			rows := strings.Count(tail, "\n")
			whole := n == 30
			if has := strings.Contains(tail, "tell me more"); has != whole {
				t.Errorf("%d paragraphs: the prompt is there: %v\n%q", n, has, tail)
			}
			if !strings.Contains(tail, fmt.Sprintf("Line \x1b[1m%d", n-1)) {
				t.Errorf("%d paragraphs: the end is not there in its style\n%q", n, tail[max(0, len(tail)-300):])
			}
			if rows > 210 || !whole && (rows < 200 || !strings.Contains(tail, "rows before this")) {
				t.Errorf("%d paragraphs: %d rows", n, rows)
			}
			if !strings.Contains(tail, "Resume with: parley -r") {
				t.Error("it does not say how to go on")
			}
		})
	}
}

// TestInlineLeavesReadingToTheTerminal presses the keys that cannot do anything where the terminal scrolls by itself.
func TestInlineLeavesReadingToTheTerminal(t *testing.T) {
	Run(t, Config{Options: func(o *ui.Options) { o.Appearance.Inline = true }}, func(p *Program) {
		if strings.Contains(p.Raw(), "\x1b[?1002h") {
			t.Error("the mouse is taken")
		}
		talk(p)
		for _, k := range []string{"ctrl+f", "alt+s", "alt+up", "alt+a", "alt+m"} {
			p.Keys(k)
			if !p.Has("find and select with the terminal") {
				t.Errorf("%s:\n%s", k, p.Text())
			}
		}
		p.Keys("alt+w")
		if got, _ := p.Copied(); got != strings.TrimSpace(talked) {
			t.Errorf("copied %q", got)
		}
		p.Send("x")
		if !p.Has("> x") {
			t.Errorf("the keyboard does not write:\n%s", p.Text())
		}
	})
}

// TestTimesInANarrowWindow are cut by the piece and never within a word.
func TestTimesInANarrowWindow(t *testing.T) {
	Run(t, Config{Width: 50, Height: 15}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Text("Well.")
		p.Pass(3 * time.Second)
		turn.Emit(session.UsageReported{Usage: session.Usage{Input: 92000, Output: 1200}, Model: "claude-sonnet-4.6"})
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Keys("alt+i")
		if !p.Has("92k in, 1k out") {
			t.Errorf("the tokens are cut off:\n%s", p.Text())
		}
	})
}
