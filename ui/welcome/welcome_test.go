package welcome

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	"parley/ui/style"
)

var now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func look(width int) *style.Look {
	return &style.Look{Theme: style.NewTheme(true, false, nil), Width: width, Now: func() time.Time { return now }}
}

func metas(n int) []session.Meta {
	var all []session.Meta
	for i, title := range []string{"Why the upload test flakes", "Retry with jitter", "Release notes for 2.4", "漢字 and a title that is much too long for a row of any window that people use"}[:n] {
		all = append(all, session.Meta{ID: session.ID(rune('a' + i)), Agent: "builtin", Title: title, Turns: 1 + 11*i, Updated: now.Add(-time.Duration(i*i) * 9 * time.Hour)})
	}
	return all
}

func text(rows []string) string {
	for i, r := range rows {
		rows[i] = strings.TrimRight(style.Unstyled(r), " ")
	}
	return "\n" + strings.Join(rows, "\n")
}

func TestPage(t *testing.T) {
	m := New("~/src/acme", "main")
	m.setSessions(metas(4))
	m.setDirectory(Directory{Readme: true, Tests: "go test ./...", Changed: 3, Repository: true})
	if !m.Changes() || m.Changes() {
		t.Error("what was found is no change, or one for ever")
	}
	want := `
  parley  Claude Code, Copilot and parley's own agent, on your GitHub Copilot plan
  ~/src/acme · main · 3 files changed`
	if diff := cmp.Diff(want, text(m.Head(look(84), 84, 24))); diff != "" {
		t.Error(diff)
	}
	if got := text(m.Head(look(40), 40, 12)); got != "\n  parley  ~/src/acme · main · 3 files…" {
		t.Errorf("in 40 columns: %q", got)
	}
	rows, hits := m.List(look(84), 84, 20)
	want = `

  Continue  ↓ enter
    Why the upload test flakes                  parley           1 turn        now
    Retry with jitter                           parley         12 turns    9 h ago
    Release notes for 2.4                       parley         23 turns   36 h ago
    /resume shows all

  Try
    explain this project and where to begin reading
    run go test ./... and fix what fails
    review my changes`
	if diff := cmp.Diff(want, text(rows)); diff != "" {
		t.Error(diff)
	}
	if c, ok := m.At(hits, 3); !ok || c.Session != "b" {
		t.Errorf("the second session: %+v, %v", c, ok)
	}
	for _, row := range []int{-1, 0, 1, 5, 99} {
		if c, ok := m.At(hits, row); ok {
			t.Errorf("row %d: %+v", row, c)
		}
	}
	for height := range 12 {
		if rows, hits := m.List(look(84), 84, height); len(rows) > height || len(rows) != len(hits) {
			t.Errorf("%d rows and %d hits for %d", len(rows), len(hits), height)
		}
	}
	for _, width := range []int{40, 50, 79, 119, 120, 240} {
		m.setSessions(metas(4)[1:])
		rows, _ := m.List(look(width), width, 30)
		for _, r := range append(rows, m.Head(look(width), width, 30)...) {
			if (style.Measure{}).Width(r) > width {
				t.Errorf("%q is wider than %d", r, width)
			}
		}
	}
}

// TestKeysOfThePage moves the selection; what types something is not the page's.
func TestKeysOfThePage(t *testing.T) {
	m := New("~", "")
	m.setSessions(metas(2))
	m.setDirectory(Directory{Empty: true})
	_, _ = m.List(look(80), 80, 20)
	for _, step := range []struct {
		keys  string
		taken Choice
		used  bool
	}{
		{"enter", Choice{}, false}, {"up", Choice{}, false}, {"esc", Choice{}, false},
		{"down enter", Choice{Session: "a"}, true}, {"down down down enter", Choice{Prompt: m.tries()[0]}, true},
		{"down x", Choice{}, false}, {"down x enter", Choice{}, false}, {"down esc", Choice{}, true}, {"down esc enter", Choice{}, false},
		{"down down down down down down down down enter", Choice{Prompt: m.tries()[2]}, true},
	} {
		m.selected = -1
		var c Choice
		var used bool
		for _, k := range strings.Fields(step.keys) {
			c, _, used = m.Key(k)
		}
		if c != step.taken || used != step.used {
			t.Errorf("%s: %+v, used %v", step.keys, c, used)
		}
	}
}

func TestLook(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  Directory
	}{
		"empty":     {want: Directory{Empty: true}},
		"hidden":    {files: map[string]string{".env": ""}, want: Directory{Empty: true}},
		"go":        {files: map[string]string{"go.mod": "module x", "README.md": "# x"}, want: Directory{Readme: true, Tests: "go test ./..."}},
		"npm":       {files: map[string]string{"package.json": `{"scripts": {"test": "vitest"}}`}, want: Directory{Tests: "npm test"}},
		"npm, none": {files: map[string]string{"package.json": `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}`}, want: Directory{}},
		"npm, odd":  {files: map[string]string{"package.json": `[`, "Makefile": "all:\n\ntest: all\n"}, want: Directory{Tests: "make test"}},
		"python":    {files: map[string]string{"pyproject.toml": "[tool.pytest.ini_options]"}, want: Directory{Tests: "pytest"}},
		"rust":      {files: map[string]string{"Cargo.toml": "", "readme": ""}, want: Directory{Readme: true, Tests: "cargo test"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range tt.files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := Look(t.Context(), dir); got != tt.want || err != nil {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	if got, err := Look(t.Context(), filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Errorf("a directory that is not there: %+v", got)
	}
}

// The offer of what was open is whole in every width, with the key that takes it.
func TestOfferFits(t *testing.T) {
	for _, left := range []int{1, 12} {
		m := New("/repos/acme", "main")
		m.left = left
		for _, width := range []int{120, 60, 40} {
			rows, _ := m.List(look(width), width, 8)
			if row := style.Unstyled(rows[1]); !strings.Contains(row, "enter opens") || len(row) > width {
				t.Errorf("%d of %d columns: %q", len(row), width, row)
			}
		}
	}
}
