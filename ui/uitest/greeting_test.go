package uitest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// goProject makes a small directory below a home.
func goProject(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "acme")
	for name, text := range map[string]string{"go.mod": "module acme\n", "README.md": "# acme\n", "retry.go": "package acme\n"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// storePast stores sessions of a directory.
func storePast(t *testing.T, w *sessiontest.World, dir string) {
	t.Helper()
	for i, title := range []string{"Why the upload test flakes", "Retry with jitter", "Release notes for 2.4", "Name the buckets"} {
		at := time.Date(1999, 12, 31, 22, 0, 0, 0, time.UTC).Add(-time.Duration(i*i) * 9 * time.Hour)
		id := session.ID("past-" + string(rune('a'+i)))
		head := session.Head{Session: id, Turn: "t", At: at}
		w.Journals.Put(session.Meta{ID: id, Agent: "builtin", Dir: dir, Title: title, Turns: 1 + 11*i, Created: at, Updated: at},
			session.TurnStarted{Head: head, Prompt: session.Prompt{ID: "p", Text: title + "?"}}, session.TurnEnded{Head: head, Outcome: session.TurnCompleted})
	}
}

// TestGreeting shows what to pick up and what to try before anything was said, and does what its keys say.
func TestGreeting(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			dir := goProject(t)
			w := sessiontest.NewWorld()
			storePast(t, w, dir)
			Run(t, Config{Width: s.w, Height: s.h, World: w, Dir: dir, Settings: opus}, func(p *Program) {
				p.Settle()
				p.Golden("greeting-" + s.name)
				p.Keys("down")
				p.Send("x")
				if !p.Has("> x") || p.Has("❯") {
					t.Errorf("what is typed does not go into the field:\n%s", p.Text())
				}
				p.Keys("down", "enter")
				if turn := p.Turn(); turn.Prompt.Text != "x" {
					t.Errorf("%q was sent", turn.Prompt.Text)
				}
			})
		})
	}
}

// TestFirstPageChooses goes through the page with the arrows and with a click. Enter takes what is selected, and sends nothing.
func TestFirstPageChooses(t *testing.T) {
	begin := func(do func(p *Program)) {
		dir := goProject(t)
		w := sessiontest.NewWorld()
		storePast(t, w, dir)
		Run(t, Config{Width: 120, Height: 40, World: w, Dir: dir, Settings: opus}, func(p *Program) {
			p.Settle()
			do(p)
		})
	}
	begin(func(p *Program) {
		p.Keys("down", "down", "up", "up", "enter")
		if p.Has("❯") || !p.Has("Continue") {
			t.Errorf("the selection does not leave at the top, or enter did something:\n%s", p.Text())
		}
		p.Keys("down", "down", "down", "down", "down", "down", "down", "down")
		if !p.Has("❯ find one thing here that should be simpler") {
			t.Errorf("the last try is not selected:\n%s", p.Text())
		}
		p.Keys("up", "enter")
		if !p.Has("> run go test ./... and fix what fails") {
			t.Errorf("the try is not in the field:\n%s", p.Text())
		}
	})
	begin(func(p *Program) {
		p.Keys("down", "down", "enter")
		p.Settle()
		if !p.Has("> Retry with jitter?") || p.Has("Continue") {
			t.Errorf("the session is not resumed:\n%s", p.Text())
		}
	})
	begin(func(p *Program) {
		x, y := p.Find("Release notes for 2.4")
		p.Click(x, y, 1)
		p.Settle()
		if !p.Has("> Release notes for 2.4?") {
			t.Errorf("a click resumes nothing:\n%s", p.Text())
		}
	})
}

// TestGreetingOffersWhatOthersKeep shows a session whose turns are not counted, and none in which nothing was said.
func TestGreetingOffersWhatOthersKeep(t *testing.T) {
	dir, w := goProject(t), sessiontest.NewWorld()
	at := time.Date(1999, 12, 31, 22, 0, 0, 0, time.UTC)
	w.Journals.Put(session.Meta{ID: "other", Agent: "builtin", Dir: dir, First: "made elsewhere", Created: at, Updated: at})
	w.Journals.Put(session.Meta{ID: "blank", Agent: "builtin", Dir: dir, Created: at, Updated: at})
	Run(t, Config{World: w, Dir: dir}, func(p *Program) {
		p.Settle()
		if !p.Has("    made elsewhere") || p.Has("0 turns") || p.Has("/resume shows all") {
			t.Errorf("the greeting:\n%s", p.Text())
		}
	})
}

// TestGreetingGoes makes room for the first prompt, and comes back with /new.
func TestGreetingGoes(t *testing.T) {
	dir := goProject(t)
	Run(t, Config{Dir: dir, Settings: opus}, func(p *Program) {
		p.Settle()
		if !p.Has("  Try") {
			t.Fatalf("no greeting:\n%s", p.Text())
		}
		p.Type("hello")
		turn := p.Turn()
		p.Settle()
		if p.Has("  Try") {
			t.Errorf("the greeting stays:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Type("/new")
		p.Settle()
		if !p.Has("  Try") || p.Has("> hello") {
			t.Errorf("a new session greets nobody:\n%s", p.Text())
		}
	})
}
