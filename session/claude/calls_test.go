package claude

import (
	"testing"

	"parley/session"
	"parley/session/claude/guard"
)

// A request gets the directory of its hook, unless another command of the same agent may have left it since.
func TestWhereACommandBegins(t *testing.T) {
	call := func(id session.CallID, agent string) guard.Call {
		return guard.Call{ID: id, Tool: "Bash", Agent: agent, Dir: "/project"}
	}
	for name, c := range map[string]struct {
		do   func(c *calls)
		want string
	}{
		"alone":                      {func(*calls) {}, "/project"},
		"beside one that stays":      {func(c *calls) { c.begin(call("b", ""), "", false) }, "/project"},
		"beside one that may move":   {func(c *calls) { c.begin(call("b", ""), "", true) }, ""},
		"after one that may move":    {func(c *calls) { c.begin(call("b", ""), "", true); c.ended("b") }, ""},
		"beside one of another":      {func(c *calls) { c.begin(call("b", "child"), "", true) }, "/project"},
		"after one of another":       {func(c *calls) { c.begin(call("b", "child"), "", true); c.ended("b") }, "/project"},
		"that has ended":             {func(c *calls) { c.ended("a") }, ""},
		"beside one that is unknown": {func(c *calls) { c.ended("c") }, "/project"},
	} {
		book := newCalls()
		book.begin(call("a", ""), "why", true)
		c.do(&book)
		q := book.complete(guard.Call{ID: "a", Dir: "/elsewhere"})
		if q.Dir != c.want || (q.Asked == "why") != (name != "that has ended") {
			t.Errorf("%s: %+v", name, q)
		}
	}
	book := newCalls()
	book.begin(call("a", ""), "", true)
	book.ended("a")
	book.begin(call("b", ""), "", false)
	if q := book.complete(guard.Call{ID: "b"}); q.Dir != "/project" {
		t.Errorf("a call that began after the move: %+v", q)
	}
}
