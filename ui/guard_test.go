package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// A panic of one command of a batch reaches the loop with the stack of the command.
func TestGuarded(t *testing.T) {
	batch := guarded(tea.Batch(func() tea.Msg { return "fine" }, func() tea.Msg { panic("broken") }))().(tea.BatchMsg)
	if got := batch[0](); got != "fine" {
		t.Errorf("the other command returned %v", got)
	}
	c, ok := batch[1]().(crashMsg)
	if !ok || !strings.Contains(string(c.Stack), "TestGuarded") {
		t.Fatalf("got %v", c.Value)
	}
	defer func() {
		if got := recovered(recover()); got.Value != "broken" || string(got.Stack) != string(c.Stack) {
			t.Errorf("raised %v with another stack", got.Value)
		}
	}()
	c.raise()
}
