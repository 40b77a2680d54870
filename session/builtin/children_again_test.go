package builtin

import (
	"context"
	"sync"
	"testing"

	"parley/session"
)

// TestAChildIsContinuedAsSoonAsItHasEnded continues it while its end is still being reported.
func TestAChildIsContinuedAsSoonAsItHasEnded(t *testing.T) {
	s := always(t, map[string][]reply{"begin": {callsReply(task("c1", "level one", "")), says("ok")}, "level one": {says("one"), says("two")}, "agent": {says("heard"), says("heard")}})
	ch := openChat(t, s)
	again := sync.OnceValue(func() error {
		return ch.c.(session.ChildResumer).ResumeChild(context.Background(), "c1", session.Prompt{Text: "go on"})
	})
	over := make(chan struct{}, 2)
	ch.on = func(e session.Event) {
		if end, is := e.(session.ChildEnded); is && end.ID == "c1" {
			if err := again(); err != nil {
				t.Error(err)
			}
			over <- struct{}{}
		}
	}
	ch.send("begin")
	<-over
	<-over
}
