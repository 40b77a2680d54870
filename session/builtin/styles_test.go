package builtin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/extensions/style"
)

// An output style changes the next request of the agent itself, between turns, and holds after a resume.
func TestOutputStyle(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "output-styles"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "output-styles", "brief.md"), []byte("---\nname: Brief\n---\nMARK-brief"), 0o600); err != nil {
		t.Fatal(err)
	}
	styles := func(o *Options, _ *session.OpenOptions) { o.Styles = &style.Finder{Dirs: []string{home}} }
	s := newService(t, says("one"), says("two"), says("three"), says("four"))
	ch := openChat(t, s, styles)
	ch.send("x")
	ch.send("/output-style")
	ch.send("/output-style no such")
	ch.send("/output-style brief")
	ch.send("y")
	if said := ch.transcript().Turns; !strings.Contains(textsOf(said), "- Default (current)") || !strings.Contains(textsOf(said), "No output style is called no such") ||
		!strings.Contains(textsOf(said), "Output style: Brief") {
		t.Errorf("it said %s", textsOf(said))
	}
	again := openChat(t, s, styles, history(ch.transcript()))
	again.send("z")
	again.send("/output-style default")
	again.send("z")
	for n, want := range []bool{false, true, true, false} {
		if got := strings.Contains(s.requests()[n], "MARK-brief"); got != want {
			t.Errorf("request %d: the style is there: %v", n, got)
		}
	}
}

// textsOf returns what the turns say.
func textsOf(turns []*session.Turn) string {
	var b strings.Builder
	for _, turn := range turns {
		for _, e := range turn.Entries {
			if p, is := e.(*session.Part); is {
				b.WriteString(p.Text() + "\n")
			}
		}
	}
	return b.String()
}
