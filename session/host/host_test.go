package host_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/host"
	"parley/session/live"
	"parley/session/sessiontest"
)

// A screen has a conversation in a host: the prompt, the question, the answer, the queue, settings and a title.
func TestConversation(t *testing.T) {
	w := newWorld(t, nil)
	m := w.screen(t)
	s := draft(t, m)
	if !s.Draft() || len(m.GoesOn(t.Context())) != 0 {
		t.Error("nothing has begun")
	}
	v := follow(t, s)
	id := must(s.Send(session.Prompt{Text: "hello"}))(t)
	turn := w.Agent.Turn(t)
	turn.Text("hi ", "there")
	v.until(t, "streamed", func(tr *session.Transcript) bool { return text(tr) == "hi there" })
	if err := s.Stored(t.Context()); err != nil || s.Draft() {
		t.Error(err, s.Draft())
	}
	if v.anew > 0 || v.t.Turns[0].Prompt.ID != id {
		t.Errorf("%d times replaced, prompt %v", v.anew, v.t.Turns[0].Prompt)
	}
	ask, answered := turn.AskPermission("shell", "ls")
	v.until(t, "asked", func(tr *session.Transcript) bool { return len(tr.Asks) == 1 })
	if err := s.Answer(ask, session.Answer{Decision: session.Allow, Message: "fine"}); err != nil {
		t.Error(err)
	}
	if a := <-answered; a.Decision != session.Allow || a.Message != "fine" {
		t.Errorf("%+v", a)
	}
	if err := s.Answer(ask, session.Answer{}); session.KindOf(err) != session.KindNotFound {
		t.Errorf("a second answer: %v", err)
	}
	one, two := must(s.Send(session.Prompt{Text: "one"}))(t), must(s.Send(session.Prompt{Text: "two"}))(t)
	v.until(t, "queued", func(tr *session.Transcript) bool { return len(tr.Queue) == 2 })
	if !s.Move(two, -1) || s.Move(two, -1) {
		t.Error("moved as it cannot be")
	}
	if p, ok := s.Unqueue(one); !ok || p.Text != "one" {
		t.Errorf("%+v", p)
	}
	if n := s.Hold(); n != 1 || !s.Held()[two] {
		t.Errorf("%d held: %v", n, s.Held())
	}
	if err := s.Configure(session.Settings{Model: "m2"}); err != nil || s.Settings().Model != "m2" {
		t.Error(err, s.Settings())
	}
	if err := s.Configure(session.Settings{Mode: "none"}); session.KindOf(err) != session.KindInvalid {
		t.Error(err)
	}
	if err := s.Rename("a name"); err != nil || s.Meta().Title != "a name" {
		t.Error(err, s.Meta())
	}
	if on := m.GoesOn(t.Context()); len(on) != 1 || on[0].Meta.ID != s.ID() || on[0].Clients != 1 || on[0].Queued != 1 {
		t.Error(on)
	}
	s.Abort()
	v.until(t, "aborted", over(1))
	if n := s.Release(); n != 1 {
		t.Error(n)
	}
	w.Agent.Turn(t).End(session.TurnCompleted)
	if err := s.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	v.until(t, "over", over(2))
}

// A terminal goes away in the middle of 20,000 pieces of text, and another one shows every byte of them.
func TestDetachInMidStream(t *testing.T) {
	w := newWorld(t, nil)
	m := w.screen(t)
	s := draft(t, m)
	must(s.Send(session.Prompt{Text: "count"}))(t)
	turn := w.Agent.Turn(t)
	const pieces = 20_000
	var want strings.Builder
	half, done := make(chan struct{}), make(chan struct{})
	part := turn.OpenPart(session.PartText)
	go func() {
		defer close(done)
		for i := range pieces {
			p := fmt.Sprintf("%d ", i)
			want.WriteString(p)
			turn.Emit(session.PartDelta{Part: part, Text: p})
			if i == pieces/2 {
				close(half)
			}
		}
		turn.Emit(session.PartEnded{Part: part})
		turn.End(session.TurnCompleted)
	}()
	v := follow(t, s)
	v.until(t, "streaming", func(tr *session.Transcript) bool { return len(text(tr)) > 100 })
	<-half
	id := s.ID()
	leave(t, m)
	second := w.screen(t)
	again := must(second.Resume(t.Context(), id))(t)
	v = follow(t, again)
	v.until(t, "over", over(1))
	<-done
	if got := text(v.t); got != want.String() {
		t.Errorf("%d bytes of %d", len(got), want.Len())
	}
}

