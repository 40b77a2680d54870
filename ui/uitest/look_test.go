package uitest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
)

const japanese = "アップロードのテストが時々失敗する理由は、タイマーが応答の後で始まるためです。" +
	"遅い機械では最後の再試行が読まれる前にサーバーが閉じます。\n\n- 最初にタイマーを始める\n- 終わったら止める 👩‍👩‍👧\n\n| 名前 | 値 |\n|---|---|\n| 再試行 | 三 |\n"

func TestWideCharacters(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("なぜテストが失敗しますか？")
		turn := p.Turn()
		turn.Reasoning(2*time.Second, "競合かもしれない。")
		turn.Tool("Read", `{"file_path":"/home/ada/src/acme/テスト.go"}`, "一\n二\n")
		turn.Text(japanese)
		turn.End(session.TurnCompleted)
		p.Send("日本語を書く")
		p.Settle()
		p.Golden("cjk-80x24")
	})
}

func TestLightBackground(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Text("Some `code` and a [link](https://go.dev).\n\n```go\nx := 1 // comment\n```\n")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Golden("dark-80x24")
		p.Send("\x1b]11;rgb:ffff/ffff/eeee\x07") // the terminal answers that its background is light
		p.Settle()
		p.Golden("light-80x24")
		p.Send("\x1b[?997;1n") // and now the system has become dark
		p.Send("\x1b]11;rgb:1a1a/1b1b/1e1e\x07")
		p.Settle()
		p.Golden("dark-80x24")
	})
}

func TestFixedTheme(t *testing.T) {
	Run(t, Config{Settings: opus, Options: func(o *ui.Options) { o.Theme = "parley-dark" }}, func(p *Program) {
		before := p.Dump()
		p.Send("\x1b]11;rgb:ffff/ffff/eeee\x07")
		p.Settle()
		if p.Dump() != before {
			t.Error("a fixed theme followed the background")
		}
	})
}

func TestLowWindow(t *testing.T) {
	Run(t, Config{Width: 40, Height: 12, Settings: opus}, func(p *Program) {
		p.Golden("empty-40x12")
		p.Type("start the timer first")
		turn := p.Turn()
		answer := editAsk(turn)
		p.Pass(time.Second)
		p.Golden("prompt-40x12")
		p.Keys("n")
		got(p, answer)
		_, answer = commandAsk(turn, "one\ntwo\nthree\nfour\nfive\nsix\nseven")
		p.Pass(time.Second)
		p.Golden("prompt-command-40x12")
		p.Resize(40, 10)
		p.Golden("prompt-command-40x10")
		p.Resize(40, 12)
		p.Pass(time.Second)
		p.Keys("n")
		got(p, answer)
		turn.Text(answerText[2])
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Golden("answer-40x12")
	})
}

