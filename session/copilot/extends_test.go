package copilot

import (
	"context"
	"encoding/json"
	"slices"
	"sync/atomic"
	"testing"

	"parley/session"
	"parley/session/extensions/inventory"
)

// A change of the files that the runtime reads opens the session again, once, with the next prompt.
func TestOpenedAgainForChangedFiles(t *testing.T) {
	var off inventory.Off
	var files atomic.Int64
	s := newStage(t, func(_ *stage, o *Options) {
		o.Extends = func(context.Context, string) string { return string(rune('a' + files.Load())) }
		o.Off = func(session.ID) inventory.Off { return off }
		o.Plugins = func(context.Context) []string { return []string{"/plugins/p", "/plugins/q"} }
	})
	s.ask("t1", "hello")
	s.store(stageSession)
	s.ask("t2", "again")
	if n := len(s.runtime.Requests("session.resume")); n != 0 {
		t.Fatalf("opened again %d times without a change", n)
	}
	off = off.Switched(inventory.Item{Kind: inventory.Skill, Name: "greet"}, false).Switched(inventory.Item{Kind: inventory.Plugin, Name: "p", From: "/plugins/p"}, false)
	files.Add(1)
	files.Add(1)
	s.ask("t3", "changed")
	s.ask("t4", "and again")
	opened := s.runtime.Requests("session.resume")
	if len(opened) != 1 {
		t.Fatalf("opened again %d times", len(opened))
	}
	var p struct {
		Skills  []string `json:"disabledSkills"`
		Plugins []string `json:"pluginDirectories"`
	}
	if err := json.Unmarshal(opened[0].Params, &p); err != nil || !slices.Equal(p.Skills, []string{"greet"}) || !slices.Equal(p.Plugins, []string{"/plugins/q"}) {
		t.Errorf("%+v %v", p, err)
	}
}
