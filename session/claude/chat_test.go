package claude

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/claude/claudetest"
	"parley/session/claude/driver"
)

// chat is a conversation with fake runtimes.
type chat struct {
	t      *testing.T
	a      *Agent
	c      session.Conversation
	mu     sync.Mutex
	events []session.Event
	on     func(session.Event)
	all    []*fake
	// onStart may change how the next runtimes behave, or refuse to start them.
	onStart func(ctx context.Context, f *fake) error
}

// answers answers an ask, and returns once the runtime has the answer.
func (ch *chat) answers(ask session.AskID, a session.Answer) error {
	err := ch.c.Answer(ask, a)
	synctest.Wait()
	return err
}

type option func(*Options, *session.OpenOptions)

// world makes an agent with fake runtimes, without opening a conversation.
func fakeWorld(t *testing.T, opts ...option) (*chat, session.OpenOptions) {
	t.Helper()
	ch := &chat{t: t}
	home := t.TempDir()
	o := Options{Runtime: func(context.Context) (Program, error) { return Program{Argv: []string{"claude"}}, nil }, Home: home, Environ: []string{"IS_SANDBOX=1"}, IdleAfter: -1,
		ManagedSettings: func() bool { return false },
		Models:          func(context.Context) ([]session.Model, error) { return testModels, nil }}
	open := session.OpenOptions{Session: "0f8fad5b-d9cb-469f-a165-70867728950e", Gen: 1, Dir: home,
		Settings: session.Settings{Model: "claude-test.1", Mode: session.ModeDefault},
		Endpoint: session.Endpoint{BaseURL: "http://127.0.0.1:9", Bearer: "secret"}, Emit: ch.emit}
	for _, f := range opts {
		f(&o, &open)
	}
	ch.a = New(o)
	ch.a.spawn = func(ctx context.Context, o driver.Options) (runtime, error) {
		f := newFake(o)
		f.onStop = f.aborted
		ch.mu.Lock()
		onStart := ch.onStart
		ch.mu.Unlock()
		if onStart != nil {
			if err := onStart(ctx, f); err != nil {
				f.Close(ctx)
				return nil, err
			}
		}
		ch.mu.Lock()
		defer ch.mu.Unlock()
		ch.all = append(ch.all, f)
		return f, nil
	}
	return ch, open
}

var testModels = []session.Model{
	{ID: "claude-test.1", Efforts: []string{"low", "high"}},
	{ID: "claude-haiku-1", Efforts: nil},
}

// talk opens a conversation within a bubble of virtual time and closes it afterwards.
func talk(t *testing.T, f func(t *testing.T, ch *chat), opts ...option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ch, open := fakeWorld(t, opts...)
		c, err := ch.a.Open(t.Context(), open)
		if err != nil {
			t.Fatal(err)
		}
		ch.c = c
		f(t, ch)
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
		n := len(ch.list())
		time.Sleep(time.Hour)
		if len(ch.list()) != n {
			t.Error("it speaks after it was closed")
		}
		if err := claudetest.CheckOrder(ch.list()); err != nil {
			t.Error(err)
		}
		for i, f := range ch.all {
			select {
			case <-f.done:
			default:
				t.Errorf("runtime %d still runs", i)
			}
		}
	})
}

func (ch *chat) emit(e session.Event) {
	ch.mu.Lock()
	ch.events = append(ch.events, e)
	on := ch.on
	ch.mu.Unlock()
	if on != nil {
		on(e)
	}
}

func (ch *chat) list() []session.Event {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return slices.Clone(ch.events)
}

// rt is the newest runtime.
func (ch *chat) rt() *fake {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return ch.all[len(ch.all)-1]
}

func (ch *chat) runtimes() int {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return len(ch.all)
}

// turnID makes the nth turn id, which is a UUID as the manager's are.
func turnID(n int) session.TurnID {
	return session.TurnID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n))
}

// begin sends a prompt without waiting for the end of its turn; the channel gives what Send returned.
func (ch *chat) begin(ctx context.Context, turn session.TurnID, text string) chan error {
	done := make(chan error, 1)
	go func() {
		done <- ch.c.Send(ctx, turn, session.Prompt{ID: session.PromptID(turn), Text: text}, session.OriginUser)
	}()
	synctest.Wait()
	return done
}

// finished waits for a Send.
func (ch *chat) finished(done chan error) {
	ch.t.Helper()
	synctest.Wait()
	select {
	case err := <-done:
		if err != nil {
			ch.t.Fatal(err)
		}
	default:
		ch.t.Fatalf("Send has not returned; events: %s", outlineOf(ch.list()))
	}
}

func (ch *chat) running(done chan error) {
	ch.t.Helper()
	synctest.Wait()
	select {
	case err := <-done:
		ch.t.Fatalf("Send has returned: %v; events: %s", err, outlineOf(ch.list()))
	default:
	}
}

// turn plays a whole turn.
func (ch *chat) turn(n int, text string) {
	ch.t.Helper()
	done := ch.begin(context.Background(), turnID(n), text)
	ch.rt().answer(string(turnID(n)), "answer to "+text)
	ch.finished(done)
}

// ends are the ends of turns as "turn:outcome", by the number at the end of the id.
func (ch *chat) ends() []string {
	var out []string
	for _, e := range ch.list() {
		if e, ok := e.(session.TurnEnded); ok {
			out = append(out, short(e.Turn)+":"+string(e.Outcome))
		}
	}
	return out
}

func short(id session.TurnID) string {
	if len(id) == 36 {
		return string(id[35:])
	}
	return string(id)
}

func outlineOf(events []session.Event) string {
	var names []string
	for _, e := range events {
		names = append(names, session.EventType(e)+"("+short(e.Header().Turn)+")")
	}
	return fmt.Sprint(names)
}

func eventsOf[E session.Event](ch *chat) []E {
	var out []E
	for _, e := range ch.list() {
		if e, ok := e.(E); ok {
			out = append(out, e)
		}
	}
	return out
}
