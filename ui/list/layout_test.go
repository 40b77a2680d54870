package list

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/ui/style"
)

// sized returns an open picker with rows, in a window of a size.
func sized(o Options, rows []Row, width, height int) *Picker {
	l := &style.Look{Theme: style.NewTheme(true, false, nil), Measure: style.Measure{Method: ansi.WcWidth}, Now: time.Now, Width: width, Height: height}
	p := New(l, o)
	p.SetSize(width, height)
	p.setRows(rows)
	return p
}

// screen returns the rows of a picker without styles, and fails if one is wider than the window or there are more than fit.
func screen(t *testing.T, p *Picker, width, height int) string {
	t.Helper()
	rows, _, _ := p.Rows(width, height)
	if len(rows) != height {
		t.Errorf("%d columns: %d rows, want %d", width, len(rows), height)
	}
	for i, row := range rows {
		rows[i] = ansi.Strip(row)
		if n := p.look.Measure.Width(rows[i]); n > width {
			t.Errorf("%d columns: a row has %d: %q", width, n, rows[i])
		}
	}
	return strings.Join(rows, "\n")
}

// words returns the words of a screen, without what is drawn between them.
func words(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "┆", " ")), " ")
}

var widths = []int{40, 50, 60, 80, 100, 120, 240}

func TestDescriptionsAreNeverCut(t *testing.T) {
	long := "opens the conversation of a session that was stored earlier, in this directory or in another one"
	rows := []Row{
		{ID: "1", Cells: []string{"/resume", "", long}}, {ID: "2", Cells: []string{"mode", "shift+tab", "next permission mode"}},
		{ID: "3", Cells: []string{"an agent", "1.2", "not shown"}, Off: "is not installed: /install gets it, and starts it after that"},
	}
	for _, w := range widths {
		for at := range rows {
			p := sized(Options{Title: "Commands", Keys: "enter do it · esc back", Prose: 2}, rows, w, 30)
			p.at = at
			text := screen(t, p, w, 30)
			for _, want := range []string{long, "next permission mode", rows[2].Off} {
				for _, word := range strings.Fields(want) {
					if !strings.Contains(text, word) {
						t.Errorf("%d columns: %q is cut:\n%s", w, word, text)
					}
				}
			}
			if strings.Contains(text, "…") || strings.Contains(text, "not shown") {
				t.Errorf("%d columns:\n%s", w, text)
			}
			if w == 240 && strings.Count(text[strings.Index(text, "/resume"):strings.Index(text, "an agent")], "\n") != 2 {
				t.Errorf("wrapped though there is room:\n%s", text)
			}
		}
	}
	p := sized(Options{Title: "Mode", Prose: 1}, []Row{{ID: "1", Cells: []string{"bypass permissions", "edits below this directory run, commands ask"}}}, 40, 12)
	if text := screen(t, p, 40, 12); !strings.Contains(text, "❯ bypass permissions\n      edits below this directory run,\n      commands ask\n") {
		t.Errorf("not below the name:\n%s", text)
	}
}

func TestLongNamesAreWrapped(t *testing.T) {
	prompt := "please look at why the upload test fails so often, and say what could be done against that without slowing it down"
	for _, w := range widths {
		p := sized(Options{Title: "Queue", Wraps: true}, []Row{{ID: "1", Cells: []string{prompt, "1"}}, {ID: "2", Cells: []string{"short", "next step"}}}, w, 20)
		text := screen(t, p, w, 20)
		if whole := w >= 60; strings.Contains(text, "…") == whole {
			t.Errorf("%d columns:\n%s", w, text)
		}
		if !strings.Contains(text, "next step") {
			t.Errorf("%d columns: no second row:\n%s", w, text)
		}
	}
}

