package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/session/extensions"
)

// crewed is a crew whose agents bring servers: each word of their description is one, as NAME or NAME=PROGRAM.
func crewed(shared ...extensions.Server) *Crew {
	agents := []session.CustomAgent{}
	for name, about := range map[string]string{"one": "own depot same=x", "two": "own depot=other same=x"} {
		agents = append(agents, session.CustomAgent{Name: name, About: about, Path: "/agents/" + name, Servers: json.RawMessage(`{}`)})
	}
	if agents[0].Name == "two" {
		agents[0], agents[1] = agents[1], agents[0]
	}
	return &Crew{Shared: func(context.Context) []extensions.Server { return shared },
		All: func(context.Context) []session.CustomAgent { return agents },
		Of: func(_ context.Context, a session.CustomAgent) (all []extensions.Server) {
			for _, word := range strings.Fields(a.About) {
				name, program, is := strings.Cut(word, "=")
				if !is {
					program = a.Name
				}
				all = append(all, extensions.Server{Name: name, From: a.Path, Agents: []string{a.Name}, Command: []string{program}})
			}
			return all
		}}
}

// listed returns a line for each server: whose it is, what it runs and why not.
func (c *Crew) listed(t *testing.T) string {
	var lines []string
	for _, s := range c.Servers(t.Context()) {
		lines = append(lines, fmt.Sprintf("%s of %s: %s %s", s.Name, strings.Join(s.Agents, "+"), strings.Join(s.Command, " "), s.Why))
	}
	return strings.Join(lines, "\n")
}

func TestServersOfAgentsRunWhileInUse(t *testing.T) {
	c := crewed(extensions.Server{Name: "depot", From: "/mcp.json", Command: []string{"shared"}})
	agents := c.All(t.Context())
	waiting := func(name string) string { return "it runs while the agent " + name + " is in use" }
	none := "depot of : shared \nown of one: one " + waiting("one") + "\ndepot of one: one " + waiting("one") + "\nsame of one: x " + waiting("one") +
		"\nown of two: two " + waiting("two") + "\ndepot of two: other " + waiting("two") + "\nsame of two: x " + waiting("two")
	if got := c.listed(t); got != none {
		t.Errorf("none in use:\n%s", got)
	}
	first, again := c.Use(&agents[0]), c.Use(&agents[0])
	second := c.Use(&agents[1])
	if got, want := c.listed(t), "depot of : shared \nown of one: one \ndepot of one: one replaced by the one in /mcp.json\nsame of one+two: x "+
		"\nown of two: two replaced by the one in /agents/one\ndepot of two: other replaced by the one in /mcp.json"; got != want {
		t.Errorf("both in use:\n%s", got)
	}
	first()
	first()
	if got := c.listed(t); !strings.Contains(got, "own of one: one \n") {
		t.Errorf("still in use once:\n%s", got)
	}
	again()
	if got := c.listed(t); !strings.Contains(got, "own of two: two \n") || !strings.Contains(got, "own of one: one it runs") {
		t.Errorf("the second:\n%s", got)
	}
	second()
	c.Use(nil)()
	(*Crew)(nil).Use(&agents[0])()
	if got := c.listed(t); got != none {
		t.Errorf("none in use any more:\n%s", got)
	}
}

func TestReach(t *testing.T) {
	for _, c := range []struct {
		agents, reached string
		shared, want    bool
	}{{"", "", true, true}, {"", "a", false, false}, {"a", "", true, false}, {"a b", "b", false, true}, {"a", "ab", true, false}} {
		if got := (Reach{Shared: c.shared, Agents: strings.Fields(c.reached)}).has(extensions.Server{Agents: strings.Fields(c.agents)}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// A server that two agents share goes on while one of them uses it.
func TestSharedServerGoesOn(t *testing.T) {
	spec := program(t, "depot", "plain")
	spec.Agents, spec.From = []string{"one", "two"}, "/one"
	now := []extensions.Server{spec}
	p := open(t, quick())
	p.o.Servers = func(context.Context) []extensions.Server { return now }
	p.Await(t.Context())
	before := p.servers[0]
	other := spec
	other.Agents, other.From = []string{"two"}, "/two"
	now = []extensions.Server{other}
	p.Renew(t.Context())
	if s := p.Servers(t.Context(), true)[0]; s.Of != "two" || s.From != "/two" || s.State != Connected || p.servers[0] != before {
		t.Errorf("%+v", s)
	}
	if n := len(p.Tools(Reach{Shared: true, Agents: []string{"one"}})); n != 0 {
		t.Errorf("%d tools out of reach", n)
	}
	if n := len(p.Tools(Reach{Agents: []string{"two"}})); n == 0 {
		t.Error("no tool within reach")
	}
}
