package process

import (
	"context"
	"fmt"
	"testing"

	"parley/session"
)

// described are servers in files.
type described []session.Server

func (d described) Servers(context.Context, bool) []session.Server        { return d }
func (d described) SwitchServer(context.Context, string, bool) error      { return nil }
func (d described) SignOut(context.Context, string) (was bool, err error) { return false, nil }

// What runs is shown with what its file says of it, in the order of the files; what no file describes comes last,
// as does a plugin's with a name that others have.
func TestServersWithTheirFiles(t *testing.T) {
	s := Servers{List: func(context.Context) ([]session.Server, bool) {
		return []session.Server{{Name: "github", State: session.ServerFailed}, {Name: "plugin:demo:shed"}, {Name: "plugin:demo:depot", About: "user"}, {Name: "depot", State: session.ServerConnected}}, true
	}, Described: described{{Name: "depot", Over: "/w/.mcp.json", From: "/home/own", About: "no"}, {Name: "depot", From: "/w/.mcp.json", About: "sh", Project: true},
		{Name: "shed", From: "/plug/.mcp.json", About: "run"}}}
	got := fmt.Sprintf("%+v", s.Servers(t.Context(), true))
	want := fmt.Sprintf("%+v", []session.Server{{Name: "depot", State: session.ServerConnected, From: "/w/.mcp.json", About: "sh", Project: true},
		{Name: "plugin:demo:shed", From: "/plug/.mcp.json", About: "run"}, {Name: "github", State: session.ServerFailed}, {Name: "plugin:demo:depot", About: "user"}})
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
