package foreign

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"unicode/utf8"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/sources"
)

// FuzzParsers reads any bytes as the sessions of each program with files: whatever they are, every turn and call ends, and what a model may read
// again has the form that it must have.
func FuzzParsers(f *testing.F) {
	for _, data := range recordings(f) {
		f.Add(data)
	}
	f.Add([]byte(`{"type":"response_item","payload":{"type":"function_call","name":"\u001b","call_id":"\ud800","arguments":"{\"cmd\":[]}"}}`))
	path := filepath.Join(f.TempDir(), "rollout-2026-11-29T06-18-33-"+codexID+".jsonl")
	f.Fuzz(func(t *testing.T, data []byte) { parse(t, path, data) })
}

// TestMutilatedRecords does the same with recordings of which bytes are changed, cut out and repeated.
func TestMutilatedRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rollout-2026-11-29T06-18-33-"+codexID+".jsonl")
	for _, seed := range recordings(t) {
		for n := range repeat.Times(20, 100, 2000) {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			data := slices.Clone(seed)
			for range 1 + r.IntN(20) {
				at, most := r.IntN(len(data)), 1+r.IntN(60)
				part := slices.Clone(data[at:min(len(data), at+most)])
				switch r.IntN(4) {
				case 0:
					data[at] = byte(r.UintN(256))
				case 1:
					data = slices.Delete(data, at, at+len(part))
				case 2:
					data = slices.Insert(data, r.IntN(len(data)), part...)
				case 3:
					data = slices.Insert(data, at, []byte(`"[]{}:,0\`)[r.IntN(9)])
				}
				if len(data) == 0 {
					data = []byte("{")
				}
			}
			if parse(t, path, data); t.Failed() {
				t.Fatalf("number %d: %q", n, data)
			}
		}
	}
}

// recordings returns the recorded files of lines.
func recordings(t testing.TB) (all [][]byte) {
	t.Helper()
	for _, pattern := range []string{"testdata/codex/.codex/sessions/*/*/*/*.jsonl", "testdata/gemini/.gemini/tmp/*/chats/*.jsonl", "testdata/antigravity/.gemini/antigravity-cli/brain/*/.system_generated/logs/*.jsonl"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, data)
		}
	}
	return append(all, []byte(`[{"type":"tool_call","data":{"id":"a","name":"b","input":"{}"}},{"type":"tool_result","data":{"tool_call_id":"a","content":"x"}},{"type":"text","data":{"text":"t"}}]`),
		[]byte(`[{"type":"toolRequest","id":"a","toolCall":{"status":"success","value":{"name":"n","arguments":{}}}},{"type":"toolResponse","id":"a","toolResult":{"value":{"content":[{"text":"x"}]}}}]`))
}

// parse reads bytes as the file of each program that has files.
func parse(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range []source{codex{}, gemini{}, antigravity{}} {
		_, _ = s.Describe(t.Context(), sources.Place{Path: path}) // it may be none
		b := newBuilder("s")
		if _, err := s.read(t.Context(), sources.Place{Path: path}, "", func(one step) bool { b.add(one); return true }); err != nil {
			t.Fatal(err)
		}
		check(t, b.end("it"))
	}
	for _, steps := range []func(role, text string, s step, emit func(step) bool) bool{crushSteps, gooseSteps} {
		b := newBuilder("s")
		for _, role := range []string{"user", "assistant"} {
			steps(role, string(data), step{}, func(one step) bool { b.add(one); return true })
		}
		check(t, b.end("it"))
	}
}

// readable matches the ids and names that the service accepts.
var readable = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// check looks at what holds for all events.
func check(t *testing.T, events []session.Event) {
	t.Helper()
	seen := map[session.CallID]bool{}
	for _, turn := range session.Fold(events).Turns {
		if turn.ID != "" && turn.Running() || !utf8.ValidString(turn.Prompt.Text) {
			t.Errorf("%+v", turn)
		}
		for _, e := range turn.Entries {
			c, is := e.(*session.Tool)
			if !is {
				continue
			}
			if !c.Ended || seen[c.Call] || !readable.MatchString(string(c.Call)) || !readable.MatchString(c.Name) {
				t.Errorf("%+v", c)
			}
			seen[c.Call] = true
			if !json.Valid(c.Input) || c.Input[0] != '{' {
				t.Errorf("input %s", c.Input)
			}
		}
	}
}
