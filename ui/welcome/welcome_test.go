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
		all = append(all, session.Meta{ID: session.ID(rune('a' + i)), Title: title, Turns: 1 + 11*i, Updated: now.Add(-time.Duration(i*i) * 9 * time.Hour)})
	}
	return all
}

func text(rows []string) string {
	for i, r := range rows {
		rows[i] = strings.TrimRight(style.Unstyled(r), " ")
	}
	return "\n" + strings.Join(rows, "\n")
}

func TestRows(t *testing.T) {
	m := New("~/src/acme", "main")
	if got := m.Rows(look(80), 80, 20); got != nil {
		t.Errorf("before anything is known: %q", got)
	}
	m.setSessions(metas(4))
	m.setDirectory(Directory{Readme: true, Tests: "go test ./...", Changed: 3, Repository: true})
	if !m.Changes() || m.Changes() {
		t.Error("what was found is no change, or one for ever")
	}
	want := `
  ~/src/acme (main, 3 files changed)

  Pick up where you left off
    alt+1  Why the upload test flakes                            1 turn        now
    alt+2  Retry with jitter                                   12 turns    9 h ago
    alt+3  Release notes for 2.4                               23 turns   36 h ago
           /resume shows all

  Try
    alt+4  explain this project and where to begin reading
    alt+5  run go test ./... and fix what fails
    alt+6  review my changes`
	if diff := cmp.Diff(want, text(m.Rows(look(84), 84, 20))); diff != "" {
		t.Error(diff)
	}
	if got := m.Rows(look(84), 84, 8); len(got) != 7 || strings.Contains(text(got), "Try") {
		t.Errorf("in eight rows: %s", text(got))
	}
	for _, width := range []int{40, 50, 79, 240} {
		m.setSessions(metas(4)[1:])
		for _, r := range m.Rows(look(width), width, 30) {
			if (style.Measure{}).Width(r) > width {
				t.Errorf("%q is wider than %d", r, width)
			}
		}
	}
}

func TestChosen(t *testing.T) {
	m := New("~", "")
	m.setSessions(metas(2))
	if _, ok := m.Chosen(4); ok {
		t.Error("a try is offered before the directory is known")
	}
	m.setDirectory(Directory{Empty: true})
	for n, want := range map[int]Choice{1: {Session: "a"}, 2: {Session: "b"}, 4: {Prompt: m.tries()[0]}, 6: {Prompt: m.tries()[2]}} {
		if got, ok := m.Chosen(n); !ok || got != want {
			t.Errorf("%d: %+v, %v", n, got, ok)
		}
	}
	for _, n := range []int{0, 3, 7} {
		if got, ok := m.Chosen(n); ok {
			t.Errorf("%d: %+v", n, got)
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
