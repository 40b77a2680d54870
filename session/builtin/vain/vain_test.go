package vain

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/tool"
)

// A call that gives the same again and again is noticed at the third time and ends the turn at the sixth, unless something may have
// changed in between.
func TestSameCallsAreNoticed(t *testing.T) {
	type made struct {
		input, text string
		changes     bool
	}
	read, test, edit := made{`{"file_path":"a"}`, "1\tx\n", false}, made{`{"command":"go test"}`, "ok\n", true}, made{`{"file_path":"a","x":1}`, "Changed a.", true}
	poll := made{`{"bash_id":"sh1","wait":600000}`, "(no output)", false}
	repeat := func(n int, calls ...made) (all []made) {
		for range n {
			all = append(all, calls...)
		}
		return all
	}
	counted := func(n int) (all []made) {
		for i := range n {
			all = append(all, made{`{"bash_id":"sh1"}`, strings.Repeat("more", i), false})
		}
		return all
	}
	for name, tc := range map[string]struct {
		calls      []made
		warns, end int // the call after which the model is warned, and the turn ends; 0: never
	}{
		"reads":               {repeat(8, read), 3, 6},
		"commands":            {repeat(8, test), 3, 6},
		"two in turn":         {repeat(4, read, made{`{"file_path":"b"}`, "", false}), 5, 0},
		"tests after edits":   {repeat(8, edit, test), 0, 0},
		"reads between edits": {repeat(8, test, edit, read), 0, 0},
		"polls that wait":     {repeat(9, poll), 0, 0},
		"polls with news":     {counted(9), 0, 0},
		"another key order":   {repeat(2, made{`{"a":1,"b":2}`, "x", false}, made{`{"b":2,"a":1}`, "x", false}), 3, 0},
	} {
		var f Watch
		warned, ended := 0, 0
		for i, c := range tc.calls {
			f.Note("T", json.RawMessage(c.input), c.changes, tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: c.text}})
			warn, end := f.Take()
			if len(warn) > 0 && warned == 0 {
				warned = i + 1
			}
			if end != "" && ended == 0 {
				ended = i + 1
			}
		}
		if warned != tc.warns || ended != tc.end {
			t.Errorf("%s: warned after %d and ended after %d, and not %d and %d", name, warned, ended, tc.warns, tc.end)
		}
	}
}
