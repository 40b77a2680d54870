package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
)

// readSizes are the windows that reading is checked in.
var readSizes = []struct {
	name string
	w, h int
}{{"80x24", 80, 24}, {"120x40", 120, 40}, {"40x12", 40, 12}}

// eachReadSize runs f in windows of all sizes with a conversation on the screen.
func eachReadSize(t *testing.T, c Config, f func(p *Program, size string)) {
	t.Helper()
	for _, s := range readSizes {
		t.Run(s.name, func(t *testing.T) {
			c := c
			c.Width, c.Height, c.World, c.Settings = s.w, s.h, nil, opus
			Run(t, c, func(p *Program) {
				talk(p)
				f(p, s.name)
			})
		})
	}
}

const talked = "The timer is started **after** the response, so that a slow machine loses the race between the two of them.\n\n" +
	"```go\nfunc wait() {\n\ttimer := time.NewTimer(backoff)\n\t<-timer.C\n}\n```\n\n- start it first\n- stop it when done\n"

// talk holds a conversation of one turn.
func talk(p *Program) {
	p.Type(question)
	turn := p.Turn()
	turn.Reasoning(6*time.Second, "The test might race with the shutdown of the server.")
	turn.Tool("Bash", `{"command":"go test ./..."}`, "lost the race again\nok  \tacme/a\t0.01s\nok  \tacme/b\t0.01s\nFAIL\tacme/upload\t0.1s\n")
	turn.Text(talked)
	turn.End(session.TurnCompleted)
	p.Pass(time.Second)
}

// TestSelectByDrag drags over an answer: what is copied is its source.
func TestSelectByDrag(t *testing.T) {
	eachReadSize(t, Config{}, func(p *Program, size string) {
		var x, y int
		if size == "40x12" {
			p.Wheel(-1)
			x, y = p.Find("func wait")
		} else {
			x, y = p.Find("The timer is")
		}
		p.Press(x, y)
		p.Drag(x+3, y+1)
		X, Y := p.Find("}")
		p.Drag(X+1, Y)
		p.Golden("select-" + size)
		p.Release(X+1, Y)
		p.Settle()
		want := talked[:strings.Index(talked, "\n\n- start")]
		if size == "40x12" {
			want = "func wait() {\n\ttimer := time.NewTimer(backoff)\n\t<-timer.C\n}"
		}
		if got, _ := p.Copied(); got != want {
			t.Errorf("copied %q, want %q", got, want)
		}
		if !p.Has("OSC 52") && size != "40x12" {
			t.Errorf("it does not say how:\n%s", p.Text())
		}
		p.Golden("selected-" + size)
		p.Send("x")
		if strings.Contains(p.Dump(), "bg=#005f87") {
			t.Error("typing does not let go of what was selected")
		}
	})
}

// TestSelectWordsAndLines clicks twice and three times.
func TestSelectWordsAndLines(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		talk(p)
		x, y := p.Find("NewTimer")
		p.Click(x+2, y, 2)
		if got, _ := p.Copied(); got != "time.NewTimer" {
			t.Errorf("a double click copied %q", got)
		}
		p.Pass(time.Second)
		p.Click(x+2, y, 3)
		if got, _ := p.Copied(); got != "\ttimer := time.NewTimer(backoff)" {
			t.Errorf("a triple click copied %q", got)
		}
		p.Pass(time.Second)
		x, y = p.Find("them.") // the second row of a paragraph
		p.Click(x, y, 3)
		if got, _ := p.Copied(); got != strings.SplitN(talked, "\n", 2)[0] {
			t.Errorf("a triple click on a paragraph copied %q", got)
		}
		p.Golden("select-paragraph")
		_, n := p.Copied()
		p.Pass(time.Second)
		p.Click(x, y, 1)
		if _, now := p.Copied(); now != n {
			t.Error("a click copied something")
		}
	})
}

