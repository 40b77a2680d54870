//go:build contract && unix

package copilot

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"parley/session"
)

// finder has the custom agents of the tests in every directory.
type finder []session.CustomAgent

func (f finder) Customs(context.Context, string) session.Customs { return session.Customs{Agents: f} }

func (f finder) Chosen(_ context.Context, _, custom string) (*session.CustomAgent, error) {
	if custom == "" {
		return nil, nil
	}
	return session.Customs{Agents: f}.Named(custom), nil
}

// contractCustoms have the lists of tools that mean all tools, none, and some.
var contractCustoms = finder{
	{Name: "all", About: "has all tools", Prompt: "You are the agent all."},
	{Name: "none", About: "has no tools", Prompt: "You are the agent none.", Tools: []string{}},
	{Name: "listed", About: "has some tools", Prompt: "You are the agent listed.", Tools: []string{"get_weather", "Read"}},
}

// customAgents starts custom agents as children, and holds the conversation as one.
func (w *whole) customAgents() {
	w.clientTool()
	for name, want := range map[string][]string{"none": {}, "listed": {"get_weather", "view"}, "all": nil} {
		w.completes("custom "+name+" hello "+name, "hello "+name)
		got := w.offeredTo(name)
		if want == nil {
			if !slices.Contains(got, "get_weather") || !slices.Contains(got, "bash") {
				w.t.Errorf("%s got %q", name, got)
			}
		} else if !slices.Equal(got, want) {
			w.t.Errorf("%s got %q, want %q", name, got, want)
		}
	}
	w.completes("custom listed weather", "rain in Berlin")
	settings := session.Settings{Mode: session.ModeDefault, Custom: "listed"}
	if err := w.s.Configure(settings); err != nil {
		w.t.Fatal(err)
	}
	w.completes("hello as listed", "hello as listed")
	if body := string(w.bodyOf("hello as listed")); !strings.Contains(body, "You are the agent listed.") {
		w.t.Error("the conversation is not held as the chosen agent")
	}
	settings.Custom = ""
	if err := w.s.Configure(settings); err != nil {
		w.t.Fatal(err)
	}
	w.completes("hello as before", "hello as before")
	if body := string(w.bodyOf("hello as before")); strings.Contains(body, "You are the agent listed.") {
		w.t.Error("the conversation is still held as the agent")
	}
}

// offeredTo returns the tools that the model was offered as a custom agent, sorted.
func (w *whole) offeredTo(agent string) []string {
	w.t.Helper()
	var body struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(w.bodyOf("You are the agent "+agent+"."), &body); err != nil {
		w.t.Fatal(err)
	}
	names := []string{}
	for _, t := range body.Tools {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	return names
}
