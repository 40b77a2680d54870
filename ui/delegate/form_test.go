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
	"parley/ui/keymap"
	"parley/ui/style"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// options returns those of a form whose agent answers with summarize, nil for none.
func options(t testing.TB, summarize func(ctx context.Context, emit func(string)) error) Options {
	t.Helper()
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Look: &style.Look{Theme: style.NewTheme(true, true, nil), Now: time.Now, Width: 80, Height: 24}, Keys: keys, Context: context.Background(), Dir: "/project",
		Statement: "made from the chat", Words: "mend it", Summarize: summarize, Suffix: "x",
		Target: func(context.Context) (session.RemoteTarget, error) {
			return session.RemoteTarget{Repository: "octo/app", Base: "main"}, nil
		}}
}

// run runs a command and all that follow from it until nothing is left.
func run(f *Form, cmd tea.Cmd) (last Action) {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			if a := run(f, c); a != nil {
				last = a
			}
		}
	case nil:
	default:
		a, next := f.Update(msg)
		if last = a; last == nil {
			last = run(f, next)
		}
	}
	return last
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
		f, cmd := New(options(t, tt.summarize))
		run(f, cmd)
		a, _ := f.hand()
		got, ok := a.(Handed)
		if !ok || got.Prompt.Text != tt.want || *got.Prompt.Target != (session.RemoteTarget{Repository: "octo/app", Base: "main"}) {
			t.Errorf("%s: %+v", tt.name, a)
		}
		f.Close()
	}
}

// What the user writes ends the agent's writing, which changes nothing from then on.
func TestWritingEndsTheSummary(t *testing.T) {
	stopped := make(chan struct{})
	f, cmd := New(options(t, func(ctx context.Context, emit func(string)) error {
		emit("too late")
		<-ctx.Done()
		close(stopped)
		return ctx.Err()
	}))
	done := make(chan []tea.Msg)
	go func() {
		var all []tea.Msg
		for _, c := range cmd().(tea.BatchMsg) {
			if msg := c(); msg != nil {
				if b, ok := msg.(tea.BatchMsg); ok {
					for _, c := range b {
						all = append(all, c())
					}
					continue
				}
				all = append(all, msg)
			}
		}
		done <- all
	}()
	f.Update(tea.KeyPressMsg{Code: 'a', Text: "a"})
	<-stopped
	for _, msg := range <-done {
		f.Update(msg)
	}
	if got := f.current().Statement; got != "made from the chata" && got != "amade from the chat" {
		t.Errorf("the statement is %q", got)
	}
	f.Close()
}

// FuzzForm draws a form with any texts in a window of any size, with any keys: no row is wider than the window, and nothing can
// drive the terminal.
func FuzzForm(f *testing.F) {
	f.Add("fix\nit", "octo/app", "a.go", "\t\t\t\t>>", 80, 24)
	f.Add("\x1b[2J", "日本/x", "\x1b]0;a\x07", "\t<", 40, 12)
	f.Fuzz(func(t *testing.T, text, repository, file, keys string, w, h int) {
		w, h = min(max(w, 40), 200), min(max(h, 8), 60)
		o := options(t, nil)
		o.Statement, o.Stays = text, true
		o.Look.Width = w
		form, _ := New(o)
		defer form.Close()
		form.took(lookedMsg{of: form, target: session.RemoteTarget{Repository: repository, Base: file}, work: &handover.Work{Unpushed: 1, Changed: []string{file}, New: []string{text},
			Remotes: []handover.Remote{{Name: "origin", Repository: repository}}, Remote: "origin"}})
		names := map[rune]tea.KeyPressMsg{'\t': {Code: tea.KeyTab}, '>': {Code: tea.KeyRight}, '<': {Code: tea.KeyLeft}, '\r': {Code: tea.KeyEnter}}
		for _, r := range keys[:min(len(keys), 50)] {
			k, ok := names[r]
			if !ok {
				k = tea.KeyPressMsg{Code: r, Text: string(r)}
			}
			form.Update(k)
			rows, cx, cy := form.Rows(w, h)
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
