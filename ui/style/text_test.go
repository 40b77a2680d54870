package style

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSmallWords(t *testing.T) {
	got := []string{
		ShortPath("/home/ada/src", "/home/ada"), ShortPath("/home/adam", "/home/ada"), ShortPath("/x", ""), ShortPath("/home/ada", "/home/ada"),
		ShortModel("claude-opus-4.8"), ShortModel("gpt-5.5"), ShortModel("claude-opus"), ShortModel(""),
		ShortModel("claude-sonnet-4-6"), ShortModel("claude-haiku-4-5-20251001"), ShortModel("claude-opus-4-8[1m]"), ShortModel("claude-3-5-sonnet"),
	}
	want := []string{"~/src", "/home/adam", "/x", "~", "opus 4.8", "gpt-5.5", "opus", "",
		"sonnet 4.6", "haiku 4.5", "opus 4.8", "3-5-sonnet"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzRows(f *testing.F) {
	f.Add("hello world", 10)
	f.Add("日本語のテキスト\tx", 7)
	f.Add("👩‍👩‍👧 e\u0301 \x1b[31m", 3)
	f.Fuzz(func(t *testing.T, s string, w int) {
		if w < 2 || w > 300 || len(s) > 2000 {
			return
		}
		m := Measure{}
		s = Visible(s)
		for _, rows := range [][]string{m.Wrap(s, w), m.Hardwrap(s, w), {m.Clip(OneLine(s), w)}, {m.Pad(OneLine(s), w)}, {m.Spread(OneLine(s), "r", w)}} {
			for _, r := range rows {
				if n := m.Width(r); n > w {
					t.Fatalf("%q takes %d of %d columns", r, n, w)
				}
				if strings.ContainsAny(r, "\x1b\n\t") {
					t.Fatalf("%q holds a control character", r)
				}
			}
		}
		if got := strings.ReplaceAll(strings.Join(m.Hardwrap(s, w), ""), "\n", ""); got != strings.ReplaceAll(s, "\n", "") {
			t.Fatalf("hard wrapping changed %q to %q", s, got)
		}
	})
}

// Of the keys in a last row the ones in the middle give way first, those that list several things bit by bit, and the way out never does.
func TestHints(t *testing.T) {
	ms := Measure{}
	for w, want := range map[int]string{40: "enter open · f forks · esc back", 30: "enter open · esc back", 20: "enter open · esc",
		13: "esc back", 4: "esc"} {
		if got := ms.Hints("enter open · f forks · esc back", w); got != want {
			t.Errorf("%d columns: %q", w, got)
		}
	}
	for w, want := range map[int]string{44: "enter open · tab name, tag, pin · esc back", 41: "enter open · tab name, tag, … · esc back",
		36: "enter open · tab name, … · esc back", 32: "enter open · tab more · esc back", 28: "enter open · esc back"} {
		if got := ms.Hints("enter open · tab name, tag, pin · esc back", w); got != want {
			t.Errorf("%d columns: %q", w, got)
		}
	}
	if got := ms.Hints("esc", 10); got != "esc" {
		t.Errorf("%q", got)
	}
}

// What stands in one row shows its control characters; only what is typed into a field loses them.
func TestOneLineKeepsWhatHasToBeSeen(t *testing.T) {
	const s = "a\x1b[2Jb\nc\td\x07"
	if got := Visible(OneLine(s)); got != "a␛[2Jb c d␇" {
		t.Errorf("shown as %q", got)
	}
	if got := Typed(s); got != "a[2Jb c d" {
		t.Errorf("typed as %q", got)
	}
}
