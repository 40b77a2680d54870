//go:build unix

package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestRewindOnATerminal takes one conversation back to before a prompt, with its files, undoes that, and goes on from there. The
// contract test of the same name holds it with the real runtimes and wants the same screens and bytes.
func TestRewindOnATerminal(t *testing.T) {
	t.Parallel()
	newChanging(t, "builtin").rewind()
}

// rewind holds the conversation and goes back to before its second prompt.
func (c *changing) rewind() {
	c.t.Helper()
	c.differs = append(c.differs, difference{regexp.MustCompile(`^  Rewound to before prompt 2 .*`), ""}) // it goes after some seconds
	c.begin()
	c.tm.send(backTab)
	c.tm.shows("Accept edits mode")
	c.say("greet in italian", "Both are Italian now.")
	c.say("add a list", "The list is there.")
	c.say("remove the old tool", "The old tool is gone.")
	end := c.tree()
	c.goBack()
	c.compare("rewound")
	c.isNow("both turns went back, the command's too", c.was[1])
	c.tm.send("\x03") // the words of the prompt, which are in the field
	c.tm.until("an empty field", func(s string) bool { return strings.Count(s, "add a list") == 0 })
	c.tm.send("/rewind undo\r")
	c.tm.shows("The old tool is gone.")
	c.isNow("the rewind is taken back", end)
	for deadline := time.Now().Add(patience); len(c.listed()) != 1; { // nothing was said in the copy
		if time.Now().After(deadline) {
			c.t.Fatalf("the copy stays: %+v", c.listed())
		}
	}
	if deleted := c.mustRun("sessions", "list", "is:deleted"); strings.Count(deleted, "(fork)") != 1 {
		c.t.Errorf("the copy is not in the bin: %s", deleted)
	}
	c.goBack()
	c.isNow("it went back again", c.was[1])
	before := len(c.sim.Requests())
	c.tm.send("\r")
	c.tm.shows("The list is there.")
	c.compare("rewound-goes-on")
	for _, r := range c.sim.Requests()[before:] {
		if bytes.Contains(r.Body, []byte("remove the old tool")) {
			c.t.Errorf("a request still has the prompt that went back: %s %s", r.Method, r.Path)
		}
	}
	c.tm.send("/rewind undo\r")
	c.tm.shows("The old tool is gone.")
	c.leave()
	if all := c.listed(); len(all) != 2 {
		c.t.Errorf("a copy in which something was said is gone: %+v", all)
	}
}

// goBack rewinds conversation and files to before the second of three prompts.
func (c *changing) goBack() {
	c.t.Helper()
	c.tm.send("/rewind\r")
	c.tm.shows("greet in italian")
	c.tm.until("the list of prompts", func(s string) bool { return strings.Contains(s, "enter") })
	c.tm.send(down + "\r")
	c.tm.shows("❯ Conversation and files")
	c.tm.send("\r")
	c.tm.shows("Rewound to before prompt 2")
}
