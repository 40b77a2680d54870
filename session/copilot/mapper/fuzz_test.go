package mapper_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/copilot/mapper"
	"parley/session/copilot/protocol"
)

// FuzzEvents maps events in any order, with any data. Every turn that begins ends once, live with the end of the process and
// stored with the end of the file, and no event costs others.
func FuzzEvents(f *testing.F) {
	paths, _ := filepath.Glob(filepath.Join("testdata", "*", "*.jsonl"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 20_000 {
			f.Add(string(data))
		}
	}
	f.Add(`{"type":"tool.execution_start","data":{"toolCallId":"a","toolName":"sql","arguments":{"query":"UPDATE todos SET status='x' WHERE id IN ('"}}}`)
	f.Fuzz(func(t *testing.T, lines string) {
		var events []protocol.Event
		s := bufio.NewScanner(strings.NewReader(lines))
		for s.Scan() {
			var e protocol.Event
			if json.Unmarshal(s.Bytes(), &e) == nil {
				events = append(events, e)
			}
		}
		endsOnce(t, mapper.Replay("s", events))
		m := mapper.New("s", 1)
		var live []session.Event
		for i, e := range events {
			if i%7 == 3 {
				live = append(live, m.Begin(session.TurnID("t"+strings.Repeat("x", i)), session.Prompt{}, session.OriginUser, e.Timestamp)...)
			}
			live = append(live, m.Map(e, e.Timestamp)...)
		}
		if n := m.Unknown()["(mistake)"]; n > 0 {
			t.Errorf("%d events could not be mapped", n)
		}
		endsOnce(t, append(live, m.Exit(false, "", session.Head{}.At)...))
		mapper.ReplayEnd("s", events[:len(events)/2], events[len(events)/2:])
		mapper.After("s", events, "t1")
	})
}

// endsOnce checks that each turn, and each child each time that it began, ended once, and folds the events.
func endsOnce(t *testing.T, events []session.Event) {
	t.Helper()
	running, children := session.TurnID(""), map[session.ChildID]bool{}
	open := false
	for _, e := range events {
		switch e := e.(type) {
		case session.TurnStarted:
			if open {
				t.Errorf("turn %q begins within %q", e.Turn, running)
			}
			running, open = e.Turn, true
		case session.TurnEnded:
			if !open || e.Turn != running {
				t.Errorf("turn %q ends, and %q runs", e.Turn, running)
			}
			open = false
		case session.ChildStarted:
			children[e.ID] = true
		case session.ChildEnded:
			if !children[e.ID] {
				t.Errorf("child %q ends again", e.ID)
			}
			children[e.ID] = false
		}
	}
	if open {
		t.Errorf("turn %q does not end", running)
	}
	for id, runs := range children {
		if runs {
			t.Errorf("child %q does not end", id)
		}
	}
	session.Fold(events)
}
