package claude

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/session"
)

var update = flag.Bool("update", false, "rewrite golden files (and with the contract tag, record the runtimes again)")

// A fixture is a file of lines as a real runtime printed them, interleaved with notes of what the host did at that
// moment. Notes are objects with the field "host".
type note struct {
	Host   string         `json:"host"` // begin, answered, exit
	Turn   session.TurnID `json:"turn,omitempty"`
	Prompt string         `json:"prompt,omitempty"`
	Ask    session.AskID  `json:"ask,omitempty"`
	Allow  bool           `json:"allow,omitempty"`
	// Interrupted, of exit: the host had asked for it.
	Interrupted bool `json:"interrupted,omitempty"`
}

// epoch is when every fixture begins; each line comes ten milliseconds after the one before, so that golden files do not
// depend on the machine that recorded them.
var epoch = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// replay maps a fixture.
func replay(t testing.TB, data []byte) []session.Event {
	t.Helper()
	m := NewMapper("", 1)
	var out []session.Event
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 64<<20)
	for n := 0; sc.Scan(); n++ {
		at := epoch.Add(time.Duration(n) * 10 * time.Millisecond)
		var h note
		if json.Unmarshal(sc.Bytes(), &h) == nil && h.Host != "" {
			out = append(out, act(m, h, at)...)
			continue
		}
		out = append(out, m.Map(sc.Bytes(), at)...)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func act(m *Mapper, h note, at time.Time) []session.Event {
	switch h.Host {
	case "begin":
		return m.Begin(h.Turn, session.Prompt{ID: session.PromptID(h.Turn), Text: h.Prompt}, session.OriginUser, at)
	case "answered":
		a := session.Answer{Decision: session.Deny}
		if h.Allow {
			a.Decision = session.Allow
		}
		return m.Answered(h.Ask, a, session.SettledAnswered, at)
	case "exit":
		return m.Exit(h.Interrupted, "", at)
	default:
		panic("unknown note " + h.Host)
	}
}

func encode(t testing.TB, events []session.Event) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, e := range events {
		line, err := session.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

func fixtures(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "*", "*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	return names
}

// TestGolden replays what real runtimes said.
func TestGolden(t *testing.T) {
	for _, name := range fixtures(t) {
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			events := replay(t, data)
			golden := name[:len(name)-len("jsonl")] + "golden"
			got := encode(t, events)
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("events differ from %s; run with -update and look at the difference", golden)
			}
			if err := checkOrder(events); err != nil {
				t.Error(err)
			}
			checkFold(t, events)
		})
	}
}

// checkOrder holds a list of events against the order every agent must keep.
func checkOrder(events []session.Event) error {
	type state struct{ started, ready, ended bool }
	parts, tools, kids := map[session.PartID]state{}, map[session.CallID]state{}, map[session.ChildID]state{}
	open, usage := session.TurnID(""), false
	for i, e := range events {
		fail := func(what string) error { return fmt.Errorf("event %d: %T: %s", i, e, what) }
		if c := e.Header().Child; c != "" && !kids[c].started {
			return fail("a child acts before it is announced")
		}
		switch e := e.(type) {
		case session.TurnStarted:
			if open != "" {
				return fail("a turn starts within another")
			}
			open, usage = e.Turn, false
		case session.TurnEnded:
			if open == "" || e.Turn != open {
				return fail("a turn ends that does not run")
			}
			open = ""
		case session.UsageReported:
			if open == "" || usage {
				return fail("usage comes twice or after its turn")
			}
			usage = true
		case session.PartStarted:
			if parts[e.Part].started {
				return fail("a part starts twice")
			}
			parts[e.Part] = state{started: true}
		case session.PartDelta:
			if p := parts[e.Part]; !p.started || p.ended {
				return fail("a delta outside its part")
			}
		case session.PartEnded:
			if p := parts[e.Part]; !p.started || p.ended {
				return fail("a part ends twice or never began")
			}
			parts[e.Part] = state{started: true, ended: true}
		case session.PartReplaced:
			parts[e.Part] = state{started: true, ended: true}
		case session.ToolStarted:
			if tools[e.Call].started {
				return fail("a tool starts twice")
			}
			tools[e.Call] = state{started: true}
		case session.ToolReady:
			if s := tools[e.Call]; !s.started || s.ready || s.ended {
				return fail("a tool is ready out of order")
			}
			tools[e.Call] = state{started: true, ready: true}
		case session.ToolEnded:
			if s := tools[e.Call]; !s.started || s.ended {
				return fail("a tool ends out of order")
			}
			tools[e.Call] = state{started: true, ready: true, ended: true}
		case session.ChildStarted:
			if kids[e.ID].started {
				return fail("a child is announced twice")
			}
			kids[e.ID] = state{started: true}
		case session.ChildEnded:
			if s := kids[e.ID]; !s.started || s.ended {
				return fail("a child ends twice or was never announced")
			}
			kids[e.ID] = state{started: true, ended: true}
		}
	}
	if open != "" {
		return fmt.Errorf("turn %s never ends", open)
	}
	return nil
}

// checkFold wants the reducer to accept every event.
func checkFold(t *testing.T, events []session.Event) {
	t.Helper()
	var tr session.Transcript
	for i, e := range events {
		if tr.Apply(e).Dropped {
			switch e.(type) {
			case session.RuntimeChanged, session.ModelChanged, session.ModeChanged: // repeated at every turn
			default:
				t.Errorf("event %d (%T) was dropped by the reducer", i, e)
			}
		}
	}
	for _, turn := range tr.Turns {
		if turn.Running() {
			t.Errorf("turn %s still runs", turn.ID)
		}
	}
}

// FuzzMap feeds the mapper anything: it must not panic, and a known message must keep the order whatever surrounds it.
func FuzzMap(f *testing.F) {
	for _, name := range fixtures(f) {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 20000)])
	}
	f.Add([]byte(`{"type":"assistant","message":{"content":7}}` + "\n" + `{"type":"result"}` + "\n" + `[]` + "\n" + `{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := NewMapper("s", 1)
		events := m.Begin("t", session.Prompt{Text: "p"}, session.OriginUser, epoch)
		for _, l := range bytes.Split(data, []byte("\n")) {
			events = append(events, m.Map(l, epoch)...)
		}
		events = append(events, m.Exit(false, "", epoch)...)
		for _, e := range events {
			if e.Header().Gen != 1 {
				t.Fatalf("%T lost its generation", e)
			}
		}
	})
}
