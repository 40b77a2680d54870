package uitest

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"parley/session"
	"parley/ui"
)

// showcase plays a bit of everything that has a look, and leaves a prompt open.
func showcase(p *Program) {
	p.Type("naïve “question” 漢字")
	turn := p.Turn()
	turn.Reasoning(2*time.Second, "Hm.")
	turn.Text("Some `code` – and a [link](https://go.dev) → there…\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\n- [x] done\n\n```go\nx := 1 // comment\n```\n")
	turn.Tool("Bash", `{"command":"make"}`, "├── ok\n")
	turn.Emit(session.Notice{Severity: session.Warning, Text: "careful"})
	_, _ = commandAsk(turn, "make clean")
	p.Pass(time.Second)
}

func TestAppearances(t *testing.T) {
	for name, options := range map[string]func(o *ui.Options){
		"ascii":               func(o *ui.Options) { o.Appearance.Charset = "ascii" },
		"linux-console":       func(o *ui.Options) { o.Env, o.Profile = []string{"TERM=linux", "HOME=/home/ada"}, colorprofile.Unknown },
		"high-contrast":       func(o *ui.Options) { o.Theme = "high-contrast" },
		"high-contrast-light": func(o *ui.Options) { o.Theme, o.Light = "high-contrast", true },
		"colours-16":          func(o *ui.Options) { o.Profile = colorprofile.ANSI },
		"colours-16-light":    func(o *ui.Options) { o.Profile, o.Light = colorprofile.ANSI, true },
		"colours-256":         func(o *ui.Options) { o.Profile = colorprofile.ANSI256 },
		"reduced-motion":      func(o *ui.Options) { o.Appearance.ReducedMotion = true },
	} {
		t.Run(name, func(t *testing.T) {
			Run(t, Config{Width: 80, Height: 36, Settings: opus, Options: options}, func(p *Program) {
				showcase(p)
				p.Golden("look-" + name)
				raw := p.Raw()
				if strings.Contains(name, "ascii") || strings.Contains(name, "linux") {
					for _, r := range raw {
						if r > 0x7e {
							t.Fatalf("%q was drawn", r)
						}
					}
				}
				if strings.Contains(name, "16") || name == "linux-console" {
					if s := regexp.MustCompile(`\x1b\[[0-9;:]*[34]8[;:][25][0-9;:]*m`).FindString(raw); s != "" {
						t.Errorf("%q is no colour of sixteen", s)
					}
				}
				if name == "colours-256" && regexp.MustCompile(`\x1b\[(?:[0-9;:]*[;:])?[34]8[;:]2[;:][0-9;:]*m`).MatchString(raw) {
					t.Error("a true colour was drawn")
				}
			})
		})
	}
}

// With reduced motion a running turn draws once a second, when its seconds change, and nothing turns.
func TestReducedMotion(t *testing.T) {
	Run(t, Config{Options: func(o *ui.Options) { o.Appearance.ReducedMotion = true }}, func(p *Program) {
		p.Type("hello")
		p.Turn()
		p.Pass(5 * time.Second)
		before := p.Counts().Frames
		p.Send(focusGained) // what was counted was read before what comes now
		p.Pass(10 * time.Second)
		if n := p.Counts().Frames - before; n > 12 {
			t.Errorf("%d frames in ten seconds", n)
		}
		if strings.ContainsAny(p.Raw(), "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") {
			t.Error("the spinner was drawn")
		}
	})
}

// A terminal that has once said what its background is is asked again when the window gets the focus: it may have changed.
func TestBackgroundIsAskedForAgain(t *testing.T) {
	Run(t, Config{Silent: true, Options: func(o *ui.Options) { o.Quiet = false }}, func(p *Program) {
		const ask = "\x1b]11;?"
		if n := strings.Count(p.Raw(), ask); n != 1 {
			t.Fatalf("asked %d times at the start", n)
		}
		p.Send(focusLost)
		p.Send(focusGained)
		p.Settle()
		if n := strings.Count(p.Raw(), ask); n != 1 {
			t.Errorf("a terminal that does not answer was asked %d times", n)
		}
		p.Send("\x1b]11;rgb:0000/0000/0000\x07")
		p.Send(focusLost)
		p.Send(focusGained)
		p.Settle()
		if n := strings.Count(p.Raw(), ask); n != 2 {
			t.Errorf("asked %d times", n)
		}
	})
}
