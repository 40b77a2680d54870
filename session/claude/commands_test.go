package claude

import (
	"slices"
	"testing"

	"parley/session/claude/driver"
)

func TestCommandsOfADirectory(t *testing.T) {
	a := New(Options{})
	if got := a.Commands("/x"); got != nil {
		t.Errorf("known before anything was started: %v", got)
	}
	a.commands.learn("/x", []driver.Command{{Name: "review", Description: "look at it", ArgumentHint: "[what]"}, {Name: "/init"}, {Name: "a b"}, {}})
	got := a.Commands("/x")
	if len(got) != 2 || got[0].Name != "init" || got[1].Name != "review" || got[1].Arguments != "[what]" || got[1].About != "look at it" {
		t.Errorf("%+v", got)
	}
	a.commands.learn("/x", []driver.Command{{Name: "usage", Description: "what it cost", Aliases: []string{"cost", "/stats", "a b", "usage", "review"}}, {Name: "review"}})
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
}
