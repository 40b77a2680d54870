package ui

import (
	"testing"

	"parley/session"
	"parley/ui/lists"
)

// A list is refreshed by one of its kind and by no other.
func TestAListIsRefreshedByItsKind(t *testing.T) {
	m, _ := longChat(t, 1)
	c := m.covers
	c.open(lists.Queue{Prompts: []session.Prompt{{ID: "a"}, {ID: "b"}}}, "")
	if c.refresh(lists.Agents{}) || c.refresh(lists.Models{}) {
		t.Error("it is replaced by another list")
	}
	if !c.refresh(lists.Queue{Prompts: []session.Prompt{{ID: "b"}}}) {
		t.Error("it is not refreshed")
	}
	if r, ok := c.list.Selected(); !ok || r.ID != "b" {
		t.Errorf("%v", r)
	}
	if !c.covered() || !shows[lists.Queue](c.list) || shows[lists.Agents](c.list) {
		t.Error("it is not shown")
	}
	m.closeList()
	if c.covered() || shows[lists.Queue](c.list) || c.refresh(lists.Queue{}) {
		t.Error("it is shown after it was closed")
	}
}

func TestInlineAListTakesHalfOfTheWindowAtMost(t *testing.T) {
	m, _ := longChat(t, 1)
	m.screen.opts.Appearance.Inline = true
	m.covers.open(lists.Bypass{}, "")
	if n := m.covers.listHeight(); n >= m.screen.height/2 || n < 3 {
		t.Errorf("%d rows of %d", n, m.screen.height)
	}
}