// TestSelectWideCharacters drags over text whose characters take two cells, by halves of them.
func TestSelectWideCharacters(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("なぜテストが失敗しますか？")
		turn := p.Turn()
		turn.Text(japanese)
		turn.End(session.TurnCompleted)
		p.Pass(time.Second)
		x, y := p.Find("テストが時々")
		p.Press(x+1, y)
		X, Y := p.Find("遅い機械")
		p.Drag(X+2, Y)
		p.Golden("select-cjk-80x24")
		p.Release(X+2, Y)
		p.Settle()
		from, to := strings.Index(japanese, "テストが時々"), strings.Index(japanese, "機械では")
		if got, _ := p.Copied(); got != japanese[from:to] {
			t.Errorf("copied %q, want %q", got, japanese[from:to])
		}
	})
}

func TestSelectOnLightAndPlain(t *testing.T) {
	for name, o := range map[string]func(*ui.Options){"light": func(o *ui.Options) { o.Theme = "parley-light" }, "no-colour": func(o *ui.Options) { o.Profile = 2 }} {
		Run(t, Config{Settings: opus, Options: o}, func(p *Program) {
			talk(p)
			x, y := p.Find("func wait")
			p.Press(x, y)
			p.Drag(x+20, y+2)
			p.Golden("select-" + name + "-80x24")
			p.Release(x+20, y+2)
			p.Keys("ctrl+f")
			p.Send("timer")
			p.Settle()
			p.Golden("find-" + name + "-80x24")
		})
	}
}

// TestDragScrollsAtTheEdge holds the pointer above the conversation: it scrolls on by itself, and no longer when it is
// let go of.
func TestDragScrollsAtTheEdge(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		var text strings.Builder
		for i := range 100 {
			fmt.Fprintf(&text, "Paragraph %d.\n\n", i)
		}
		turn.Text(text.String())
		turn.End(session.TurnCompleted)
		p.Pass(time.Second)
		x, y := p.Find("Paragraph 99.")
		p.Press(x+13, y)
		p.Drag(x, 0)
		p.Pass(time.Second)
		if !p.Has("> hello") && !p.Has("more below") {
			t.Errorf("it did not scroll:\n%s", p.Text())
		}
		p.Release(x, 0)
		p.Pass(5 * time.Second)
		got, _ := p.Copied()
		if !strings.HasSuffix(got, "Paragraph 98.\n\nParagraph 99.") || strings.Count(got, "\n") < 30 {
			t.Errorf("copied %q", got)
		}
		counts := p.Counts()
		p.Send("\x1b[I")         // what was counted was read before what comes now
		p.Pass(20 * time.Second) // the line that says what was copied goes
		if now := p.Counts(); now.Updates-counts.Updates > 2 {
			t.Errorf("after the drag %d updates", now.Updates-counts.Updates)
		}
	})
}

// TestDragWhileTextStreams keeps what is selected while the answer grows below it.
func TestDragWhileTextStreams(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		part := turn.OpenPart(session.PartText, "First words here.\n\nSecond words.\n\n")
		p.Settle()
		x, y := p.Find("First words")
		p.Press(x, y)
		p.Drag(x+10, y)
		for i := range 40 {
			turn.Emit(session.PartDelta{Part: part, Text: fmt.Sprintf("More %d.\n\n", i)})
			p.Pass(50 * time.Millisecond)
		}
		p.Release(x+10, y)
		p.Settle()
		if got, _ := p.Copied(); got != "First words" && !strings.HasPrefix(got, "First words here.") {
			t.Errorf("copied %q", got)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestClicksFold opens and folds a row with the mouse, and leaves what was opened to be selected.
func TestClicksFold(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		talk(p)
		x, y := p.Find("ran go test")
		p.Click(x, y, 1)
		if !p.Has("lost the race again") {
			t.Fatalf("the click did not open the row:\n%s", p.Text())
		}
		p.Golden("click-opens")
		p.Pass(time.Second)
		x, y = p.Find("lost the race again")
		p.Click(x, y, 3)
		if got, _ := p.Copied(); got != "lost the race again" {
			t.Errorf("copied %q of the output", got)
		}
		x, y = p.Find("acme/upload")
		p.Pass(time.Second)
		p.Click(x, y, 3)
		if got, _ := p.Copied(); got != "FAIL\tacme/upload\t0.1s" {
			t.Errorf("copied %q, without its tabs", got)
		}
		p.Pass(time.Second)
		p.Keys("pgup")
		x, y = p.Find("ran go test")
		p.Click(x, y, 1)
		if p.Has("lost the race again") {
			t.Errorf("the click did not fold the row:\n%s", p.Text())
		}
	})
}

