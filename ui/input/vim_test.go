package input

import (
	"testing"

	"parley/ui/keymap"
)

func newVimField(t *testing.T) *field {
	return newField(t, func(o *Options) { o.Keys.Vim = true })
}

func TestVimKeysReadTheConversation(t *testing.T) {
	f := newVimField(t)
	f.write("ab")
	if f.CursorShape() != Bar || f.VimMode() != "insert" {
		t.Errorf("shape %d in %s", f.CursorShape(), f.VimMode())
	}
	f.key("esc")
	if f.CursorShape() != Block || f.VimMode() != "NORMAL" {
		t.Errorf("shape %d in %s", f.CursorShape(), f.VimMode())
	}
	for key, want := range map[string]Reading{"/": ReadFind, "n": ReadNextMatch, "N": ReadPreviousMatch, ":": ReadPalette,
		"ctrl+u": ReadHalfPageUp, "ctrl+d": ReadHalfPageDown} {
		if a := f.key(key); a != (Read{want}) {
			t.Errorf("%s gives %#v", key, a)
		}
	}
	if a := f.key("q"); a != nil {
		t.Errorf("q gives %#v", a)
	}
	f.want("ab")
	f.key("d")
	if f.VimMode() != "NORMAL d" {
		t.Errorf("pending: %s", f.VimMode())
	}
	f.key("d")
	f.want("")
	for key, want := range map[string]Reading{"?": ReadHelp, "G": ReadEnd} {
		if a := f.key(key); a != (Read{want}) {
			t.Errorf("%s in an empty field gives %#v", key, a)
		}
	}
}

// Escape interrupts a running turn where there is no text to leave.
func TestVimLeavesEscapeToTheTurn(t *testing.T) {
	f := newVimField(t)
	f.chat.running = true
	if p, ok := f.key("esc").(Pressed); !ok || p.Bound.Act != keymap.Interrupt {
		t.Errorf("escape gives %#v", p)
	}
	f.write("x")
	if a := f.key("esc"); a != nil || f.VimMode() != "NORMAL" {
		t.Errorf("escape behind text gives %#v in %s", a, f.VimMode())
	}
}

func TestWithoutVimTheCursorIsTheUsers(t *testing.T) {
	if f := newField(t, nil); f.CursorShape() != 0 || f.VimMode() != "" {
		t.Errorf("shape %d, mode %q", f.CursorShape(), f.VimMode())
	}
}
