package builtin

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"parley/session"
)

// TestChildrenBeginInOrder starts several children at once: they are announced as the model called them.
func TestChildrenBeginInOrder(t *testing.T) {
	for range 20 {
		var calls [][3]string
		replies := map[string][]reply{}
		for i := range atOnce {
			id := fmt.Sprintf("c%d", i)
			calls = append(calls, task(id, "job "+id, ""))
			replies["job "+id] = []reply{says("done")}
		}
		replies["begin"] = []reply{callsReply(calls...), says("all done")}
		ch := openChat(t, always(t, replies), mode(session.ModeBypass))
		ch.send("begin")
		var began []session.ChildID
		for _, e := range eventsOf[session.ChildStarted](ch) {
			began = append(began, e.ID)
		}
		if len(began) != atOnce || !slices.IsSorted(began) {
			t.Fatalf("%v", began)
		}
	}
}

// TestOrderPassesOn lets later calls begin although an earlier one never does.
func TestOrderPassesOn(t *testing.T) {
	var o order
	_, passed := o.add(t.Context())
	second, _ := o.add(t.Context())
	passed()
	passed()
	n := 0
	inOrder(second, func() { n++ })
	var blocked order
	blocked.add(t.Context())
	ctx, cancel := context.WithCancel(t.Context())
	waits, _ := blocked.add(ctx)
	cancel()
	inOrder(waits, func() { n++ })
	inOrder(t.Context(), func() { n++ })
	if n != 3 {
		t.Errorf("%d of 3 began", n)
	}
}
