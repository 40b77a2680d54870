package uitest

import (
	"testing"

	"parley/session"
	"parley/ui"
)

func vimKeys(o *ui.Options) { o.Vim = true }

// atSizes plays f on the sizes that scenarios are shown at.
func atSizes(t *testing.T, c Config, f func(p *Program, size string)) {
	t.Helper()
	for _, s := range []struct {
		name string
		w, h int
	}{{"80x24", 80, 24}, {"120x40", 120, 40}, {"40x12", 40, 12}} {
		t.Run(s.name, func(t *testing.T) {
			c := c
			c.Width, c.Height = s.w, s.h
			Run(t, c, func(p *Program) { f(p, s.name) })
		})
	}
}

// TestVimKeys writes with vim's keys: the mode is shown, characters move in normal mode, and enter sends from any mode.
func TestVimKeys(t *testing.T) {
	atSizes(t, Config{Options: vimKeys}, func(p *Program, size string) {
		p.Send("wort für wort 漢字の 👩‍👩‍👧 end")
		p.Keys("esc")
		p.Golden("vim-normal-" + size)
		p.Keys("0", "w", "v", "e")
		p.Golden("vim-visual-" + size)
		p.Keys("esc", "2", "d")
		p.Golden("vim-pending-" + size)
		p.Keys("w", "x", "?", "Z")
		p.Keys("enter")
		turn := p.Turn()
		if turn.Prompt.Text == "wort für wort 漢字の 👩‍👩‍👧 end" || p.Has("Keys and commands") {
			t.Errorf("vim's keys did nothing: %q", turn.Prompt.Text)
		}
		if !p.Has("insert") {
			t.Errorf("after sending it is not insert mode:\n%s", p.Text())
		}
		p.Keys("esc") // nothing is written: it interrupts
		p.Settle()
		turn.End(session.TurnCancelled)
		p.Settle()
		if p.Has("esc stops") {
			t.Errorf("escape did not interrupt:\n%s", p.Text())
		}
	})
}

// TestVimHistory walks the prompts of the past in both modes.
func TestVimHistory(t *testing.T) {
	Run(t, Config{Options: vimKeys}, func(p *Program) {
		p.Type("first prompt")
		p.Turn().End(session.TurnCompleted)
		p.Keys("esc", "k")
		if !p.Has("first prompt") || !p.Has("NORMAL") {
			t.Errorf("k does not go to the prompt before:\n%s", p.Text())
		}
		p.Keys("down", "up", "d", "d", "u")
		if !p.Has("> first prompt") {
			t.Errorf("undo:\n%s", p.Text())
		}
	})
}
