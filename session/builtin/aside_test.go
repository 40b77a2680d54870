package builtin

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

// A question beside the work sees what was said, also in the middle of a turn, costs, and leaves nothing in later requests.
func TestAside(t *testing.T) {
	s := newService(t, says("never"))
	ch := openChat(t, s)
	asker := ch.c.(session.SideAsker)
	if err := asker.AskAside(context.Background(), "what now?", nil); session.KindOf(err) != session.KindNotFound {
		t.Errorf("%v", err)
	}
	s.replies = nil
	aside := stream(start("m"), think(0, "s", "hm"), text(1, "A ", "teapot."), use(2, "c9", "Write", `{"file_path":"x","content":"y"}`), end("tool_use"))
	s.add(callsReply([3]string{"c1", "Glob", `{"pattern":"*"}`}), fault(529, ""), aside, says("Done."), says("Bye."))
	var got []string
	ch.on = func(e session.Event) {
		if ready, ok := e.(session.ToolReady); ok && ready.Call == "c1" {
			if err := asker.AskAside(context.Background(), "what is it?", func(text string) { got = append(got, text) }); err != nil {
				t.Error(err)
			}
		}
	}
	if end := ch.send("begin"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	if diff := cmp.Diff([]string{"A ", "teapot."}, got); diff != "" {
		t.Error(diff)
	}
	asked := s.messages(2)
	checkShape(t, asked)
	if last := asked[len(asked)-1].Content; !strings.HasSuffix(last[len(last)-1].Text, "what is it?") {
		t.Errorf("%+v", last)
	}
	ch.send("more")
	for _, body := range slices.Concat(s.requests()[3:]) {
		if strings.Contains(body, "teapot") || strings.Contains(body, "what is it?") {
			t.Error(body)
		}
	}
	tr := ch.transcript()
	if tr.NanoAIU != 4*1500 || len(tr.Turns) != 2 || wordsOf(tr.Turns[0]) != "Done." || len(ch.ended()) != 1 {
		t.Errorf("%d, %d turns", tr.NanoAIU, len(tr.Turns))
	}
}

func TestAsideIsInterrupted(t *testing.T) {
	s := newService(t, says("Hi."))
	s.add(s.hang(start("m"), text(0, "I")))
	ch := openChat(t, s)
	ch.send("x")
	ctx, cancel := context.WithCancel(context.Background())
	err := ch.c.(session.SideAsker).AskAside(ctx, "what?", func(string) { cancel() })
	if err == nil || ctx.Err() == nil {
		t.Errorf("%v", err)
	}
}
