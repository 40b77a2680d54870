package claude

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/session"
	"parley/session/claude/claudetest"
	"parley/session/claude/mapper"
	"parley/session/process"
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
	e := newEngine(nil, "", 1, session.Settings{}, process.NewBook[*pendingAsk](nil))
	e.m.EnableHookNotices()
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
			e = newEngine(nil, e.m.Head(epoch).Session, e.gen+1, session.Settings{}, process.NewBook[*pendingAsk](nil))
			e.m.EnableHookNotices()
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
			if err := errors.Join(claudetest.CheckOrder(events), claudetest.CheckQuiet(events), claudetest.CheckFold(events)); err != nil {
				t.Error(err)
			}
		})
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
		m := mapper.New("s", 1)
		events := m.Begin("t", session.Prompt{Text: "p"}, session.OriginUser, epoch)
		for _, l := range bytes.Split(data, []byte("\n")) {
			events = append(events, m.Map(l, epoch)...)
		}
		events = append(events, m.Exit(false, "", epoch)...)
		if err := claudetest.CheckOrder(events); err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Header().Gen != 1 {
				t.Fatalf("%T lost its generation", e)
			}
		}
	})
}
