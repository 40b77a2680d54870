package overview

import (
	"context"
	"errors"
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

// login is an account that is known, or why it is not.
type login struct {
	core.Setup
	account core.Account
	err     error
}

func (l login) Account(context.Context) (core.Account, error) { return l.account, l.err }
func (l login) SessionFile(id session.ID) string              { return "/home/u/sessions/" + string(id) + ".jsonl" }

// servers are MCP servers.
type servers struct {
	session.ServerKeeper
	all []session.Server
}

func (s servers) Servers(context.Context, bool) []session.Server { return s.all }

func look() *style.Look {
	return &style.Look{Theme: style.NewTheme(true, true, nil), Now: time.Now, Width: 100, Height: 24, Home: "/home/u"}
}

func facts() Facts {
	f := Facts{Look: look(), Version: "1.2", AgentVersion: "2.1.330", Memory: true, Context: session.ContextState{Used: 50_000, Window: 200_000},
		Usage:   [][2]string{{"This session", "0.18 credits"}, {"Plan", "1,479 requests left"}},
		Servers: servers{all: []session.Server{{State: session.ServerConnected}, {State: session.ServerFailed}, {State: session.ServerConnected}}},
		Setup:   login{account: core.Account{Who: "mona on github.com", Token: "from gh", Plan: "Copilot Pro"}}}
	f.Agent, f.Dir = "claude", "/home/u/tidepool"
	f.Meta = session.Meta{ID: "s1", Title: "Why uploads flake", Branch: "main"}
	f.Current.Settings = session.Settings{Model: "claude-opus-5", Effort: "high", Mode: session.ModePlan}
	return f
}

func TestFacts(t *testing.T) {
	s := paneltest.Open(t, Run(facts()).(panel.Push))
	if rows := s.Rows(100, 24); !strings.Contains(rows, "asking GitHub…") || !strings.Contains(rows, "claude-opus-5") {
		t.Errorf("while the account is asked for:\n%s", rows)
	}
	s.Wait()
	rows := s.Rows(100, 24)
	for _, want := range []string{"parley        1.2\n", "Claude Code 2.1.330", "claude-opus-5", "high", "plan: ", "~/tidepool", "main", "s1 · Why uploads flake",
		"~/sessions/s1.jsonl", "50k of 200k tokens (25 %)", "/memory", "0.18 credits", "1,479 requests left", "2 connected, 1 failed · /mcp lists them",
		"mona on github.com", "from gh", "Copilot Pro\n"} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in\n%s", want, rows)
		}
	}
	if strings.Contains(rows, "asking") || strings.Contains(rows, "Custom agent") {
		t.Errorf("%s", rows)
	}
	s.Keys("esc")
	if s.IsOpen() {
		t.Error("esc leaves it open")
	}
}

// A login that does not work hides nothing else, and the page says where to go on.
func TestUnknownAccount(t *testing.T) {
	f := facts()
	f.Setup, f.Servers = login{err: &session.Error{Op: "x", Kind: session.KindAuth, Err: errors.New("401\x1b[2J")}}, nil
	s := paneltest.Open(t, Run(f).(panel.Push))
	s.Wait()
	if rows := s.Rows(100, 24); !strings.Contains(rows, "· see /login") || !strings.Contains(rows, "~/tidepool") || strings.Contains(rows, "\x1b[2J") {
		t.Errorf("%s", rows)
	}
}

// Without a login, servers and a conversation nothing is asked and nothing is claimed.
func TestNothingToAsk(t *testing.T) {
	f := Facts{Look: look(), Version: "1.2", Servers: servers{}}
	s := paneltest.Open(t, Run(f).(panel.Push))
	s.Wait()
	if rows := s.Rows(100, 24); !strings.Contains(rows, "MCP servers   none") && !strings.Contains(rows, "MCP servers  none") || strings.Contains(rows, "Session") {
		t.Errorf("%s", rows)
	}
	if f.Servers = nil; f.ask() != nil {
		t.Error("something is asked")
	}
}

func TestHostileFacts(t *testing.T) {
	f := facts()
	bad := listtest.Bad
	f.Version, f.AgentVersion, f.Dir, f.Meta = bad, bad, bad, session.Meta{ID: "s1", Title: bad, Branch: bad}
	f.Current.Settings.Model, f.Usage = bad, [][2]string{{bad, bad}, {bad, bad}}
	listtest.Check(t, listtest.Case{Source: page{facts: f, asked: asked{account: core.Account{Who: bad, Token: bad, Plan: bad}, servers: bad}}})
}
