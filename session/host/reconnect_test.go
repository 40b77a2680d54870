package host_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/host"
	"parley/session/live"
	"parley/session/sessiontest"
)

// relay stands between screens and a host: it counts what the host sends on each connection, and cuts it.
type relay struct {
	host  host.Place
	place host.Place
	work  sync.WaitGroup

	still sync.Mutex // held while nothing arrives, neither at a screen nor a screen at the host

	mu   sync.Mutex
	cuts []int // after so many bytes each of the first connections ends
	sent []int
	open []net.Conn
}

func newRelay(t testing.TB, to host.Place, cuts ...int) *relay {
	t.Helper()
	r := &relay{host: to, place: host.Place{Dir: shortDir(t), Key: "k"}, cuts: cuts}
	l, err := host.Listen(r.place)
	if err != nil {
		t.Fatal(err)
	}
	r.work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r.work.Go(func() { r.serve(c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		r.cut()
		r.work.Wait()
	})
	return r
}

// serve connects a screen to the host.
func (r *relay) serve(c net.Conn) {
	defer c.Close()
	r.wait()
	to, err := host.Connect(context.Background(), r.host)
	if err != nil {
		return
	}
	defer to.Close()
	r.mu.Lock()
	n := len(r.sent)
	limit := 1 << 40
	if n < len(r.cuts) {
		limit = r.cuts[n]
	}
	r.sent = append(r.sent, 0)
	r.open = append(r.open, c, to)
	r.mu.Unlock()
	r.work.Go(func() {
		_, _ = io.Copy(to, c)
		to.Close()
	})
	b := make([]byte, 1000)
	for limit > 0 {
		k, err := to.Read(b[:min(len(b), limit)])
		if err != nil {
			return
		}
		limit -= k
		r.mu.Lock()
		r.sent[n] += k
		r.mu.Unlock()
		r.still.Lock()
		_, err = c.Write(b[:k])
		r.still.Unlock()
		if err != nil {
			return
		}
	}
}

// wait waits until the relay moves.
func (r *relay) wait() {
	r.still.Lock()
	defer r.still.Unlock()
}

// cut ends all connections.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.open {
		c.Close()
	}
	r.open = nil
}

// bytes returns what the host sent on each connection.
func (r *relay) bytes() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.sent)
}

// screen returns the manager of a screen behind the relay.
func (r *relay) screen(t testing.TB, w *world) *host.Manager {
	t.Helper()
	d := w.Deps
	d.Agents = []session.Agent{sessiontest.NewAgent("builtin")}
	m := host.NewManager(host.ClientOptions{Place: r.place, Local: live.NewManager(d), Program: "test"})
	t.Cleanup(func() { leave(t, m) })
	return m
}

// stream streams so many pieces of text in a goroutine, and returns all of it once it has ended.
func stream(turn *sessiontest.Turn, pieces int) func() string {
	var want strings.Builder
	done := make(chan struct{})
	part := turn.OpenPart(session.PartText)
	go func() {
		defer close(done)
		for i := range pieces {
			p := fmt.Sprintf("%d ", i)
			want.WriteString(p)
			turn.Emit(session.PartDelta{Part: part, Text: p})
		}
		turn.Emit(session.PartEnded{Part: part})
		turn.End(session.TurnCompleted)
	}()
	return func() string {
		<-done
		return want.String()
	}
}

// encoded returns the events of a log as they are stored.
func encoded(t testing.TB, events []session.Event) []string {
	t.Helper()
	var out []string
	for _, e := range events {
		out = append(out, string(must(session.EncodeEvent(e))(t)))
	}
	return out
}

// Screens whose connection breaks in the middle of 20,000 pieces of text show what one shows that was never cut, and are not sent the history
// again: what they show is never replaced.
func TestReconnect(t *testing.T) {
	w := newWorld(t, nil)
	uncut := w.screen(t)
	s := draft(t, uncut)
	v := follow(t, s)
	must(s.Send(session.Prompt{Text: "before"}))(t)
	turn := w.Agent.Turn(t)
	history := strings.Repeat("a long history ", 10_000)
	turn.Text(history)
	turn.End(session.TurnCompleted)
	v.until(t, "over", over(1))
	must(s.Send(session.Prompt{Text: "count"}))(t)
	turn = w.Agent.Turn(t)
	var views []*view
	var relays []*relay
	var sessions []*live.Session
	for i := range repeat.Times(3, 8, 30) {
		first := len(history) + 5000 + 1000*i
		r := newRelay(t, w.o.Place, first, 1000+i*977)
		again := must(r.screen(t, w).Resume(t.Context(), s.ID()))(t)
		views, relays, sessions = append(views, follow(t, again)), append(relays, r), append(sessions, again)
	}
	want := stream(turn, 20_000)
	v.until(t, "over", over(2))
	for i, other := range views {
		other.until(t, "over", over(2))
		if text(other.t) != text(v.t) || text(other.t) != history+want() {
			t.Errorf("screen %d: %d bytes of %d", i, len(text(other.t)), len(text(v.t)))
		}
		if other.anew > 0 {
			t.Errorf("screen %d was sent everything again", i)
		}
		uncut, _ := must(w.screen(t).Resume(t.Context(), s.ID()))(t).Read(nil)
		cut, _ := sessions[i].Read(nil)
		if got, want := encoded(t, cut), encoded(t, uncut); !slices.Equal(got, want) {
			t.Errorf("screen %d: %d events of %d", i, len(got), len(want))
		}
		sent := relays[i].bytes()
		if len(sent) < 3 {
			t.Errorf("screen %d was not cut: %d", i, sent)
		}
		for _, n := range sent[1:] {
			if n > len(history) {
				t.Errorf("screen %d: %d bytes are sent again: %d", i, n, sent)
			}
		}
	}
}

