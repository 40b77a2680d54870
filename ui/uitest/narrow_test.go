package uitest

import (
	"strings"
	"testing"
)

// small is the smallest window that everything is made for.
var small = Config{Width: 40, Height: 12}

// TestHelpInANarrowWindow shows the help of keys below them where there is no room beside them, and cuts nothing.
func TestHelpInANarrowWindow(t *testing.T) {
	Run(t, small, func(p *Program) {
		p.Keys("f1")
		p.Golden("help-40x12")
		for range 2 * 30 {
			if p.Keys("pgdown"); strings.Contains(p.Text(), "…") {
				t.Fatalf("something is cut:\n%s", p.Text())
			}
		}
		if !p.Has("  alt+t") || !p.Has("    swap the characters") {
			t.Errorf("the end is not there:\n%s", p.Text())
		}
	})
}

// TestCopyingInANarrowWindow says in full what became of a copy.
func TestCopyingInANarrowWindow(t *testing.T) {
	c := small
	c.Settings = opus
	Run(t, c, func(p *Program) {
		talk(p)
		p.Keys("alt+w")
		p.Golden("copied-answer-40x12")
		if _, n := p.Copied(); n != 1 || !p.Has("lines, not confirmed") {
			t.Errorf("copied %d times:\n%s", n, p.Text())
		}
	})
}

// TestPickerKeysInANarrowWindow keeps saying how to leave.
func TestPickerKeysInANarrowWindow(t *testing.T) {
	c := small
	c.World = library()
	Run(t, c, func(p *Program) {
		p.Type("/resume")
		if !p.Has("enter open · tab more · esc back") {
			t.Errorf("the keys of the picker:\n%s", p.Text())
		}
	})
}
