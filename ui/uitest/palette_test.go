package uitest

import (
	"strings"
	"testing"

	"parley/ui"
	"parley/ui/keymap"
)

// TestPalette finds commands and keys by a few letters, and does what was chosen.
func TestPalette(t *testing.T) {
	eachSize(t, Config{}, func(p *Program, size string) {
		p.Keys("ctrl+k")
		p.Golden("palette-" + size)
		p.Send("tsk")
		p.Golden("palette-filtered-" + size)
		p.Keys("ctrl+u")
		p.Send("cop")
		if rows := p.Rows(); !strings.Contains(rows[2], "copy-answer") || !strings.Contains(rows[3], "copy-code") {
			t.Errorf("what begins with the letters is not first:\n%s", p.Text())
		}
		p.Keys("esc")
		p.Keys("alt+x")
		p.Send("/mode")
		p.Keys("enter")
		if !p.Has("Permission mode") {
			t.Errorf("the command has not opened its picker:\n%s", p.Text())
		}
		p.Keys("esc")
		if !p.Has("asks before it acts") {
			t.Errorf("the chat is not back:\n%s", p.Text())
		}
		p.Send("some words")
		p.Keys("ctrl+k")
		if p.Has("Commands and keys") {
			t.Error("a key of the field opened the palette while something is written")
		}
	})
}

// TestOwnKeys chats with keys of the user's own.
func TestOwnKeys(t *testing.T) {
	mine := func(o *ui.Options) {
		o.Keys = []keymap.UserBinding{{Key: "ctrl+x", Action: "/mode", Where: "config.yaml:4"}, {Key: "ctrl+g", Action: "newline", Where: "config.yaml:6"}}
	}
	Run(t, Config{Options: mine}, func(p *Program) {
		p.Golden("own-keys")
		p.Keys("ctrl+x")
		if !p.Has("Permission mode") {
			t.Errorf("ctrl+x does not run /mode:\n%s", p.Text())
		}
		p.Keys("esc")
		p.Send("one")
		p.Keys("ctrl+g")
		p.Send("two")
		if !p.Has("> one") || !p.Has("  two") {
			t.Errorf("ctrl+g makes no new line:\n%s", p.Text())
		}
		p.Keys("f1")
		if p.Has("write in your editor") {
			t.Errorf("the help names a key that the editor lost:\n%s", p.Text())
		}
	})
}
