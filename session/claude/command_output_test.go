package claude

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// The recorded runtimes print what a session cost for a terminal, and the context as markdown.
func TestRecordedCommandOutput(t *testing.T) {
	for name, want := range map[string]string{"cost": "```\n", "context": "## Context Usage\n"} {
		names, err := filepath.Glob(filepath.Join("testdata", "*", name+".jsonl"))
		if err != nil || len(names) < 2 {
			t.Fatal(names, err)
		}
		for _, file := range names {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			for _, e := range replay(t, data) {
				if e, ok := e.(session.PartReplaced); ok {
					said = e.Text
				}
			}
			if !strings.HasPrefix(said, want) {
				t.Errorf("%s begins %q", file, said[:min(len(said), 40)])
			}
		}
	}
}

// A command that the runtime does not know is answered by the words of its result alone, in 2.1.112.
func TestUnknownCommandIsReported(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "/foo")
		ch.rt().start()
		ch.rt().line(`{"type":"result","subtype":"success","result":"Unknown command: /foo. Did you mean /loop?","stop_reason":null}`)
		ch.rt().idle()
		ch.finished(done)
		if got := eventsOf[session.Notice](ch); len(got) != 1 || got[0].Text != "Unknown command: /foo. Did you mean /loop?" || got[0].Turn != turnID(1) {
			t.Errorf("said %+v", got)
		}
		done = ch.begin(context.Background(), turnID(2), "/cost")
		ch.rt().line(`{"type":"assistant","parent_tool_use_id":null,"message":{"id":"s","model":"<synthetic>","content":[{"type":"text","text":"nothing"}]}}`)
		ch.rt().line(`{"type":"result","subtype":"success","result":"nothing","stop_reason":null}`)
		ch.rt().idle()
		ch.finished(done)
		if got := eventsOf[session.Notice](ch); len(got) != 1 {
			t.Errorf("said twice %+v", got)
		}
	})
}