// TestMouseIsLeftToTheTerminal switches the mouse off and on by key, and starts without it.
func TestMouseIsLeftToTheTerminal(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		talk(p)
		if !strings.Contains(p.Raw(), "\x1b[?1002h") || !strings.Contains(p.Raw(), "\x1b[?1006h") {
			t.Error("the mouse is not taken at the start")
		}
		p.Keys("alt+m")
		if !strings.Contains(p.Raw(), "\x1b[?1002l") || !p.Has("alt+m takes it back") {
			t.Errorf("the mouse is not given back:\n%s", p.Text())
		}
		x, y := p.Find("NewTimer")
		p.Click(x, y, 2)
		if _, n := p.Copied(); n != 0 {
			t.Error("a click of the terminal's own did something")
		}
		p.Keys("alt+m")
		p.Click(x, y, 2)
		if got, _ := p.Copied(); got != "time.NewTimer" {
			t.Errorf("copied %q", got)
		}
	})
	Run(t, Config{Options: func(o *ui.Options) { o.NoMouse = true }}, func(p *Program) {
		if strings.Contains(p.Raw(), "\x1b[?1002h") {
			t.Error("the mouse is taken though it should not be")
		}
	})
}

// TestSelectionIsKept copies only when asked to, if that is configured.
func TestSelectionIsKept(t *testing.T) {
	Run(t, Config{Options: func(o *ui.Options) { o.KeepSelection = true }}, func(p *Program) {
		talk(p)
		x, y := p.Find("NewTimer")
		p.Click(x, y, 2)
		if _, n := p.Copied(); n != 0 || !p.Has("ctrl+c to copy the selection") {
			t.Errorf("copied %d times:\n%s", n, p.Text())
		}
		p.Keys("ctrl+c")
		if got, _ := p.Copied(); got != "time.NewTimer" || p.Has("again leaves") {
			t.Errorf("copied %q:\n%s", got, p.Text())
		}
		p.Keys("ctrl+c")
		if !p.Has("again leaves") {
			t.Errorf("ctrl+c does not do what it did:\n%s", p.Text())
		}
	})
}

// TestSelectByKeyboard goes through the conversation with the keys of vim.
func TestSelectByKeyboard(t *testing.T) {
	eachReadSize(t, Config{}, func(p *Program, size string) {
		p.Keys("alt+s", "k", "k", "k", "k", "^")
		p.Keys("V", "j")
		p.Golden("walk-" + size)
		p.Keys("y")
		if got, _ := p.Copied(); !strings.Contains(got, "}") && !strings.Contains(got, "- start") {
			t.Errorf("copied %q:\n%s", got, p.Text())
		}
		p.Keys("alt+s", "g", "w", "v", "w", "w", "y")
		if got, _ := p.Copied(); !strings.HasPrefix(got, "why") && !strings.Contains(got, " ") {
			t.Errorf("copied %q", got)
		}
		p.Keys("end")
		p.Keys("alt+s", "k", "k", "k", "k", "k", "c")
		if got, _ := p.Copied(); size != "40x12" && !strings.HasPrefix(got, "func wait() {\n\ttimer") {
			t.Errorf("c copied %q:\n%s", got, p.Text())
		}
		p.Keys("esc")
		p.Send("written")
		if !p.Has("> written") {
			t.Errorf("the keyboard does not write any more:\n%s", p.Text())
		}
	})
}