// TestResizeKeepsTheReadingPosition scrolls up while text streams and changes the width.
func TestResizeKeepsTheReadingPosition(t *testing.T) {
	Run(t, Config{Width: 100, Height: 30}, func(p *Program) {
		p.Type("count")
		turn := p.Turn()
		for i := range 100 {
			turn.Text(fmt.Sprintf("Paragraph %d is about something that takes more than one row in a narrow window, and so on and on.\n\n", i))
		}
		part := turn.OpenPart(session.PartText, "still ")
		p.Settle()
		p.Keys("pgup", "pgup", "pgup")
		top := topParagraph(p)
		for _, w := range []int{60, 140, 80, 41, 100} {
			p.Resize(w, 30)
			turn.Emit(session.PartDelta{Part: part, Text: "growing "})
			p.Settle()
			if now := topParagraph(p); now != top {
				t.Errorf("at %d columns %q is at the top, was %q:\n%s", w, now, top, p.Text())
			}
		}
		if p.Has("growing") || !p.Has("below · ctrl+end") {
			t.Errorf("it does not say that there is more below:\n%s", p.Text())
		}
		p.Golden("scrolled-100x30")
		p.Keys("ctrl+end")
		if !p.Has("growing") {
			t.Errorf("ctrl+end does not show the end:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestResizeInsideAnAnswer does the same within one long answer, which is a single item.
func TestResizeInsideAnAnswer(t *testing.T) {
	Run(t, Config{Width: 100, Height: 30}, func(p *Program) {
		p.Type("count")
		turn := p.Turn()
		part := turn.OpenPart(session.PartText)
		for i := range 200 {
			text := fmt.Sprintf("Paragraph %d is about something that takes more than one row in a narrow window, and so on.\n\n", i)
			if i%20 == 7 {
				text += "```go\nx := compute(1, 2, 3) // a line of code that is long enough to be wrapped in a window\n```\n\n| a | b |\n|---|---|\n| some words | more words |\n\n"
			}
			turn.Emit(session.PartDelta{Part: part, Text: text})
		}
		p.Settle()
		p.Keys("pgup", "pgup", "pgup")
		top := topParagraph(p)
		for _, w := range []int{60, 140, 80, 41, 100} {
			p.Resize(w, 30)
			turn.Emit(session.PartDelta{Part: part, Text: "growing "})
			p.Settle()
			if now := topParagraph(p); now != top {
				t.Errorf("at %d columns paragraph %s is at the top, was %s:\n%s", w, now, top, p.Text())
			}
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

func TestRedraw(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		before := p.Text()
		_, _ = p.Screen.Write([]byte("\x1b[H\x1b[2Jsomething else wrote here"))
		if p.Text() == before {
			t.Fatal("nothing was destroyed")
		}
		p.Keys("ctrl+l")
		if p.Text() != before {
			t.Errorf("after ctrl+l:\n%s", p.Text())
		}
	})
}

func TestNoColour(t *testing.T) {
	Run(t, Config{Settings: opus, Options: func(o *ui.Options) { o.Profile = colorprofile.ASCII }}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Text("Some `code`, **bold** and a [link](https://go.dev).\n\n```go\nx := 1 // comment\n```\n")
		_, answer := commandAsk(turn, "make")
		p.Pass(time.Second)
		p.Golden("no-colour")
		if strings.Contains(p.Dump(), "fg=") || strings.Contains(p.Dump(), "bg=") {
			t.Error("there is colour")
		}
		p.Keys("n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestGraphemeClusters lets the terminal grant mode 2027: a family is then two columns wide, not eight.
func TestGraphemeClusters(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Send("👩‍👩‍👧 x")
		p.Settle()
		if c := p.Cursor(); c != 10 {
			t.Errorf("by code points the cursor is in column %d", c)
		}
		p.Send("\x1b[?2027;2$y")
		p.Settle()
		if c := p.Cursor(); c != 6 {
			t.Errorf("by clusters the cursor is in column %d", c)
		}
		if !strings.Contains(p.Raw(), "\x1b[?2027h") {
			t.Error("the mode was not taken")
		}
	})
}

func TestExportAndNew(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("/export")
		if !p.Has("Nothing to export") {
			t.Errorf("an empty chat was exported:\n%s", p.Text())
		}
		p.Type("hello")
		turn := p.Turn()
		turn.Text("Some **bold** words.")
		turn.End(session.TurnCompleted)
		p.Settle()
		file := filepath.Join(t.TempDir(), "out.md")
		p.Type("/export " + file)
		b, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(b), "Some **bold** words.") || !strings.Contains(string(b), "hello") {
			t.Errorf("exported %q, %v", b, err)
		}
		if !p.Has("Exported to " + file[:20]) {
			t.Errorf("it does not say where:\n%s", p.Text())
		}
		p.Type("/export " + file)
		if !p.Has("Couldn't export") {
			t.Errorf("a file was overwritten:\n%s", p.Text())
		}
		p.Type("/new")
		if p.Has("Some bold words") {
			t.Errorf("the new session shows the old one:\n%s", p.Text())
		}
		p.Type("again")
		turn = p.Turn()
		if turn.Conversation().Options.Session == p.Session.ID() {
			t.Error("the prompt went to the old session")
		}
		turn.Text("In the new session.")
		turn.End(session.TurnCompleted)
		p.Settle()
		if !p.Has("In the new session.") {
			t.Errorf("the new session does not show its answer:\n%s", p.Text())
		}
	})
}

// TestUpBringsThePromptBack follows the hint below an error.
func TestUpBringsThePromptBack(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("first")
		turn := p.Turn()
		turn.End(session.TurnCompleted)
		p.Type("second")
		turn = p.Turn()
		turn.EndWith(session.TurnEnded{Outcome: session.TurnFailed, Problem: session.ProblemOf(problems[4].err, time.Now())})
		p.Settle()
		p.Keys("up")
		if !p.Has("> second") {
			t.Errorf("the prompt is not back:\n%s", p.Text())
		}
		p.Keys("up", "enter")
		if turn = p.Turn(); turn.Prompt.Text != "first" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestQueuedPromptsOfADeadProcess resumes a session in which a prompt waited when its process died: it goes when the user
// says so, and not before.
func TestQueuedPromptsOfADeadProcess(t *testing.T) {
	world := sessiontest.NewWorld()
	var id session.ID
	Run(t, Config{World: world}, func(p *Program) {
		id = p.Session.ID()
		p.Type("first")
		p.Turn()
		p.Type("second")
		p.Settle()
	})
	Run(t, Config{World: world.AfterCrash(), Session: func(m *live.Manager) *live.Session {
		s, err := m.Resume(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}}, func(p *Program) {
		p.Golden("held-prompt")
		p.Keys("enter")
		turn := p.Turn()
		if turn.Prompt.Text != "second" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

func topParagraph(p *Program) string {
	for _, r := range p.Rows()[1:] {
		if i := strings.Index(r, "Paragraph "); i >= 0 {
			words := strings.Fields(r[i:])
			return words[1]
		}
	}
	return ""
}
