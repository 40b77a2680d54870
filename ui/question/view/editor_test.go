package view

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/question"
	"parley/ui/style"
)

// A letter that is held down is told from one that is typed again, however fast the terminal repeats it.
func TestHeldLetterIsNotText(t *testing.T) {
	type press struct {
		key   string
		after time.Duration
	}
	ms := time.Millisecond
	for name, tt := range map[string]struct {
		keys []press
		want string // t typed, u undone and dropped, d dropped
	}{
		"held":                {[]press{{"e", 400 * ms}, {"e", 30 * ms}, {"e", 30 * ms}, {"e", 40 * ms}}, "tudd"},
		"held and let go":     {[]press{{"e", 400 * ms}, {"e", 30 * ms}, {"e", 300 * ms}, {"e", 10 * ms}}, "tutt"},
		"held and then typed": {[]press{{"e", 400 * ms}, {"e", 30 * ms}, {"x", 30 * ms}, {"e", 30 * ms}}, "tutt"},
		"typed twice":         {[]press{{"e", 300 * ms}, {"e", 120 * ms}, {"e", 20 * ms}}, "ttt"},
		"typed late":          {[]press{{"e", 2000 * ms}, {"e", 20 * ms}}, "tt"},
		"another key":         {[]press{{"x", 10 * ms}, {"e", 10 * ms}, {"e", 10 * ms}}, "ttt"},
	} {
		now := time.Unix(1000, 0)
		r := repeat{key: "e", opened: now}
		var got strings.Builder
		for _, k := range tt.keys {
			now = now.Add(k.after)
			switch drop, undo := r.holds(k.key, now); {
			case undo:
				got.WriteByte('u')
			case drop:
				got.WriteByte('d')
			default:
				got.WriteByte('t')
			}
		}
		if got.String() != tt.want {
			t.Errorf("%s: %s, want %s", name, got.String(), tt.want)
		}
	}
}

// planScreen is a screen that asks about a plan, with or without vim's keys.
func planScreen(plan string, vim bool) *screen {
	s := newScreen(nil)
	keys, _ := keymap.New(nil)
	keys.Vim = vim
	s.o.Keys = keys
	s.Show(question.New(&session.Ask{Asked: session.Asked{Ask: "1", Kind: session.AskPlan, Plan: &session.PlanAsk{Plan: plan}}}, question.Options{}))
	s.frame()
	s.press(letter('e'))
	s.pass(confirmTime)
	return s
}

// Vim's keys edit a plan as they edit a prompt; escape leaves insert mode first.
func TestVimEditsAPlan(t *testing.T) {
	s := planScreen("one\ntwo\nthree", true)
	r := s.Question().Review
	if !r.Editing {
		t.Fatal("the plan is not edited")
	}
	esc := tea.KeyPressMsg{Code: tea.KeyEscape}
	s.press(letter('x'))
	if s.press(esc); !r.Editing || r.Editor.Value() != "xone\ntwo\nthree" {
		t.Fatalf("editing %v, %q", r.Editing, r.Editor.Value())
	}
	s.press(letter('d'))
	s.press(letter('d'))
	if got := r.Editor.Value(); got != "two\nthree" {
		t.Errorf("dd leaves %q", got)
	}
	if s.press(esc); r.Editing || r.Edited != "two\nthree" {
		t.Errorf("editing %v, %q", r.Editing, r.Edited)
	}
}

// Rows of a plan that is edited, and of its difference, are never wider than the window or more than fit.
func TestPlanRowsFit(t *testing.T) {
	plan := strings.Repeat("ein 東京 👩‍👩‍👧 wort \x1b[31m und\tnoch "+strings.Repeat("lang", 30)+"\n\n", 8)
	for _, width := range []int{40, 41, 80, 120, 300} {
		for _, height := range []int{3, 4, 7, 12, 40} {
			s := planScreen(plan, false)
			check := func(what string) {
				t.Helper()
				rows, x, y := s.Rows(width, height)
				if len(rows) > height || x >= width || y >= height {
					t.Fatalf("%s: %d rows and the cursor in %d,%d where %d by %d fit", what, len(rows), x, y, width, height)
				}
				for _, row := range rows {
					l := s.look(width)
					if w := l.Measure.Width(row); w > width || strings.Contains(style.Unstyled(row), "\x1b") {
						t.Fatalf("%s: a row of %d columns in %d: %q", what, w, width, row)
					}
				}
			}
			check("editing")
			for range 40 {
				s.press(tea.KeyPressMsg{Code: tea.KeyDown})
				check("moving")
			}
			s.Paste("neu\n" + plan)
			check("pasted")
			s.press(tea.KeyPressMsg{Code: tea.KeyEscape})
			check("changed")
		}
	}
}

// BenchmarkPlanKey types into a plan of 5,000 lines and draws it.
func BenchmarkPlanKey(b *testing.B) {
	s := planScreen(strings.Repeat("a line with some words in it\n", 5000), false)
	for b.Loop() {
		s.press(letter('x'))
		s.Rows(120, min(s.Want(120, 60), 25))
	}
}
