package claude

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
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
	Host   string         `json:"host"` // begin, deliver, answered, interrupt, exit, spawn
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

// replay maps a fixture as a conversation does: what decides which result ends a turn is part of what is recorded.
func replay(t testing.TB, data []byte) []session.Event {
	t.Helper()
	e := newEngine(nil, "", 1, session.Settings{})
	e.m.TellHooks()
	var out []session.Event
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 64<<20)
	for n := 0; sc.Scan(); n++ {
		at := epoch.Add(time.Duration(n) * 10 * time.Millisecond)
		var h note
		switch {
		case json.Unmarshal(sc.Bytes(), &h) != nil || h.Host == "":
			out = append(out, e.take(sc.Bytes(), at)...)
		case h.Host == "spawn":
			e = newEngine(nil, e.m.Session(), e.gen+1, session.Settings{})
			e.m.TellHooks()
		default:
			out = append(out, act(e, h, at)...)
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func act(e *engine, h note, at time.Time) []session.Event {
	w := written{uuid: string(h.Turn), turn: h.Turn, prompt: session.Prompt{ID: session.PromptID(h.Turn), Text: h.Prompt}}
	switch h.Host {
	case "begin":
		return e.begin(w, session.OriginUser, at)
	case "deliver":
		w.steer = true
		e.steer(w)
		return []session.Event{session.Queued{Head: e.m.Head(at), Prompt: w.prompt}}
	case "interrupt":
		e.interrupted = true
		return nil
	case "answered":
		a := session.Answer{Decision: session.Deny}
		if h.Allow {
			a.Decision = session.Allow
		}
		return e.m.Answered(h.Ask, a, session.SettledAnswered, at)
	case "exit":
		return e.m.Exit(h.Interrupted, "", at)
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
			if err := errors.Join(checkOrder(events), checkQuiet(events)); err != nil {
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
	open := session.TurnID("")
	asks := map[session.AskID]state{}
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
			open = e.Turn
		case session.TurnEnded:
			if open == "" || e.Turn != open {
				return fail("a turn ends that does not run")
			}
			open = ""
		case session.UsageReported:
			if e.Turn != open {
				return fail("usage comes after its turn")
			}
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
			tools[e.Call] = state{started: true, ready: true, ended: !e.Result.Background} // once more, if it goes on behind
		case session.Asked:
			if asks[e.Ask].started {
				return fail("something is asked twice")
			}
			asks[e.Ask] = state{started: true}
		case session.Settled:
			if s := asks[e.Ask]; !s.started || s.ended {
				return fail("an ask is settled twice or was never made")
			}
			asks[e.Ask] = state{started: true, ended: true}
		case session.ChildStarted:
			if k := kids[e.ID]; k.started && (k.ended || k.ready || !e.Background) {
				return fail("a child is announced twice")
			}
			kids[e.ID] = state{started: true, ready: e.Background} // once more, if it turns out to work in the background
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
	for ask, s := range asks {
		if !s.ended {
			return fmt.Errorf("ask %s is never settled", ask)
		}
	}
	for child, s := range kids {
		if !s.ended {
			return fmt.Errorf("child %s never ends", child)
		}
	}
	return nil
}

// checkQuiet wants a child to say nothing once it has ended, as long as nobody makes it go on.
func checkQuiet(events []session.Event) error {
	ended := map[session.ChildID]bool{}
	for i, e := range events {
		if c := e.Header().Child; c != "" && ended[c] {
			return fmt.Errorf("event %d: %T: child %s acts after its end", i, e, c)
		}
		if e, ok := e.(session.ChildEnded); ok {
			ended[e.ID] = true
		}
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
	// Short seeds, or the fuzzer does nothing but carry them about: of a few recordings the lines that are not long.
	for _, name := range []string{"native/agents", "native/agentback", "native/steertail", "sdk-0.2.112/edit", "sdk-0.2.112/interruptask"} {
		data, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)+".jsonl"))
		if err != nil {
			f.Fatal(err)
		}
		var seed []byte
		for l := range bytes.Lines(data) {
			if len(l) < 700 && len(seed) < 6000 && !bytes.Contains(l, []byte(`"host"`)) {
				seed = append(seed, l...)
			}
		}
		f.Add(seed)
	}
	f.Add([]byte(`{"type":"assistant","message":{"content":7}}` + "\n" + `{"type":"result"}` + "\n" + `[]` + "\n" + `{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := NewMapper("s", 1)
		events := m.Begin("t", session.Prompt{Text: "p"}, session.OriginUser, epoch)
		for _, l := range bytes.Split(data, []byte("\n")) {
			events = append(events, m.Map(l, epoch)...)
		}
		events = append(events, m.Exit(false, "", epoch)...)
		if err := checkOrder(events); err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Header().Gen != 1 {
				t.Fatalf("%T lost its generation", e)
			}
		}
	})
}
