package claude

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/claude/driver"
)

// A question beside the conversation is answered while a turn runs, adds nothing to it, and keeps the process from being
// released.
func TestAsideOfClaudeCode(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ask := func(ctx context.Context) (chan error, *string) {
			said, done := new(string), make(chan error, 1)
			go func() {
				done <- ch.c.(session.SideAsker).AskAside(ctx, "why?", func(text string) { *said += text })
			}()
			synctest.Wait()
			return done, said
		}
		turn := ch.begin(t.Context(), turnID(1), "hello")
		ch.rt().taken(string(turnID(1)))
		done, said := ask(t.Context())
		before := len(ch.list())
		ch.rt().aside <- "because"
		if err := <-done; err != nil || *said != "because" || len(ch.list()) != before {
			t.Errorf("%q %v, %d events more", *said, err, len(ch.list())-before)
		}
		ch.running(turn)
		ch.rt().result()
		ch.finished(turn)

		done, said = ask(t.Context())
		time.Sleep(3 * time.Hour)
		if synctest.Wait(); slices.Contains(ch.rt().called(), "close") {
			t.Error("the process was released under an open question")
		}
		ch.rt().aside <- "late"
		if err := <-done; err != nil || *said != "late" {
			t.Errorf("%q %v", *said, err)
		}
		time.Sleep(3 * time.Hour)
		if synctest.Wait(); !slices.Contains(ch.rt().called(), "close") {
			t.Error("the process was not released after the answer")
		}
		done, said = ask(t.Context()) // starts another one
		ch.rt().aside <- "new"
		if err := <-done; err != nil || *said != "new" || ch.runtimes() != 2 {
			t.Errorf("%q %v, %d processes", *said, err, ch.runtimes())
		}

		ctx, cancel := context.WithCancel(t.Context())
		done, _ = ask(ctx)
		cancel()
		if err := <-done; session.KindOf(err) != session.KindCancelled {
			t.Error(err)
		}
		ch.rt().fail["aside "] = driver.ErrUnsupported
		done, _ = ask(t.Context())
		if err := <-done; session.KindOf(err) != session.KindUnsupported || !strings.Contains(err.Error(), "Claude Code cannot do this") {
			t.Error(err)
		}
		delete(ch.rt().fail, "aside ")
		done, _ = ask(t.Context())
		if err := ch.c.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err == nil {
			t.Error("the question outlived the conversation")
		}
		done, _ = ask(t.Context())
		if err := <-done; session.KindOf(err) != session.KindCancelled {
			t.Error(err)
		}
	}, func(o *Options, _ *session.OpenOptions) { o.IdleAfter = time.Hour })
}

// What an interrupt cut off is charged to its turn as soon as its requests are over, not with the next prompt.
func TestCreditsOfAnInterruptedTurn(t *testing.T) {
	var settled chan struct{}
	spent := int64(0)
	talk(t, func(t *testing.T, ch *chat) {
		credits := func() (got []string) {
			for _, e := range eventsOf[session.CreditsReported](ch) {
				got = append(got, fmt.Sprint(short(e.Turn), " ", e.NanoAIU))
			}
			return got
		}
		turn := ch.begin(t.Context(), turnID(1), "hello")
		ch.rt().taken(string(turnID(1)))
		ch.rt().onStop = func() {
			ch.rt().line(`{"type":"result","subtype":"error_during_execution","is_error":true}`)
		}
		synctest.Wait()
		ch.c.Abort()
		ch.finished(turn)
		if got := credits(); len(got) > 0 {
			t.Errorf("%q before the request was counted", got)
		}
		spent = 30
		settled <- struct{}{}
		if synctest.Wait(); !slices.Equal(credits(), []string{"1 30"}) {
			t.Errorf("%q", credits())
		}
		// A turn that has begun before the requests are over takes their cost.
		turn = ch.begin(t.Context(), turnID(2), "more")
		ch.rt().answer(string(turnID(2)), "yes")
		ch.finished(turn)
		spent = 50
		turn = ch.begin(t.Context(), turnID(3), "more")
		spent = 60
		settled <- struct{}{}
		ch.rt().answer(string(turnID(3)), "yes")
		ch.finished(turn)
		close(settled)
		if synctest.Wait(); !slices.Equal(credits(), []string{"1 30", "2 20", "3 10"}) {
			t.Errorf("%q", credits())
		}
	}, func(o *Options, _ *session.OpenOptions) {
		o.Spent = func(session.ID) int64 { return spent }
		o.Settle = func(context.Context, session.ID) { <-settled }
		settled = make(chan struct{})
	})
}
