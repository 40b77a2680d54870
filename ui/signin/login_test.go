package signin

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui/core"
	"parley/ui/list/listtest"
	"parley/ui/panel"
	"parley/ui/panel/paneltest"
	"parley/ui/style"
)

// setup is a login that can be changed.
type setup struct {
	core.Setup
	err     error
	code    bool          // signing in with a code is possible
	entered chan struct{} // closed once the user has entered the code
}

func (s setup) Account(context.Context) (core.Account, error) {
	return core.Account{Who: "mona\x1b[2J on github.com", Token: "from gh", Plan: "Copilot Pro", Left: [][2]string{{"Chat", "unlimited"}}}, s.err
}
func (s setup) CanSignIn() bool                         { return s.code }
func (s setup) Ways() []string                          { return []string{"Run `gh auth login --web`", "Or set GH_TOKEN"} }
func (s setup) SignOut(context.Context) (string, error) { return "Signed out\x1b[2J.", s.err }
func (s setup) SignIn(ctx context.Context, show func(address, code string)) (string, error) {
	if s.err != nil {
		return "", s.err
	}
	show("https://example.com/device", "AB-CD\x1b[2J")
	<-s.entered
	return "Signed in as mona.", nil
}

func loginLook() *style.Look {
	return &style.Look{Theme: style.NewTheme(true, true, nil), Now: time.Now, Width: 100, Height: 24}
}

func refused() error {
	return &session.Error{Op: "sign in", Kind: session.KindAuth, Err: errors.New("401\x1b[2J")}
}

func TestLogin(t *testing.T) {
	s := paneltest.Open(t, Run(loginLook(), setup{}, "").(panel.Push))
	if rows := s.Rows(100, 24); !strings.Contains(rows, "Asking GitHub") {
		t.Errorf("%s", rows)
	}
	s.Wait()
	rows := s.Rows(100, 24)
	for _, want := range []string{"Signed in as mona␛[2J on github.com, with the token from gh.", "Plan: Copilot Pro\n", "Chat: unlimited", "Sign in again  see how", "Sign out"} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in\n%s", want, rows)
		}
	}
	s.Keys("enter")
	s.Wait()
	want := []panel.Effect{panel.Report{Title: "Sign in", Lines: []string{"Run gh auth login --web", "Or set GH_TOKEN"}}}
	if !reflect.DeepEqual(s.Effects, want) {
		t.Errorf("%#v", s.Effects)
	}
	s = paneltest.Open(t, Run(loginLook(), setup{err: refused()}, "").(panel.Push))
	s.Wait()
	if rows := s.Rows(100, 24); !strings.Contains(rows, "sign-in") || !strings.Contains(rows, "Sign in again") || strings.Contains(rows, "\x1b[2J") {
		t.Errorf("%s", rows)
	}
}

// The code is shown while the user enters it, and what came of it follows.
func TestSignInWithACode(t *testing.T) {
	entered := make(chan struct{})
	s := paneltest.Open(t, Run(loginLook(), setup{code: true, entered: entered}, "").(panel.Push))
	s.Wait()
	if rows := s.Rows(100, 24); !strings.Contains(rows, "with a code") {
		t.Errorf("%s", rows)
	}
	s.Keys("enter")
	for len(s.Effects) == 0 {
		s.Next()
	}
	r, is := s.Effects[0].(panel.Report)
	if text := strings.Join(r.Lines, "\n"); !is || !strings.Contains(text, "https://example.com/device") || !strings.Contains(text, "AB-CD␛[2J") {
		t.Errorf("%#v", s.Effects)
	}
	close(entered)
	s.Wait()
	if got := s.Effects[len(s.Effects)-1]; got != (panel.Notice{Text: "Signed in as mona."}) {
		t.Errorf("%#v", got)
	}
}

func TestLoginAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		setup core.Setup
		args  string
		warn  bool
		text  string
	}{
		"out":     {setup{}, "out", false, "Signed out␛[2J."},
		"refused": {setup{err: refused()}, "out", true, "sign-in"},
		"none":    {nil, "", true, "parley auth login"},
	} {
		s := paneltest.Do(t, Run(loginLook(), c.setup, c.args))
		s.Wait()
		n, is := s.Effects[0].(panel.Notice)
		if !is || n.Warn != c.warn || !strings.Contains(n.Text, c.text) || strings.Contains(n.Text, "\x1b") {
			t.Errorf("%s: %#v", name, s.Effects)
		}
	}
	s := paneltest.Do(t, account{look: loginLook(), setup: setup{code: true, err: refused()}}.Choose("in"))
	s.Wait()
	if n, is := s.Effects[0].(panel.Notice); !is || !n.Warn {
		t.Errorf("%#v", s.Effects)
	}
}

func TestLoginFits(t *testing.T) {
	bad := listtest.Bad
	l := account{look: loginLook(), setup: setup{}, known: core.Account{Who: bad, Token: bad, Plan: bad, Left: [][2]string{{bad, bad}}}}
	if text := strings.ReplaceAll(l.Options().Text, "\n", ""); strings.ContainsAny(text, "\x1b") {
		t.Errorf("%q", text)
	}
}
