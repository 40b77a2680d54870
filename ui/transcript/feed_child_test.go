package transcript

import (
	"testing"

	"parley/session"
)

// The view of a child agent has the task once, whether or not the agent reports it among what the child did.
func TestAChildHasItsTaskOnce(t *testing.T) {
	for _, reported := range []string{"", "find  every\nretry loop\n", "find every retry loop"} {
		c := &session.Child{ID: "c", Entries: []session.Entry{&session.Mark{Event: session.ModelChanged{}}}}
		if reported != "" {
			c.Entries = append(c.Entries, &session.Mark{Event: session.Steered{}, Prompt: &session.Prompt{Text: reported}})
		}
		f := newChildFeed(c, "find every retry loop", groupLook())
		n := 0
		for _, it := range f.list {
			if it.begins() && !it.empty() {
				n++
			}
		}
		if n != 1 {
			t.Errorf("reported as %q it stands there %d times", reported, n)
		}
	}
}
