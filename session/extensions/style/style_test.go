package style

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(home, "output-styles", "brief.md"):               "---\nname: Brief\ndescription: few words\nkeep-coding-instructions: true\n---\nBe brief.",
		filepath.Join(home, "output-styles", "plain.md"):               "Be plain.",
		filepath.Join(home, "output-styles", "empty.md"):               "---\nname: Empty\n---\n",
		filepath.Join(home, "output-styles", "broken.md"):              "---\nname: Broken\nno end",
		filepath.Join(home, "output-styles", "huge.md"):                strings.Repeat("x", maxFile+1),
		filepath.Join(dir, ".claude", "output-styles", "plain.md"):     "Be plainer.",
		filepath.Join(dir, ".claude", "output-styles", "default.md"):   "Pose as the default.",
		filepath.Join(dir, ".claude", "output-styles", "notes.txt"):    "No style.",
		filepath.Join(dir, ".claude", "output-styles", "deep", "x.md"): "Too deep.",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(home, "output-styles", "brief.md"), filepath.Join(dir, ".claude", "output-styles", "linked.md")); err != nil {
		t.Fatal(err)
	}
	for trusted, want := range map[bool]string{false: "Be plain.", true: "Be plainer."} {
		f := &Finder{Dirs: []string{home}, Trusted: func(string) bool { return trusted }}
		var names []string
		all := f.Find(t.Context(), dir)
		for _, s := range all {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); got != "Default Explanatory Learning Brief plain" {
			t.Errorf("trusted %v: %s", trusted, got)
		}
		if s, ok := Named(all, "PLAIN"); !ok || s.Text != want {
			t.Errorf("trusted %v: %+v", trusted, s)
		}
		if s, _ := Named(all, "default"); s.Text != "" {
			t.Errorf("%+v", s)
		}
	}
	if items := Items(t.Context(), dir); len(items) != 2 || items[1].Name != "plain" || items[1].Kind != "output style" {
		t.Errorf("%+v", items)
	}
}