// A screen that has everything is sent next to nothing when it connects again, however long the session is.
func TestReconnectSendsLittle(t *testing.T) {
	w := newWorld(t, nil)
	m := w.screen(t)
	s := draft(t, m)
	must(s.Send(session.Prompt{Text: "much"}))(t)
	turn := w.Agent.Turn(t)
	for range 200 {
		turn.Text(strings.Repeat("words ", 500))
	}
	open := turn.OpenPart(session.PartText, "in the middle of ")
	if err := s.Stored(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := newRelay(t, w.o.Place)
	again := must(r.screen(t, w).Resume(t.Context(), s.ID()))(t)
	v := follow(t, again)
	v.until(t, "there", func(tr *session.Transcript) bool { return strings.HasSuffix(text(tr), "in the middle of ") })
	r.cut()
	turn.Emit(session.PartDelta{Part: open, Text: "a word"})
	v.until(t, "back", func(tr *session.Transcript) bool { return strings.HasSuffix(text(tr), "in the middle of a word") })
	sent := r.bytes()
	if len(sent) != 2 || sent[0] < 600_000 || sent[1] > 3000 || v.anew != 0 {
		t.Errorf("%d bytes were sent, %d times replaced", sent, v.anew)
	}
	t.Logf("%d bytes were sent", sent)
	turn.End(session.TurnCompleted)
}

// A session that was closed meanwhile, and one of another host, has another log: a screen that comes back is sent the whole of it.
func TestReconnectToAnotherEpoch(t *testing.T) {
	w := newWorld(t, nil)
	r := newRelay(t, w.o.Place)
	s := draft(t, r.screen(t, w))
	v := follow(t, s)
	must(s.Send(session.Prompt{Text: "hello"}))(t)
	turn := w.Agent.Turn(t)
	turn.Text("an answer")
	turn.End(session.TurnCompleted)
	v.until(t, "over", over(1))
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.still.Lock()
	r.cut() // nothing runs, so the host closes the session without its client, and opens it again
	within(t, "closed", func() bool {
		var open []host.Doing
		if err := host.Ask(t.Context(), w.o.Place, "test", "list", struct{}{}, &open); err != nil {
			t.Error(err)
		}
		return len(open) == 0
	})
	r.still.Unlock()
	v.until(t, "back", func(tr *session.Transcript) bool { return v.anew == 1 && over(1)(tr) })
	if text(v.t) != "an answer" {
		t.Errorf("%q", text(v.t))
	}
	w.stop()
	w.start(t)
	must(s.Send(session.Prompt{Text: "again"}))(t)
	w.Agent.Turn(t).Text("another answer")
	v.until(t, "answered", func(tr *session.Transcript) bool { return text(tr) == "an answeranother answer" })
	if v.anew != 2 {
		t.Errorf("replaced %d times", v.anew)
	}
}

// A terminal that stands still for long is dropped, and counts as one no longer. When it goes on it comes back behind what it has.
func TestStoppedTerminal(t *testing.T) {
	w := newWorld(t, func(o *host.Options) { o.Patience = 2 * time.Second })
	m := w.screen(t)
	m.Start()
	s := draft(t, m)
	must(s.Send(session.Prompt{Text: "much"}))(t)
	turn := w.Agent.Turn(t)
	turn.Text(strings.Repeat("history ", 10_000))
	if err := s.Stored(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := newRelay(t, w.o.Place)
	v := follow(t, must(r.screen(t, w).Resume(t.Context(), s.ID()))(t))
	part := turn.OpenPart(session.PartText, "begin ")
	v.until(t, "begun", func(tr *session.Transcript) bool { return strings.HasSuffix(text(tr), "begin ") })
	r.still.Lock()
	piece := strings.Repeat("x", 1000)
	want := text(v.t) + strings.Repeat(piece, 5000)
	for range 5000 { // more than the buffers of sockets hold
		turn.Emit(session.PartDelta{Part: part, Text: piece})
	}
	within(t, "dropped", func() bool { return terminalsOf(t, m) == 1 })
	before := r.bytes()
	r.still.Unlock()
	turn.Emit(session.PartEnded{Part: part})
	turn.End(session.TurnCompleted)
	v.until(t, "over", over(1))
	if text(v.t) != want || v.anew != 0 {
		t.Errorf("%d bytes of %d, %d times replaced", len(text(v.t)), len(want), v.anew)
	}
	if after := r.bytes(); len(before) != 1 || len(after) < 2 {
		t.Errorf("connections: %d, then %d", before, after)
	}
}

// within waits until something is so.
func within(t testing.TB, what string, is func() bool) {
	t.Helper()
	for late := time.Now().Add(wait); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("not ", what)
		}
	}
}
