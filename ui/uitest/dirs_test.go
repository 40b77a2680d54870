package uitest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// A session gets another directory while it lives, which is listed, told to the agent, and taken back.
func TestAddDir(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(top, "lib")
	for _, dir := range []string{"acme", "lib", "library"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(top, "list.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	Run(t, Config{Width: 80, Height: 24, Dir: filepath.Join(top, "acme")}, func(p *Program) {
		says := func(typed, want string) {
			t.Helper()
			p.Type(typed)
			if p.Pass(time.Second); !p.Has(want) {
				t.Errorf("%s does not say %q:\n%s", typed, want, p.Text())
			}
		}
		says("/add-dir .", "is this session's own directory") // not what is offered to go on with, ../
		says("/add-dir ~", "holds your whole home")
		says("/add-dir ~/nothing", "There is no directory ~/nothing")
		p.Send("/add-dir ~/li")
		p.Settle()
		p.Golden("add-dir-complete")
		p.Keys("ctrl+u")
		says("/add-dir ~/lib", "Agents may work in ~/lib too")
		says("/add-dir ~/lib", "~/lib is added already")
		p.Type("work there")
		turn := p.Turn()
		if got := turn.Conversation().Options.Dirs; !slices.Equal(got, []string{there}) {
			t.Errorf("the agent got %q", got)
		}
		turn.Text("done")
		turn.End(session.TurnCompleted)
		p.Settle()
		says("/add-dir", "the session's own")
		p.Keys("down")
		p.Golden("add-dir")
		p.Keys("ctrl+x")
		if p.Pass(time.Second); !p.Has("~/lib is asked about again") || len(p.Session.Meta().Dirs) != 0 {
			t.Errorf("it is not taken back:\n%s", p.Text())
		}
		p.Keys("esc")
		p.Pass(time.Minute)
		says("/add-dir rm ~/lib", "~/lib is not among the added directories")
		p.Golden("add-dir-removed")
	})
}

// The chat in lines adds, lists and takes back as the screen does.
func TestAddDirInLines(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	RunLines(t, Config{}, func(l *Lines) {
		says := func(line string, want ...string) {
			t.Helper()
			l.News()
			l.Type(line)
			l.Settle()
			said := l.News()
			for _, w := range want {
				if !strings.Contains(said, w) {
					t.Errorf("%s does not say %q:\n%s", line, w, said)
				}
			}
		}
		says("/add-dir "+top, "Agents may work in "+top+" too")
		says("/add-dir", "directory 1: ~/src/acme", "directory 2: "+top, "added")
		says("/add-dir 2", "/add-dir rm "+top)
		says("/add-dir "+filepath.Join(top, "x"), "There is no directory")
		if got := l.Session.Meta().Dirs; !slices.Equal(got, []string{top}) {
			t.Errorf("it has %q", got)
		}
		says("/add-dir rm "+top, top+" is asked about again")
		if got := l.Session.Meta().Dirs; len(got) != 0 {
			t.Errorf("it has %q", got)
		}
	})
}
