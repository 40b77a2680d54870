package claude

import (
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
	if a.Commands("/y") != nil {
		t.Error("another directory has them too")
	}
}
