package uitest

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"parley/session"
	"parley/ui"
	"parley/ui/keymap"
)

// TestNothingWrittenDrivesTheTerminal puts control sequences into everything that the field offers, finds and runs.
func TestNothingWrittenDrivesTheTerminal(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\x1b[31mred\u202e\u009b5m"
	options := func(o *ui.Options) {
		o.Files = func(string) fs.FS {
			return fstest.MapFS{"evil" + evil + ".go": {}, "evil" + evil + "/a.go": {}}
		}
		managerOf(o).Past = func(_ context.Context, yield func([]session.PastPrompt) bool) error {
			yield([]session.PastPrompt{{Text: "evil" + evil, Dir: "/d" + evil, At: time.Now()}})
			return errors.New("e" + evil)
		}
		managerOf(o).Slashes = func(string, string) []session.SlashCommand {
			return []session.SlashCommand{{Name: "evil" + evil, Arguments: "a" + evil, About: "b" + evil}}
		}
		o.Shell = func(_ context.Context, _, line string, wrote func([]byte)) (int, error) {
			wrote([]byte(evil + "\r" + evil + "\n" + evil))
			return 3, errors.New("x" + evil)
		}
		o.Clipboard = Images(func(context.Context) ([]byte, error) { return nil, errors.New("i" + evil) })
		o.Notice = "n" + evil
		o.Keys = []keymap.UserBinding{{Key: "ctrl+x", Action: "palette", Where: "w" + evil}}
		o.Vim = true
	}
	Run(t, Config{Width: 120, Height: 40, Options: options}, func(p *Program) {
		look := func() {
			t.Helper()
			raw := p.Raw()
			for _, bad := range []string{"owned\x07", "\x1b[2J\x1b[31mred", "\u202e", "\u009b"} {
				if strings.Contains(raw, bad) {
					t.Errorf("%q got through:\n%s", bad, p.Text())
				}
			}
		}
		p.Send("@evil")
		p.Settle()
		look()
		p.Keys("tab")
		p.Settle()
		look()
		p.Keys("ctrl+u")
		p.Send("/ev")
		look()
		p.Keys("ctrl+u", "ctrl+r")
		p.Settle()
		p.Send("evil")
		look()
		p.Keys("enter")
		look()
		p.Keys("ctrl+u")
		p.Type("!" + "ls")
		p.Pass(time.Second)
		look()
		p.Keys("ctrl+v")
		look()
		p.Type("go")
		turn := p.Turn()
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Keys("tab")
		look()
		p.Type("/notices")
		look()
	})
}
