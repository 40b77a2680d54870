package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	"parley/ui/style"
)

func TestHeaderDegrades(t *testing.T) {
	h := headerInfo{agent: "claude", model: "claude-opus-4.8", effort: "high", dir: "~/src/acme", branch: "main", quota: "214 left",
		context: session.ContextState{Used: 62000, Window: 200000}}
	for _, tt := range []struct {
		width int
		want  string
	}{
		{100, "parley · claude · opus 4.8 high · ~/src/acme (main)                           ctx 31% · 214 left"},
		{72, "parley · claude · opus 4.8 high · ~/src/acme (main)         214 left"},
		{60, "parley · claude · opus 4.8 high · ~/src/acme    214 left"},
		{54, "parley · claude · opus 4.8 · ~/src/acme   214 left"},
		{45, "parley · claude · opus 4.8 · ~/src/acme"},
		{40, "parley · claude · opus 4.8 · …c/acme"},
	} {
		got := strings.TrimSpace(style.Unstyled(header(h, style.NewTheme(true, true, nil), style.Measure{}, tt.width)))
		if got != tt.want {
			t.Errorf("%d columns:\n got %q\nwant %q", tt.width, got, tt.want)
		}
	}
	h = headerInfo{agent: "builtin", model: "claude-sonnet-4.6", dir: "/tmp/parley-demo-1/project", demo: true}
	if got := style.Unstyled(header(h, style.NewTheme(true, true, nil), style.Measure{}, 40)); got != "  parley · builtin · sonnet 4.6 (demo)" {
		t.Errorf("the demo in 40 columns: %q", got)
	}
}

// The name of a directory is whole where it fits, and else its end.
func TestHeaderNamesTheDirectory(t *testing.T) {
	for dir, want := range map[string]string{"~/src/proj": "proj", "~/src/acme-uploads": "…ads", "~": "~", "/": "/", "~/a/b": "…a/b"} {
		h := headerInfo{agent: "builtin", model: "claude-sonnet-4.6", dir: dir}
		got := strings.TrimSpace(style.Unstyled(header(h, style.NewTheme(true, true, nil), style.Measure{}, 40)))
		if got != "parley · builtin · sonnet 4.6 · "+want {
			t.Errorf("%s: %q", dir, got)
		}
	}
}

func TestSmallWords(t *testing.T) {
	got := []string{
		style.Seconds(5 * time.Second), style.Seconds(125 * time.Second), style.Seconds(2*time.Hour + 5*time.Minute),
		style.Age(30 * time.Second), style.Age(5 * time.Minute), style.Age(26 * time.Hour), style.Age(49 * time.Hour),
		style.Thousands(900), style.Thousands(41400), style.Thousands(1000000), style.Thousands(1250000), style.Count(1, "line", "lines"), style.Count(1204, "line", "lines"),
		style.ShortPath("/home/ada/src", "/home/ada"), style.ShortPath("/home/adam", "/home/ada"), style.ShortPath("/x", ""), style.ShortPath("/home/ada", "/home/ada"),
		style.ShortModel("claude-opus-4.8"), style.ShortModel("gpt-5.5"), style.ShortModel("claude-opus"), style.ShortModel(""),
		style.ShortModel("claude-sonnet-4-6"), style.ShortModel("claude-haiku-4-5-20251001"), style.ShortModel("claude-opus-4-8[1m]"), style.ShortModel("claude-3-5-sonnet"),
	}
	want := []string{"5s", "2m 05s", "2h 05m", "now", "5 min", "26 h", "2 d", "900", "41k", "1M", "1.2M", "1 line", "1,204 lines",
		"~/src", "/home/adam", "/x", "~", "opus 4.8", "gpt-5.5", "opus", "",
		"sonnet 4.6", "haiku 4.5", "opus 4.8", "3-5-sonnet"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDivide(t *testing.T) {
	for height := style.MinHeight; height <= 60; height++ {
		for _, w := range []wants{{composer: 1}, {composer: 30, prompt: 50}, {composer: 1, popup: 8, pending: 9}, {prompt: 3, composer: 2, popup: 8, pending: 2}} {
			r := divide(height, w)
			total := 4 + r.air + r.gap + r.body + r.pending + r.popup + r.composer + r.prompt
			if r.prompt > 0 {
				total++
			}
			if total != height {
				t.Errorf("%d rows for %+v: %+v takes %d", height, w, r, total)
			}
			if r.body < 1 || r.composer < 1 || w.prompt > 0 && r.prompt < min(3, w.prompt) {
				t.Errorf("%d rows for %+v: %+v", height, w, r)
			}
		}
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
		m := style.Measure{}
		s = style.Visible(s)
		for _, rows := range [][]string{m.Wrap(s, w), m.Hardwrap(s, w), {m.Clip(style.OneLine(s), w)}, {m.Pad(style.OneLine(s), w)}, {m.Spread(style.OneLine(s), "r", w)}} {
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

// Of the keys in a last row the ones in the middle give way first, and the way out never does.
func TestHints(t *testing.T) {
	ms := style.Measure{}
	for w, want := range map[int]string{40: "enter opens · f forks · esc goes back", 30: "enter opens · esc goes back", 20: "enter opens · esc",
		13: "esc goes back", 4: "esc…"} {
		if got := ms.Hints("enter opens · f forks · esc goes back", w); got != want {
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
	if got := style.Visible(style.OneLine(s)); got != "a␛[2Jb c d␇" {
		t.Errorf("shown as %q", got)
	}
	if got := style.Typed(s); got != "a[2Jb c d" {
		t.Errorf("typed as %q", got)
	}
}
