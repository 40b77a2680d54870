package inventory

import (
	"slices"
	"testing"
)

func TestOff(t *testing.T) {
	skill := Item{Kind: Skill, Name: "s", From: "/h/s/SKILL.md", On: true, Start: 5}
	tools := Item{Kind: Plugin, Name: "tools", From: "/p/tools", Key: "tools@m", On: true}
	var none Off
	off := none.Switched(skill, false).Switched(tools, false).Switched(skill, false)
	if len(off) != 2 || !slices.Equal(off.Names(Skill, Command), []string{"s"}) || !slices.Equal(off.Keys(), []string{"tools@m"}) {
		t.Fatalf("%+v", off)
	}
	for from, want := range map[string]bool{"/p/tools": true, "/p/tools/hooks/h.json": true, "/p/tools2/h.json": false} {
		if got := off.Has(Hook, "Stop", from); got != want {
			t.Errorf("%s: %v", from, got)
		}
	}
	if off.Has(Skill, "s", "/other/SKILL.md") || none.Has(Skill, "s", skill.From) {
		t.Error("another skill of the name is off")
	}
	if got := off.Folders([]string{"/p/tools", "/p/others"}); !slices.Equal(got, []string{"/p/others"}) {
		t.Error(got)
	}
	items := []Item{skill, tools, {Kind: Server, Name: "db", From: "/p/tools/.mcp.json", On: true}, {Kind: Skill, Name: "x", From: "/x", Why: "replaced"}}
	off.Mark(items)
	for n, want := range []string{OffHere, OffHere, OffHere, "replaced"} {
		if items[n].On || items[n].Why != want || items[n].Start != 0 {
			t.Errorf("%+v", items[n])
		}
	}
	if back := off.Switched(skill, true).Switched(tools, true); len(back) != 0 {
		t.Errorf("%+v", back)
	}
}