// Two terminals at one session see the same, and one answers what the other shows.
func TestTwoTerminals(t *testing.T) {
	w := newWorld(t, nil)
	a, b := w.screen(t), w.screen(t)
	one := draft(t, a)
	must(one.Send(session.Prompt{Text: "hello"}))(t)
	turn := w.Agent.Turn(t)
	turn.Text("first ")
	if err := one.Stored(t.Context()); err != nil {
		t.Fatal(err)
	}
	two := must(b.Resume(t.Context(), one.ID()))(t)
	va, vb := follow(t, one), follow(t, two)
	ask, answered := turn.AskPermission("shell", "ls")
	asked := func(tr *session.Transcript) bool { return len(tr.Asks) == 1 }
	va.until(t, "asked", asked)
	vb.until(t, "asked", asked)
	if err := two.Answer(ask, session.Answer{Decision: session.Deny}); err != nil {
		t.Error(err)
	}
	<-answered
	must(two.Send(session.Prompt{Text: "from the other"}))(t)
	va.until(t, "queued", func(tr *session.Transcript) bool { return len(tr.Queue) == 1 && len(tr.Asks) == 0 })
	turn.Text("second")
	turn.End(session.TurnCompleted)
	w.Agent.Turn(t).End(session.TurnCompleted)
	va.until(t, "over", over(2))
	vb.until(t, "over", over(2))
	if text(va.t) != "first second" || text(vb.t) != text(va.t) {
		t.Errorf("%q and %q", text(va.t), text(vb.t))
	}
}

