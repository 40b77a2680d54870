package uitest

import (
	"errors"
	"testing"

	"parley/session"
	"parley/ui"
	"parley/ui/core"
)

// A login that the service rejects is reported at the start, before a prompt is written.
func TestBadLoginIsToldAtTheStart(t *testing.T) {
	refused := &session.Error{Op: "discover endpoint", Kind: session.KindAuth, Status: 401, Err: errors.New("bad credentials")}
	Run(t, Config{Width: 80, Height: 24, Options: withCatalog(catalog{err: refused})}, func(p *Program) {
		p.Settle()
		if !p.Has("GitHub did not accept the sign-in") {
			t.Errorf("nothing is told:\n%s", p.Text())
		}
	})
}

// TestNoNetworkIsReportedAtTheStart reports once that the service cannot be reached.
func TestNoNetworkIsReportedAtTheStart(t *testing.T) {
	down := &session.Error{Op: "discover endpoint", Kind: session.KindNetwork, Err: errors.New("dial tcp: connection refused")}
	Run(t, Config{Width: 80, Height: 24, Options: withCatalog(catalog{err: down})}, func(p *Program) {
		p.Settle()
		if !p.Has("No connection to GitHub: prompts fail until it is back") {
			t.Errorf("nothing is reported:\n%s", p.Text())
		}
	})
}

// Without gh the first screen offers a code where there is an app, and says what to do where there is none.
func TestFirstRunWithoutGH(t *testing.T) {
	for name, in := range map[string]*core.SignIn{
		"code": {Code: true, Looked: []string{"GH_TOKEN"}},
		"low":  {GH: true, Code: true, Looked: []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "gh's configuration"}},
		"none": {Looked: []string{"GH_TOKEN"}, Ways: []string{"Install the GitHub CLI.", "Or run `parley auth login`"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := Config{Width: 80, Height: 24, Options: func(o *ui.Options) { o.SignIn = in }}
			if name == "low" {
				c.Width, c.Height = 40, 12
			}
			Run(t, c, func(p *Program) {
				p.Golden("firstrun-" + name)
			})
		})
	}
}
