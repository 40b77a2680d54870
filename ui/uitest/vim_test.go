package uitest

import (
	"regexp"
	"testing"
	"time"

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
		if turn.Prompt.Text == "wort für wort 漢字の 👩‍👩‍👧 end" || p.Has("  Help ") {
			t.Errorf("vim's keys did nothing: %q", turn.Prompt.Text)
		}
		if !p.Has("insert") {
			t.Errorf("after sending it is not insert mode:\n%s", p.Text())
		}
		p.Keys("esc") // nothing is written: it interrupts
		p.Settle()
		turn.End(session.TurnCancelled)
		p.Settle()
		if p.Has("esc to stop") {
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

// TestVimReads finds and scrolls in the conversation with vim's keys, from the normal mode, also while something is written.
func TestVimReads(t *testing.T) {
	Run(t, Config{Options: vimKeys, Settings: opus, Width: 80, Height: 14}, func(p *Program) {
		talk(p)
		p.Keys("esc", "n")
		if !p.Has("No earlier search") {
			t.Errorf("before the first search:\n%s", p.Text())
		}
		p.Keys("/")
		p.Send("time")
		p.Pass(time.Second)
		p.Golden("vim-find")
		p.Keys("enter", "esc")
		p.Keys("i")
		p.Send("some words")
		p.Keys("esc", "n")
		first := p.Text()
		if !p.Has("find time") || !p.Has("> some words") {
			t.Errorf("n does not look again:\n%s", first)
		}
		p.Keys("N")
		if p.Text() == first {
			t.Error("N stays where n went")
		}
		p.Keys("esc", "ctrl+f")
		if !p.Has("↑ time again") {
			t.Errorf("the last search is not offered:\n%s", p.Text())
		}
		p.Keys("up")
		if !p.Has("find time") || !p.Has(" of ") {
			t.Errorf("up does not look again:\n%s", p.Text())
		}
		p.Keys("esc", ":")
		if !p.Has("Commands and keys") {
			t.Errorf("the colon opens nothing:\n%s", p.Text())
		}
		p.Keys("esc", "ctrl+u")
		up := p.Text()
		p.Keys("ctrl+d")
		if p.Text() == up || !p.Has("> some words") {
			t.Errorf("ctrl+u and ctrl+d do not scroll:\n%s", up)
		}
		p.Keys("0", "D", "?")
		if !p.Has("  Help ") {
			t.Errorf("no help, which the last row promises:\n%s", p.Text())
		}
		p.Keys("esc", "ctrl+u", "G")
		if p.Has("more below") || p.Has("↓ more") {
			t.Errorf("G is not the end:\n%s", p.Text())
		}
	})
}

// TestVimCursor shapes the cursor as the mode says, and leaves it to the terminal otherwise.
func TestVimCursor(t *testing.T) {
	shapes := func(vim bool, term string) (got string) {
		c := Config{Options: func(o *ui.Options) {
			o.Vim = vim
			o.Env = append(o.Env, "TERM="+term)
		}}
		var screen *Screen
		Run(t, c, func(p *Program) {
			screen = p.Screen
			p.Send("word")
			p.Keys("esc", "v", "esc", "i")
		})
		for _, s := range regexp.MustCompile("\x1b\\[([0-9]) q").FindAllStringSubmatch(screen.Raw(), -1) {
			got += s[1]
		}
		return got
	}
	if got := shapes(true, "xterm-256color"); got != "6260" {
		t.Errorf("with vim's keys: %q", got)
	}
	if got := shapes(true, "linux"); got != "" {
		t.Errorf("on the console of Linux: %q", got)
	}
	if got := shapes(false, "xterm-256color"); got != "" {
		t.Errorf("without vim's keys: %q", got)
	}
}
