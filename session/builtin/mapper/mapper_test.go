package mapper

import (
	"bytes"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"
	"github.com/google/go-cmp/cmp"

	"parley/session"
	"parley/session/builtin/wire"
	"parley/session/builtin/wire/wiretest"
	"parley/session/sessiontest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// mapStream runs a recorded stream through a mapper, up to its end.
func mapStream(stream []byte) (*Mapper, []session.Event) {
	clock := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	seen := map[session.CallID]bool{"toolu_before": true}
	m := &Mapper{ID: "t.2", N: 2, Model: "claude-test",
		Head: func() session.Head {
			clock = clock.Add(time.Second)
			return session.Head{Session: "s", Turn: "t", Gen: 1, At: clock}
		},
		Fresh: func(id session.CallID) bool {
			was := seen[id]
			seen[id] = true
			return !was
		},
	}
	response := &http.Response{Body: io.NopCloser(bytes.NewReader(stream)), Header: http.Header{"Content-Type": {"text/event-stream"}}}
	s := ssestream.NewStream[anthropic.MessageStreamEventUnion](ssestream.NewDecoder(response), nil)
	var events []session.Event
	for s.Next() && !m.Answer.Stopped {
		events = append(events, m.Add(s.Current())...)
	}
	return m, events
}

// Each testdata/*.sse is a recorded stream; the .events beside it is what it means.
func TestMapperGolden(t *testing.T) {
	streams, err := filepath.Glob("testdata/*.sse")
	if err != nil || len(streams) == 0 {
		t.Fatal("no streams", err)
	}
	for _, path := range streams {
		t.Run(filepath.Base(path), func(t *testing.T) {
			recorded, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			m, events := mapStream(recorded)
			if !m.Answer.Stopped {
				events = append(events, m.Cut(session.ToolFailed, "Not run: the answer broke off.")...)
			}
			var got strings.Builder
			for _, e := range events {
				line, err := session.EncodeEvent(e)
				if err != nil {
					t.Fatal(err)
				}
				got.WriteString(string(line) + "\n")
			}
			golden := strings.TrimSuffix(path, ".sse") + ".events"
			if *update {
				if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Whatever stream comes, the events keep their order once the answer is cut, and the history made of them has shape.
func FuzzMapper(f *testing.F) {
	streams, _ := filepath.Glob("testdata/*.sse")
	for _, path := range streams {
		if recorded, err := os.ReadFile(path); err == nil {
			f.Add(recorded)
		}
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		m, events := mapStream(stream)
		events = append(events, m.Cut(session.ToolFailed, "Not run: the answer broke off.")...)
		h := session.Head{Session: "s", Turn: "t", Gen: 1, At: time.Unix(1, 0)}
		all := append([]session.Event{session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "x"}}}, events...)
		for _, call := range m.Answer.Calls {
			all = append(all, session.ToolEnded{Head: h, Call: call.ID, Outcome: session.ToolOK})
		}
		all = append(all, session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
		sessiontest.CheckOrder(t, all)
		var tr session.Transcript
		for _, e := range all {
			tr.Apply(e)
		}
		if wrong := wiretest.ShapeError(wire.Join(wire.Pieces(tr.Turns, false), "claude-test")); wrong != "" {
			t.Error(wrong)
		}
	})
}
