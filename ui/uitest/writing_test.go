package uitest

import (
	"strings"
	"testing"

	"parley/session"
	"parley/ui"
)

// TestEmacsKeys cuts, puts in, goes round the kill ring, undoes and redoes.
func TestEmacsKeys(t *testing.T) {
	atSizes(t, Config{}, func(p *Program, size string) {
		p.Send("first second third")
		p.Keys("ctrl+w", "alt+b", "alt+d", "ctrl+a", "ctrl+y")
		if !p.Has("> secondfirst") {
			t.Errorf("cut and put in:\n%s", p.Text())
		}
		p.Keys("alt+y")
		if !p.Has("> thirdfirst") {
			t.Errorf("round the kill ring:\n%s", p.Text())
		}
		p.Keys("ctrl+_", "ctrl+_", "ctrl+_", "ctrl+_")
		if !p.Has("> first second third") {
			t.Errorf("undone:\n%s", p.Text())
		}
		p.Keys("alt+_", "alt+_")
		p.Golden("emacs-" + size)
	})
}

// TestWideText keeps the terminal's own cursor, at which input methods show what they are about to write, behind what is
// written: with wide characters, combining marks, emoji, and at the end of a row.
func TestWideText(t *testing.T) {
	atSizes(t, Config{}, func(p *Program, size string) {
		p.Send("日本語で書く e\u0301 한글 👍🏽")
		p.Golden("wide-" + size)
		p.Keys("left", "left")
		at := p.Cursor()
		p.Send("字")
		if now := p.Cursor(); now != at+2 {
			t.Errorf("after a wide character the cursor went from %d to %d", at, now)
		}
		p.Keys("ctrl+e", "backspace")
		if strings.Contains(p.Text(), "👍") || strings.Contains(p.Text(), "🏽") {
			t.Errorf("backspace left a part of the emoji:\n%s", p.Text())
		}
		p.Send(strings.Repeat("長い文章", 15))
		p.Golden("wide-wrapped-" + size)
	})
}

// TestBigPaste folds a big paste into a chip, opens it, and sends its text.
func TestBigPaste(t *testing.T) {
	text := strings.Repeat("日志 line\n", 200)
	atSizes(t, Config{}, func(p *Program, size string) {
		p.Send("see ")
		p.Send("\x1b[200~" + text + "\x1b[201~")
		p.Send(" please")
		p.Golden("paste-chip-" + size)
		p.Keys("enter")
		turn := p.Turn()
		if turn.Prompt.Text != "see "+text+" please" {
			t.Errorf("sent %d bytes", len(turn.Prompt.Text))
		}
		turn.End(session.TurnCompleted)
	})
}

// TestEnterSteers lets enter send into the running turn and ctrl+s queue.
func TestEnterSteersIsSaid(t *testing.T) {
	Run(t, Config{Width: 120, Height: 40, Options: func(o *ui.Options) { steers(o); o.EnterSteers = true }}, func(p *Program) {
		p.Type("go")
		turn := p.Turn()
		p.Settle()
		p.Golden("enter-steers")
		p.Send("later")
		p.Keys("ctrl+s")
		p.Settle()
		if !p.Has("> later") || !p.Has("queued") {
			t.Errorf("ctrl+s does not queue:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Turn().End(session.TurnCompleted)
	})
}
