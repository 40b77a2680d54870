package extensions

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui/panel"
	"parley/ui/panel/paneltest"
	"parley/ui/style"
)

// keeper is servers of which one starts while the list waits.
type keeper struct {
	all      []session.Server
	switched []string
}

func (k *keeper) Servers(_ context.Context, settled bool) []session.Server {
	if settled {
		for i := range k.all {
			if k.all[i].State == session.ServerStarting {
				k.all[i].State, k.all[i].Tools = session.ServerConnected, 3
			}
		}
	}
	return append([]session.Server{}, k.all...)
}

func (k *keeper) SwitchServer(_ context.Context, name string, on bool) error {
	for i, s := range k.all {
		if s.Name == name {
			k.switched = append(k.switched, name)
			k.all[i].State, k.all[i].Why = session.ServerStarting, ""
			if !on {
				k.all[i].State, k.all[i].Why = session.ServerOff, "switched off for this session"
			}
			return nil
		}
	}
	return &session.Error{Op: "switch", Kind: session.KindNotFound, Err: errors.New("no such server")}
}

func (k *keeper) SignOut(ctx context.Context, name string) (bool, error) {
	return name != "open", k.SwitchServer(ctx, name, false)
}

func look() *style.Look {
	return &style.Look{Theme: style.NewTheme(true, true, nil), Now: time.Now, Width: 100, Height: 24, Home: "/home/u"}
}

// of returns the commands of a session with such extensions.
func of(live session.Extensions) Command { return Command{Look: look(), Agent: "builtin", Live: live} }

func newKeeper() *keeper {
	return &keeper{all: []session.Server{{Name: "github\x1b[2J", From: "/home/u/.claude.json", About: "npx", State: session.ServerStarting},
		{Name: "depot", From: "/repo/.mcp.json", About: "depot.example", State: session.ServerFailed, Why: "it did not answer within 30s"}}}
}

func TestList(t *testing.T) {
	k := newKeeper()
	s := paneltest.Open(t, of(session.Extensions{Servers: k}).Servers("").(panel.Push))
	s.Wait()
	rows := s.Rows(100, 24)
	for _, want := range []string{"MCP servers", "connected", "depot", "failed"} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in\n%s", want, rows)
		}
	}
	if strings.Contains(rows, "starting") || strings.Contains(rows, "\x1b[2J") {
		t.Errorf("%s", rows)
	}
	s.Keys("down")
	if rows := s.Rows(100, 24); !strings.Contains(rows, "It did not answer within 30s.") || !strings.Contains(rows, "File: /repo/.mcp.json") {
		t.Errorf("%s", rows)
	}
	s.Keys("enter")
	s.Wait()
	if !reflect.DeepEqual(k.switched, []string{"depot"}) || !strings.Contains(s.Rows(100, 24), "depot") {
		t.Errorf("%q", k.switched)
	}
	s.Keys("ctrl+x")
	if e := s.Effects[len(s.Effects)-1]; e != (panel.EditFile{Path: "/repo/.mcp.json"}) {
		t.Errorf("%#v", e)
	}
}

// Before the first prompt no server is offered to be started: none could be.
func TestBeforeTheFirstPrompt(t *testing.T) {
	k := &keeper{all: []session.Server{{Name: "depot", From: "/repo/.mcp.json", About: "depot.example", State: session.ServerWaiting}}}
	s := paneltest.Open(t, of(session.Extensions{Servers: k}).Servers("").(panel.Push))
	s.Wait()
	if rows := s.Rows(100, 24); strings.Contains(rows, "start or stop") || !strings.Contains(rows, beforePrompt) {
		t.Errorf("%s", rows)
	}
	s.Keys("enter")
	s.Wait()
	if e := s.Effects[len(s.Effects)-1]; k.switched != nil || e != (panel.Notice{Text: beforePrompt}) {
		t.Errorf("%q, %#v", k.switched, e)
	}
}

func TestRun(t *testing.T) {
	for args, want := range map[string]panel.Notice{
		"depot off":     {Text: "MCP server depot is off: switched off for this session"},
		"depot on":      {Text: "MCP server depot is connected"},
		"depott on":     {Text: `No MCP server "depott"; did you mean depot?`, Warn: true},
		"depot":         {Text: "Write on, off or signout after the name: /mcp depot off", Warn: true},
		"depot signout": {Text: "Signed out of the MCP server depot"},
		"depo signout":  {Text: `No MCP server "depo"; did you mean depot?`, Warn: true},
	} {
		s := paneltest.Do(t, of(session.Extensions{Servers: newKeeper()}).Servers(args))
		s.Wait()
		if len(s.Effects) != 1 || s.Effects[0] != want {
			t.Errorf("%s: %#v", args, s.Effects)
		}
	}
	if _, is := of(session.Extensions{}).Servers("depot on").(panel.Notice); !is {
		t.Error("a server of another program is switched")
	}
}

// lister is a keeper of servers with resources.
type lister struct{ *keeper }

func (lister) Resources() []session.ServerResource {
	return []session.ServerResource{{Mention: "depot:test://notes"}, {Mention: "other:test://x"}}
}

// A server that a runtime reports has no file, and is used all the same.
func TestResourcesOfAServer(t *testing.T) {
	c := of(session.Extensions{Servers: lister{&keeper{all: []session.Server{{Name: "depot", State: session.ServerConnected}}}}})
	c.Agent = "claude"
	l := &listing{Command: c, kinds: kinds["mcp"]}
	l.found = l.read(t.Context(), false)
	row := l.Rows()[0]
	if about := strings.Join(row.About, "\n"); !strings.Contains(about, "mentioned in a prompt: @depot:test://notes") || strings.Contains(about, "other") || strings.Contains(about, "File:") || row.Cells[1] != "connected" {
		t.Error(row)
	}
}

// What an empty list says is whole in a narrow window.
func TestEmptyLists(t *testing.T) {
	for want, e := range map[string]panel.Effect{"such as those in .mcp.json.": of(session.Extensions{Servers: &keeper{}}).Servers(""),
		"or in your home directory.": of(session.Extensions{Skills: shelf{}}).Skills(""),
		"No plugins here.":           of(session.Extensions{Skills: shelf{}}).Run("plugins"), "No instructions here.": of(session.Extensions{Skills: shelf{}}).Run("instructions")} {
		s := paneltest.Open(t, e.(panel.Push))
		s.Wait()
		if rows := strings.Join(strings.Fields(s.Rows(60, 24)), " "); !strings.Contains(rows, want) {
			t.Errorf("no %q in %s", want, rows)
		}
	}
}
