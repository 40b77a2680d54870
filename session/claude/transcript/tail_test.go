package transcript_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/claude/archive"
	"parley/session/history"
	"parley/session/live"
	"parley/session/sessiontest"
)

// TestTailIsTheEnd compares the end of every recorded session, from the middle, the beginning and the end of each line
// on, with the end of all of it.
func TestTailIsTheEnd(t *testing.T) {
	compared := 0
	for _, name := range recordings(t) {
		rec, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		mendTimes(rec)
		dir, _, id := unpack(t, rec)
		a := archive.New(dir)
		events, err := a.Replay(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		all := session.Fold(events)
		for _, n := range sizes(t, dir, id) {
			tail, err := a.Tail(t.Context(), id, n)
			if err != nil {
				t.Fatalf("%s, the last %d bytes: %v", name, n, err)
			}
			turns, d := sessiontest.SameEnd(session.Fold(history.LastTurns(&tail, nil)), all)
			if d != "" {
				t.Errorf("%s, the last %d bytes: %s", name, n, d)
			}
			compared += min(turns, 1)
		}
	}
	if compared < 200/lineStride() {
		t.Errorf("only %d ends were compared", compared)
	}
}

// sizes are how many bytes of the end of a session's transcript are worth a look: from each line on, and a little more
// and less.
func sizes(t *testing.T, configDir string, id session.ID) []int64 {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(configDir, "projects", "*", string(id)+".jsonl"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("%v, %v", paths, err)
	}
	data, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	out := []int64{int64(len(data))}
	for left, line := data, 0; ; line++ {
		_, rest, ok := bytes.Cut(left, []byte("\n"))
		if !ok {
			return out
		}
		if left = rest; line%lineStride() != 0 {
			continue
		}
		n := int64(len(rest))
		out = append(out, n, n+1, n+40)
	}
}

// lineStride returns how many lines of a recording lie between two ends that are compared.
func lineStride() int { return repeat.Times(3, 2, 1) }

// TestTailAndJournalAreTheEnd compares what the ends of a transcript and of the journal of the same conversation tell
// together, however much there is of each, with the end of all of both.
func TestTailAndJournalAreTheEnd(t *testing.T) {
	compared, stride := 0, repeat.Times(19, 13, 3)
	for _, name := range recordings(t) {
		rec, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		mendTimes(rec)
		dir, data, id := unpack(t, rec)
		a := archive.New(dir)
		told, err := a.Replay(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		journal := byOneClock(t, mapLive(t, data), told)
		journals := sessiontest.Journals()
		journals.Put(session.Meta{ID: id, Agent: "claude", Dir: "/home/user/project"}, journal...)
		_, events, err := live.NewManager(live.Deps{Agents: []session.Agent{shelf{a}}, Journals: journals}).Read(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		all := session.Fold(events)
		for first, n := range sizes(t, dir, id) {
			tail, err := a.Tail(t.Context(), id, n)
			if err != nil {
				t.Fatal(err)
			}
			for i := first % stride; i <= len(journal); i += stride {
				end := sessiontest.TailOf(journal, i)
				turns, d := sessiontest.SameEnd(session.Fold(history.LastTurns(&tail, &end)), all)
				if d != "" {
					t.Fatalf("%s, the last %d bytes and events from %d of %d: %s", name, n, i, len(journal), d)
				}
				compared += min(turns, 1)
			}
		}
	}
	if compared < 6000/stride/lineStride() {
		t.Errorf("only %d ends were compared", compared)
	}
}

// byOneClock gives the events of a journal the times of the transcript: the recordings have made up both by themselves.
func byOneClock(t *testing.T, journal, told []session.Event) []session.Event {
	t.Helper()
	began := map[session.TurnID]time.Time{}
	for _, e := range told {
		if s, ok := e.(session.TurnStarted); ok {
			began[s.Turn] = s.At
		}
	}
	out := make([]session.Event, len(journal))
	at := epoch
	for i, e := range journal {
		at = at.Add(time.Microsecond)
		if s, ok := e.(session.TurnStarted); ok && began[s.Turn].After(at) {
			at = began[s.Turn]
		}
		line, err := session.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(line, &fields); err != nil {
			t.Fatal(err)
		}
		fields["at"] = []byte(strconv.Quote(at.Format(time.RFC3339Nano)))
		if line, err = json.Marshal(fields); err != nil {
			t.Fatal(err)
		}
		if out[i], err = session.DecodeEvent(line); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// mendTimes gives lines that were written again the time of their first copy, as they had before the recordings made up
// the times of all lines.
func mendTimes(rec *txtar.Archive) {
	stamp := regexp.MustCompile(`"timestamp":"[^"]*"`)
	uuid := regexp.MustCompile(`"uuid":"[^"]*"`)
	for i := range rec.Files {
		first := map[string][]byte{}
		lines := bytes.Split(rec.Files[i].Data, []byte("\n"))
		for n, line := range lines {
			id := string(uuid.Find(line))
			switch {
			case id == "" || rec.Files[i].Name == "live.jsonl":
			case first[id] == nil:
				first[id] = stamp.Find(line)
			default:
				lines[n] = stamp.ReplaceAll(line, first[id])
			}
		}
		rec.Files[i].Data = bytes.Join(lines, []byte("\n"))
	}
}
