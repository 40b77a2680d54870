package claude

import (
	"context"
	"errors"
	"slices"
	"testing"

	"parley/session"
	"parley/session/claude/driver"
)

func TestCommandsOfADirectory(t *testing.T) {
	a := New(Options{})
	if got := a.Commands("/x"); got != nil {
		t.Errorf("known before anything was started: %v", got)
	}
	a.Slash.Learn("/x", commandsOf([]driver.Command{{Name: "review", Description: "look at it", ArgumentHint: "[what]"}, {Name: "/init"}, {Name: "a b"}, {}, {Name: "heapdump"}, {Name: "__remote-workflow"}}), nil)
	got := a.Commands("/x")
	if len(got) != 2 || got[0].Name != "init" || got[1].Name != "review" || got[1].Arguments != "[what]" || got[1].About != "look at it" {
		t.Errorf("%+v", got)
	}
	a.Slash.Learn("/x", commandsOf([]driver.Command{{Name: "usage", Description: "what it cost", Aliases: []string{"cost", "/stats", "a b", "usage", "review"}}, {Name: "review"}}), nil)
	var names []string
	for _, c := range a.Commands("/x") {
		names = append(names, c.Name+" "+c.About)
	}
	if want := []string{"cost same as /usage", "review same as /usage", "stats same as /usage", "usage what it cost"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if a.Commands("/y") != nil {
		t.Error("another directory has them too")
	}
	for _, err := range []error{errors.New("disk full"), nil} { // what is trusted may bring others
		a.Repository = decisions{err: err}
		if got := a.Trust(t.Context(), "/x", nil, true); got != err || (a.Commands("/x") == nil) != (err == nil) {
			t.Errorf("%v: %v", got, a.Commands("/x"))
		}
	}
}

// decisions is a store whose writes end with err.
type decisions struct {
	session.RepositoryTruster
	err error
}

func (d decisions) Trust(context.Context, string, []session.RepositoryItem, bool) error {
	return d.err
}
