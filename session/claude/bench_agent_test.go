package claude

import (
	"fmt"
	"testing"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/process"
)

// BenchmarkDelta measures what a conversation does to a streamed fragment, from the line to the emitted event.
func BenchmarkDelta(b *testing.B) {
	n := 0
	a := New(Options{Home: b.TempDir(), IdleAfter: -1, Environ: []string{}})
	c := newConversation(a, session.OpenOptions{Session: "s", Gen: 1, Emit: func(session.Event) { n++ }})
	f := newFake(driver.Options{})
	defer f.die(driver.Exit{})
	e := newEngine(&started{p: f, relay: &relay{}}, "s", 1, session.Settings{}, process.NewBook[*pendingAsk](nil))
	c.Link, c.Last = e, e
	e.begin(written{uuid: "u", turn: "t"}, session.OriginUser, a.o.Now())
	h := &processListener{c, e}
	const head = `{"type":"stream_event","event":`
	const tail = `,"session_id":"s","parent_tool_use_id":null,"uuid":"00000000-0000-4000-8000-000000000002"}`
	h.line([]byte(head + `{"type":"message_start","message":{"id":"m1","model":"claude-test-1"}}` + tail))
	h.line([]byte(head + `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + tail))
	delta := []byte(head + `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"word "}}` + tail)
	b.ReportAllocs()
	for b.Loop() {
		h.line(delta)
	}
	if n < b.N {
		b.Fatal(fmt.Sprint("only ", n, " events"))
	}
}