func TestPreviewsWrapBesideAndBelowTheList(t *testing.T) {
	about := []string{"Context window: 200k tokens. Longest prompt: 128k. Longest answer: 32k.", "Sees images."}
	tail := []string{"> a question that was laid out for a window of quite another width than this one has now", "", "  an answer"}
	for _, w := range widths {
		p := sized(Options{Title: "Model", Peeks: true}, []Row{{ID: "1", Cells: []string{"m"}, About: about}, {ID: "2", Cells: []string{"n"}}}, w, 24)
		text := screen(t, p, w, 24)
		for _, word := range strings.Fields(strings.Join(about, " ")) {
			if !strings.Contains(text, word) {
				t.Errorf("%d columns: %q is cut:\n%s", w, word, text)
			}
		}
		if p.Missing() != nil {
			t.Errorf("%d columns: a preview is asked for that is there", w)
		}
		p.at = 1
		p.previews["2"] = Preview{Rows: tail}
		if text = screen(t, p, w, 24); strings.Contains(text, "…") || !strings.Contains(text, "  an answer") {
			t.Errorf("%d columns:\n%s", w, text)
		}
		for _, word := range strings.Fields(tail[0]) {
			if !strings.Contains(text, word) {
				t.Errorf("%d columns: %q is cut:\n%s", w, word, text)
			}
		}
	}
	p := sized(Options{Title: "Model", Peeks: true}, []Row{{ID: "1", Cells: []string{"m"}, About: about}}, 40, 12)
	if text := screen(t, p, 40, 12); strings.Contains(text, "Context") {
		t.Errorf("a preview without room:\n%s", text)
	}
}

// The selected row is on the screen with all its rows, wherever it is in the list.
func TestTheSelectedRowIsShownWhole(t *testing.T) {
	var rows []Row
	for i := range 20 {
		rows = append(rows, Row{ID: fmt.Sprint(i), Group: fmt.Sprint("group ", i/5), Cells: []string{fmt.Sprintf("name-%d-", i), fmt.Sprintf("a description of several words that ends with last-%d-", i)}})
	}
	for _, w := range widths {
		p := sized(Options{Title: "List", Prose: 1}, rows, w, 12)
		for _, by := range []int{1, -1} {
			for range rows {
				r, _ := p.Selected()
				text := screen(t, p, w, 12)
				if !strings.Contains(text, "❯ "+r.Cells[0]) || !strings.Contains(words(text), "last-"+r.ID+"-") {
					t.Fatalf("%d columns, row %s:\n%s", w, r.ID, text)
				}
				p.at = max(0, min(len(rows)-1, p.at+by))
			}
		}
		if text := screen(t, p, w, 12); !strings.Contains(text, "group 0") {
			t.Errorf("%d columns: the first heading is gone:\n%s", w, text)
		}
	}
}

func TestWithoutRowsOnlyLeavingWorks(t *testing.T) {
	p := sized(Options{Title: "List", Keys: "enter choose · esc back"}, nil, 80, 12)
	if text := screen(t, p, 80, 12); strings.Contains(text, "enter") || !strings.Contains(text, "esc back") {
		t.Errorf("%s", text)
	}
}

// What a low and narrow window says instead of rows, and facts, are wrapped and not cut.
func TestWordsAreWrapped(t *testing.T) {
	text := strings.TrimSpace(strings.Repeat("word ", 25)) + " end"
	for _, p := range []*Picker{sized(Options{Title: "List", None: text}, nil, 40, 12), sized(Facts{}.Options(), Facts{Lines: []string{text}}.Rows(), 40, 12)} {
		if rows := screen(t, p, 40, 12); !strings.Contains(rows, " end") || strings.Contains(rows, "…") {
			t.Errorf("%s", rows)
		}
	}
}

// A long heading loses its beginning: the name of the directory and the day are at its end.
func TestLongHeadingsKeepTheirEnd(t *testing.T) {
	p := sized(Options{Title: "List"}, []Row{{ID: "1", Group: "~/" + strings.Repeat("directory/", 6) + "acme · yesterday", Cells: []string{"a"}}}, 40, 12)
	if text := screen(t, p, 40, 12); !strings.Contains(text, "acme · yesterday") {
		t.Errorf("%s", text)
	}
}