// A client that reads nothing delays neither the session nor another client, and gets everything in the end.
func TestSlowClient(t *testing.T) {
	w := newWorld(t, nil)
	m := w.screen(t)
	s := draft(t, m)
	v := follow(t, s)
	must(s.Send(session.Prompt{Text: "much"}))(t)
	turn := w.Agent.Turn(t)
	if err := s.Stored(t.Context()); err != nil {
		t.Fatal(err)
	}
	c, err := host.Connect(t.Context(), w.o.Place)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "{\"version\":%d}\n{\"id\":1,\"do\":\"attach\",\"args\":{\"session\":%q}}\n", host.Version, s.ID())
	part := turn.OpenPart(session.PartText)
	piece := strings.Repeat("x", 1000)
	const pieces = 5000 // more than the buffers of a socket hold
	for range pieces {
		turn.Emit(session.PartDelta{Part: part, Text: piece})
	}
	turn.Emit(session.PartEnded{Part: part})
	turn.End(session.TurnCompleted)
	v.until(t, "over", over(1))
	if n := len(text(v.t)); n != pieces*len(piece) {
		t.Errorf("%d bytes", n)
	}
	_ = c.SetReadDeadline(time.Now().Add(wait))
	var slow []session.Event
	var next uint64
	shown := &session.Transcript{}
	for in := bufio.NewReader(c); !over(1)(shown); {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if line[0] != 'E' {
			continue
		}
		number, data, _ := strings.Cut(line[1:], " ")
		if next++; number != fmt.Sprint(next) {
			t.Fatalf("event %s after %d", number, next-1)
		}
		e, err := session.DecodeEvent([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		slow = append(slow, e)
		shown.Apply(e)
	}
	if got := text(shown); got != text(v.t) {
		t.Errorf("the slow client has %d bytes", len(got))
	}
	if len(slow) > pieces {
		t.Errorf("%d events for a client that read nothing meanwhile", len(slow))
	}
}

// Whoever starts at once finds one host; the others end.
func TestOneHost(t *testing.T) {
	dir := shortDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var ran, refused atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			world := sessiontest.NewWorld()
			m := world.Manager()
			defer func() { _ = m.Close(context.Background()) }()
			err := host.Run(ctx, host.Options{Place: host.Place{Dir: dir, Key: "k"}, Manager: m, Idle: time.Hour}, func() {
				ran.Add(1)
				for refused.Load() < 7 { // all others try while it has the lock
					time.Sleep(time.Millisecond)
				}
				cancel()
			})
			if errors.Is(err, host.ErrRunning) {
				refused.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if ran.Load() != 1 || refused.Load() != 7 {
		t.Errorf("%d hosts, %d refused", ran.Load(), refused.Load())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.json")); len(left) > 0 {
		t.Errorf("%v stays", left)
	}
}

// Connecting around the moment of the idle end loses no prompt: either host has it.
func TestIdleEnd(t *testing.T) {
	w := newWorld(t, func(o *host.Options) { o.Idle = 40 * time.Millisecond })
	var mu sync.Mutex
	hosts := 1
	for i := range repeat.Times(5, 30, 200) {
		m := host.NewManager(host.ClientOptions{Place: w.o.Place, Local: live.NewManager(w.Deps), Program: "test", Spawn: func() (<-chan error, error) {
			mu.Lock()
			defer mu.Unlock()
			select {
			case err := <-w.ended:
				if err != nil {
					t.Error(err)
				}
				hosts++
				w.start(t)
			default:
			}
			return nil, nil
		}})
		s := draft(t, m)
		v := follow(t, s)
		must(s.Send(session.Prompt{Text: fmt.Sprint(i)}))(t)
		v.until(t, "begun", func(tr *session.Transcript) bool { return slices.ContainsFunc(tr.Turns, (*session.Turn).Running) })
		w.Agent.Turn(t).End(session.TurnCompleted)
		v.until(t, "over", over(1))
		leave(t, m)
		time.Sleep(38*time.Millisecond + rand.N(15*time.Millisecond)) // the host ends about now
	}
	t.Logf("%d hosts", hosts)
}

// A host that starts slowly is started once, however often its client looks for it.
func TestSlowStart(t *testing.T) {
	w := newWorld(t, nil)
	ended := make(chan error)
	var spawned atomic.Int32
	place := host.Place{Dir: w.o.Place.Dir, Key: "other"}
	m := host.NewManager(host.ClientOptions{Place: place, Local: live.NewManager(w.Deps), Program: "test", Spawn: func() (<-chan error, error) {
		spawned.Add(1)
		return ended, nil
	}})
	s := draft(t, m)
	must(s.Send(session.Prompt{Text: "hello"}))(t)
	patience, cancel := context.WithTimeout(t.Context(), 600*time.Millisecond) // more than one look
	defer cancel()
	if err := s.Stored(patience); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("nobody has the prompt: %v", err)
	}
	leaving, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if err := m.Close(leaving); err == nil || !strings.Contains(err.Error(), "didn't take 1 prompts") {
		t.Errorf("leaving says nothing of the prompt: %v", err)
	}
	if n := spawned.Load(); n != 1 {
		t.Errorf("%d hosts are started", n)
	}
}

// A host that cannot start is tried a few times, and the user reads why.
func TestHostCannotStart(t *testing.T) {
	w := newWorld(t, nil)
	var spawned atomic.Int32
	place := host.Place{Dir: w.o.Place.Dir, Key: "other"}
	m := host.NewManager(host.ClientOptions{Place: place, Local: live.NewManager(w.Deps), Program: "test", Spawn: func() (<-chan error, error) {
		spawned.Add(1)
		ended := make(chan error, 1)
		ended <- errors.New("the lock file is a directory")
		close(ended)
		return ended, nil
	}})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		_ = m.Close(ctx) // its prompt is nowhere
	})
	s := draft(t, m)
	must(s.Send(session.Prompt{Text: "hello"}))(t)
	if err := s.Stored(t.Context()); err == nil || !strings.Contains(err.Error(), "the lock file is a directory") {
		t.Error(err)
	}
	if n := spawned.Load(); n != 3 {
		t.Errorf("%d hosts were started", n)
	}
}

// A prompt that is sent while a host is looked for in vain makes the screen look again.
func TestPromptWhileNoHostAnswers(t *testing.T) {
	w := newWorld(t, nil)
	looked := make(chan int, 100)
	var s *live.Session
	var n atomic.Int32
	m := host.NewManager(host.ClientOptions{Place: host.Place{Dir: w.o.Place.Dir, Key: "other"}, Local: live.NewManager(w.Deps), Program: "test", Spawn: func() (<-chan error, error) {
		if n.Add(1) == 1 {
			must(s.Send(session.Prompt{Text: "two"}))(t)
		}
		looked <- int(n.Load())
		return nil, errors.New("there is no memory")
	}})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		_ = m.Close(ctx) // its prompts are nowhere
	})
	s = draft(t, m)
	must(s.Send(session.Prompt{Text: "one"}))(t)
	for i := range 2 {
		select {
		case <-looked:
		case <-time.After(wait):
			t.Fatalf("it looked %d times", i)
		}
	}
}
