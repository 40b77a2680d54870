package delegate

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"go.uber.org/goleak"

	"parley/internal/handover"
	"parley/session"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/panel/paneltest"
	"parley/ui/style"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testOptions returns those of a form whose agent answers with summarize, nil for none.
func testOptions(t testing.TB, summarize func(ctx context.Context, emit func(string)) error) options {
	t.Helper()
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return options{Look: &style.Look{Theme: style.NewTheme(true, true, nil), Now: time.Now, Width: 80, Height: 24}, Keys: keys, Dir: "/project",
		Statement: "made from the chat", Words: "mend it", Summarize: summarize, Suffix: "x",
		Target: func(context.Context) (session.RemoteTarget, error) {
			return session.RemoteTarget{Repository: "octo/app", Base: "main"}, nil
		}}
}

// sent is what a form about a prompt sends, for tests: its text and target.
func sent(t *testing.T, s *paneltest.Screen) session.Prompt {
	t.Helper()
	for _, e := range s.Effects {
		if p, is := e.(panel.Post); is {
			return p.Prompt.Prompt
		}
	}
	t.Fatalf("nothing was sent: %v", s.Effects)
	return session.Prompt{}
}

// open returns a form about a prompt.
func open(t *testing.T, summarize func(ctx context.Context, emit func(string)) error) (*form, *paneltest.Screen) {
	t.Helper()
	o := testOptions(t, summarize)
	o.Prepared = &core.Prepared{Draft: "mend it"}
	f, start := newForm(&Command{}, o)
	return f, paneltest.Open(t, panel.Push{Panel: f, Start: start})
}

func TestSummary(t *testing.T) {
	for _, tt := range []struct {
		name      string
		summarize func(ctx context.Context, emit func(string)) error
		want      string
	}{
		{"whole", func(_ context.Context, emit func(string)) error { emit("Because "); emit("of this.\n"); return nil }, "mend it\n\nBecause of this."},
		{"none", func(context.Context, func(string)) error { return errors.New("no") }, "made from the chat"},
		{"half", func(_ context.Context, emit func(string)) error { emit("Because"); return errors.New("cut") }, "mend it\n\nBecause"},
	} {
		_, screen := open(t, tt.summarize)
		screen.Wait()
		screen.Keys("ctrl+s")
		if got := sent(t, screen); got.Text != tt.want || *got.Target != (session.RemoteTarget{Repository: "octo/app", Base: "main"}) {
			t.Errorf("%s: %+v", tt.name, got)
		}
		if screen.IsOpen() || len(screen.Effects) != 1 {
			t.Errorf("%s: it is open, or more than sent: %v", tt.name, screen.Effects)
		}
	}
}

// What the user writes ends the agent's writing, which changes nothing from then on.
func TestWritingEndsTheSummary(t *testing.T) {
	started, stopped := make(chan struct{}), make(chan struct{})
	f, screen := open(t, func(ctx context.Context, emit func(string)) error {
		close(started)
		<-ctx.Done()
		emit("too late")
		close(stopped)
		return ctx.Err()
	})
	screen.Until(started)
	screen.Keys("a")
	<-stopped
	screen.Wait()
	if got := f.current().Statement; got != "made from the chata" && got != "amade from the chat" {
		t.Errorf("the statement is %q", got)
	}
}

// A form that is closed puts its prompt back; one about the conversation keeps its statement for the next.
func TestClosingLosesNothing(t *testing.T) {
	_, screen := open(t, nil)
	screen.Keys("esc")
	if len(screen.Effects) != 1 || screen.IsOpen() {
		t.Fatalf("%v", screen.Effects)
	}
	if back, is := screen.Effects[0].(panel.Restore); !is || back.Prompt.Draft != "mend it" {
		t.Errorf("%v", screen.Effects)
	}
	room := &Command{}
	f, _ := newForm(room, testOptions(t, nil))
	screen = paneltest.Open(t, panel.Push{Panel: f})
	screen.Keys("esc")
	if room.kept != "made from the chat" || len(screen.Effects) != 0 {
		t.Errorf("kept %q, %v", room.kept, screen.Effects)
	}
}

// What a service reports of work that is not shown.
func TestProgress(t *testing.T) {
	pull := session.Remote{State: session.RemoteCompleted, Repository: "octo/app"}
	for want, got := range map[string]func() (string, bool){
		"GitHub didn't start the task. No route": func() (string, bool) { return progress(session.Remote{}, &session.Problem{What: "No route"}, false) },
		"GitHub works on it":                     func() (string, bool) { return progress(pull, nil, false) },
		"GitHub's work on":                       func() (string, bool) { return progress(pull, nil, true) },
	} {
		text, warn := got()
		if !strings.HasPrefix(text, want) || warn != strings.Contains(want, "start") {
			t.Errorf("%q, a warning: %t", text, warn)
		}
	}
}

// FuzzForm draws a form with any texts in a window of any size, with any keys: no row is wider than the window, and nothing can
// drive the terminal.
func FuzzForm(f *testing.F) {
	f.Add("fix\nit", "octo/app", "a.go", "\t\t\t\t>>", 80, 24)
	f.Add("\x1b[2J", "日本/x", "\x1b]0;a\x07", "\t<", 40, 12)
	f.Fuzz(func(t *testing.T, text, repository, file, keys string, w, h int) {
		w, h = min(max(w, 40), 200), min(max(h, 8), 60)
		o := testOptions(t, nil)
		o.Statement, o.Stays = text, true
		o.Look.Width = w
		form, _ := newForm(&Command{}, o)
		form.took(lookedMsg{target: session.RemoteTarget{Repository: repository, Base: file}, work: &handover.Work{Unpushed: 1, Changed: []string{file}, New: []string{text},
			Remotes: []handover.Remote{{Name: "origin", Repository: repository}}, Remote: "origin"}})
		names := map[rune]tea.KeyPressMsg{'\t': {Code: tea.KeyTab}, '>': {Code: tea.KeyRight}, '<': {Code: tea.KeyLeft}, '\r': {Code: tea.KeyEnter}}
		for _, r := range keys[:min(len(keys), 50)] {
			k, ok := names[r]
			if !ok {
				k = tea.KeyPressMsg{Code: r, Text: string(r)}
			}
			form.Update(k)
			rows, cx, cy := form.rows(w, h)
			if len(rows) > h || cy >= len(rows) || cx >= w {
				t.Fatalf("%d rows in %d, the cursor at %d,%d", len(rows), h, cx, cy)
			}
			for _, row := range rows {
				if plain := style.Unstyled(row); o.Look.Measure.Width(plain) > w || strings.ContainsAny(plain, "\x1b\x07") {
					t.Fatalf("%q in %d columns", row, w)
				}
			}
		}
	})
}
