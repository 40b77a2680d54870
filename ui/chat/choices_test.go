package chat

import (
	"strings"
	"testing"

	"parley/session"
	"parley/ui/models"
)

// The key steps through the modes and never reaches the one that bypasses permissions; named, that one is confirmed first.
func TestModesAreChosenSafely(t *testing.T) {
	m, _ := longChat(t, 1)
	ch := m.choices
	seen := map[session.Mode]bool{}
	for range 2 * len(cycledModes) {
		ch.nextMode()
		seen[ch.current.mode()] = true
	}
	if seen[session.ModeBypass] || len(seen) != len(cycledModes) {
		t.Errorf("%v", seen)
	}
	m.commands.run("mode", "bypassPermissions")
	if ch.current.mode() == session.ModeBypass || !shows[models.Bypass](m) {
		t.Fatal("it is not confirmed")
	}
	m.do(models.Bypass{}.Choose("yes"))
	if ch.current.mode() != session.ModeBypass {
		t.Errorf("%s", ch.current.mode())
	}
}

func TestAModelTakesAnEffortItKnows(t *testing.T) {
	m, _ := longChat(t, 1)
	ch := m.choices
	ch.models = []session.Model{{ID: "a-1", Efforts: []string{"low", "high"}}, {ID: "b-1", Efforts: []string{"low"}}, {ID: "c-1", Unusable: "not in this plan"}}
	m.commands.run("model", "A-1")
	m.commands.run("effort", "HIGH")
	if s := ch.current.settings(); s.Model != "a-1" || s.Effort != "high" {
		t.Fatalf("%+v", s)
	}
	m.commands.run("model", "b-1")
	if s := ch.current.settings(); s.Model != "b-1" || s.Effort != "" {
		t.Errorf("%+v", s)
	}
	m.commands.run("effort", "high")
	if got := m.notices.Text(); !strings.Contains(got, "No effort high") {
		t.Errorf("%q", got)
	}
	m.commands.run("model", "c-1")
	if got := m.notices.Text(); ch.current.settings().Model != "b-1" || !strings.Contains(got, "not in this plan") {
		t.Errorf("%q", got)
	}
	m.commands.run("model", "")
	if !shows[models.Models](m) {
		t.Error("no list is opened")
	}
}
