package process

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
)

// decisions stores decisions about directories, or fails with err.
type decisions struct{ err error }

func (d decisions) Untrusted(context.Context, string) ([]session.RepositoryItem, error) {
	return []session.RepositoryItem{{}}, d.err
}

func (d decisions) Trust(context.Context, string, []session.RepositoryItem, bool) error { return d.err }

func TestTrust(t *testing.T) {
	var d Directories
	if items, err := d.Untrusted(t.Context(), "/x"); items != nil || err != nil {
		t.Error(items, err)
	}
	if err := d.Trust(t.Context(), "/x", nil, true); kindOf(err) != session.KindUnsupported {
		t.Error(err)
	}
	if c := d.Customs(t.Context(), "/x"); c.Agents != nil {
		t.Error(c)
	}
	d.Slash.Learn("/x", []session.SlashCommand{{Name: "a"}}, nil)
	for _, err := range []error{errors.New("disk full"), nil} { // what is trusted may bring other commands
		d.Repository = decisions{err}
		if got := d.Trust(t.Context(), "/x", nil, true); got != err || (d.Commands("/x") == nil) != (err == nil) {
			t.Errorf("%v: %v", got, d.Commands("/x"))
		}
	}
	if items, err := d.Untrusted(t.Context(), "/x"); len(items) != 1 || err != nil {
		t.Error(items, err)
	}
	d.Slash.Learn("/x", nil, nil)
	if err := d.AwaitCommands(t.Context(), "/x"); err != nil {
		t.Error(err)
	}
}

func TestCheckOpen(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := CheckOpen(t.Context(), "open", dir); err != nil {
		t.Error(err)
	}
	gone := CheckOpen(t.Context(), "open", filepath.Join(dir, "none"))
	if p := session.ProblemOf(gone, time.Now()); kindOf(gone) != session.KindNotFound || !strings.Contains(p.What, "gone: "+filepath.Join(dir, "none")) || p.Next == "" {
		t.Errorf("%v: %+v", gone, p)
	}
	for _, bad := range []string{"", "relative", file} {
		if err := CheckOpen(t.Context(), "open", bad); kindOf(err) != session.KindInvalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := CheckOpen(ended, "open", dir); kindOf(err) != session.KindCancelled {
		t.Error(err)
	}
}

func TestWithMode(t *testing.T) {
	for mode, want := range map[session.Mode]session.Mode{"": session.ModeDefault, session.ModePlan: session.ModePlan} {
		if s, err := WithMode(session.Settings{Mode: mode}); err != nil || s.Mode != want {
			t.Errorf("%q: %q, %v", mode, s.Mode, err)
		}
	}
	if _, err := WithMode(session.Settings{Mode: "odd"}); kindOf(err) != session.KindInvalid {
		t.Error(err)
	}
}

func TestNotices(t *testing.T) {
	for silent, want := range map[time.Duration]string{
		90 * time.Second: "X has said nothing for 90 seconds. It may be busy; press Esc to interrupt it.",
		3 * time.Minute:  "X has said nothing for 3 minutes. It may be busy; press Esc to interrupt it.",
	} {
		if got := Silence(session.Head{}, "X", silent).(session.Notice); got.Text != want || got.Severity != session.Warning {
			t.Errorf("%+v", got)
		}
	}
	if got := LateSwitch(session.Head{}, "m").(session.Notice); got.Severity != session.Info ||
		got.Text != "This turn goes on with the model it began with. m is used from the next prompt on." {
		t.Errorf("%+v", got)
	}
}

// A prompt that is cancelled aborts its turn, and the one that a steered prompt becomes meanwhile.
func TestAwaitAbortsUntilOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(-1)
		turns, aborts, stopping := 2, 0, false
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.Await(ctx, func() bool { return turns == 0 }, func() bool { return stopping }, func() {
				aborts++
				w.set(func() { stopping = true })
				go w.set(func() { turns--; stopping = false })
			})
		}()
		synctest.Wait()
		if aborts != 0 {
			t.Error("aborted without a reason")
		}
		cancel()
		<-done
		if aborts != 2 {
			t.Errorf("%d aborts", aborts)
		}
		w.Await(t.Context(), func() bool { return true }, nil, nil)
	})
}
