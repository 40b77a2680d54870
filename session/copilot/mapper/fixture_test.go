package mapper_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/copilot/mapper"
	"parley/session/copilot/protocol"
)

var update = flag.Bool("update", false, "rewrite golden files")

// recorded are the events of a scenario as the runtime sent them, and as it stored them.
type recorded struct{ live, stored []protocol.Event }

// TestRecordedEvents maps what real runtimes sent and stored. The recordings are made by TestContractRecorded.
func TestRecordedEvents(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*", "*.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no recordings", err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(path, ".jsonl")
		t.Run(filepath.ToSlash(name[len("testdata/"):]), func(t *testing.T) {
			golden(t, name+".golden", picture(t, read(t, path)))
		})
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// read reads a recording: live events, an empty line, stored events.
func read(t testing.TB, path string) (r recorded) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return split(t, data)
}

// split parses a recording.
func split(t testing.TB, data []byte) recorded {
	live, stored, _ := bytes.Cut(data, []byte("\n\n"))
	return recorded{parse(t, live), parse(t, stored)}
}

func parse(t testing.TB, lines []byte) (events []protocol.Event) {
	s := bufio.NewScanner(bytes.NewReader(lines))
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		var e protocol.Event
		if err := json.Unmarshal(s.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

// picture draws the session of a recording as it was live, and as it is after a restart where that differs.
func picture(t testing.TB, r recorded) string {
	live := render(session.Fold(mapLive(t, r.live)))
	stored := render(session.Fold(mapper.Replay("s", r.stored)))
	if live == stored {
		return live
	}
	return live + "\nafter a restart:\n" + stored
}

// mapLive maps events as they come. A turn begins right before the runtime takes its prompt, which is the latest time for it.
func mapLive(t testing.TB, events []protocol.Event) []session.Event {
	m := mapper.New("s", 1)
	var out []session.Event
	for _, e := range events {
		var d struct{ Source, Delivery, Content string }
		if e.Type == "user.message" && e.Agent == "" && json.Unmarshal(e.Data, &d) == nil && d.Delivery != "steering" {
			id, _ := strings.CutPrefix(d.Source, mapper.Source(""))
			out = append(out, m.Begin(session.TurnID(id), session.Prompt{ID: session.PromptID(id), Text: d.Content}, session.OriginUser, e.Timestamp)...)
		}
		out = append(out, m.Map(e, e.Timestamp)...)
	}
	if n := m.Unknown(); len(n) > 0 {
		t.Errorf("unknown events: %v", n)
	}
	return out
}

// TestEveryTurnCallAndChildEndsOnce holds recorded streams to the order that package session promises.
func TestEveryTurnCallAndChildEndsOnce(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join("testdata", "*", "*.jsonl"))
	for _, path := range paths {
		r := read(t, path)
		for where, events := range map[string][]session.Event{"live": mapLive(t, r.live), "stored": mapper.Replay("s", r.stored)} {
			if problems := misordered(events); len(problems) > 0 {
				t.Errorf("%s, %s: %s", path, where, strings.Join(problems, "; "))
			}
		}
	}
}

// misordered returns what is out of order among events.
func misordered(events []session.Event) (problems []string) {
	turns, calls := map[session.TurnID]int{}, map[session.CallID]int{}
	children, parts := map[session.ChildID]bool{}, map[session.PartID]bool{}
	complain := func(what string, id any) { problems = append(problems, what+" "+asText(id)) }
	for _, e := range events {
		h := e.Header()
		if h.Child != "" && !isStarted(children, h.Child) {
			complain("an event of an unknown child", h.Child)
		}
		switch e := e.(type) {
		case session.TurnStarted:
			turns[e.Turn]++
		case session.TurnEnded:
			if turns[e.Turn]--; turns[e.Turn] != 0 {
				complain("the end of turn", e.Turn)
			}
		case session.ToolStarted:
			calls[e.Call]++
		case session.ToolEnded:
			if calls[e.Call] < 1 {
				complain("the end of call", e.Call)
			}
			if !e.Result.Background {
				calls[e.Call] = -1
			}
		case session.ChildStarted:
			children[e.ID] = true
		case session.ChildEnded:
			if !children[e.ID] {
				complain("the end of child", e.ID)
			}
			children[e.ID] = false
		case session.PartStarted:
			parts[e.Part] = true
		case session.PartDelta:
			if !parts[e.Part] {
				complain("a delta of part", e.Part)
			}
		case session.PartEnded:
			parts[e.Part] = false
		case session.PartReplaced:
			parts[e.Part] = false
		case session.PartRetracted:
			parts[e.Part] = false
		}
	}
	for id, n := range turns {
		if n != 0 {
			complain("no end of turn", id)
		}
	}
	for id, open := range parts {
		if open {
			complain("no end of part", id)
		}
	}
	slices.Sort(problems)
	return problems
}

func isStarted(children map[session.ChildID]bool, id session.ChildID) bool {
	_, known := children[id]
	return known
}

func asText(v any) string {
	raw, _ := json.Marshal(v) // a plain value
	return string(raw)
}
