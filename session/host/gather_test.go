package host_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/host"
	"parley/session/sessiontest"
)

// client is a connection to a session that a test reads line by line.
type client struct {
	net.Conn
	in *bufio.Reader
}

// connect attaches a client, with more fields of the request.
func connect(t testing.TB, w *world, id session.ID, more string) *client {
	t.Helper()
	c := must(host.Connect(t.Context(), w.o.Place))(t)
	t.Cleanup(func() { c.Close() })
	_ = c.SetReadDeadline(time.Now().Add(wait))
	fmt.Fprintf(c, "{\"version\":%d}\n{\"id\":1,\"do\":\"attach\",\"args\":{\"session\":%q%s}}\n", host.Version, id, more)
	return &client{c, bufio.NewReader(c)}
}

// next returns the next event, and false at the end.
func (c *client) next(t testing.TB) (session.Event, bool) {
	t.Helper()
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return nil, false // a torn line counts as none
		}
		if line[0] == 'E' {
			_, data, _ := strings.Cut(line, " ")
			return must(session.DecodeEvent([]byte(data)))(t), true
		}
	}
}

// piece returns the text of the next fragment.
func (c *client) piece(t testing.TB) string {
	t.Helper()
	for {
		e, more := c.next(t)
		if !more {
			t.Fatal("it ended early")
		}
		if text, is := session.Fragment(e); is {
			return text
		}
	}
}

// pieces returns the texts of fragments up to the end of n bytes.
func (c *client) pieces(t testing.TB, n int) (all []string) {
	t.Helper()
	for n > 0 {
		text := c.piece(t)
		all, n = append(all, text), n-len(text)
	}
	return all
}

// begin begins a turn, and attaches a client to it.
func begin(t testing.TB, w *world) (*sessiontest.Turn, *client) {
	t.Helper()
	s := draft(t, w.screen(t))
	must(s.Send(session.Prompt{Text: "hello"}))(t)
	turn := w.Agent.Turn(t)
	if err := s.Stored(t.Context()); err != nil {
		t.Fatal(err)
	}
	return turn, connect(t, w, s.ID(), "")
}

// The first piece of a text is sent at once, right after another event too, and what follows is gathered.
func TestGather(t *testing.T) {
	w := newWorld(t, func(o *host.Options) { o.Gather = time.Hour })
	turn, c := begin(t, w)
	for range 3 {
		part := turn.OpenPart(session.PartText)
		for begun := false; !begun; {
			e, more := c.next(t)
			if !more {
				t.Fatal("no part begins")
			}
			_, begun = e.(session.PartStarted)
		}
		turn.Emit(session.PartDelta{Part: part, Text: "first "})
		c.pieces(t, len("first "))
		for range 1000 {
			turn.Emit(session.PartDelta{Part: part, Text: "x"})
		}
		turn.Emit(session.PartEnded{Part: part})
		if n := len(c.pieces(t, 1000)); n != 1 {
			t.Errorf("the rest comes in %d pieces", n)
		}
	}
	turn.End(session.TurnCompleted)
}

// A stream is sent at most once in 16 ms, and all of it without an event that hurries it.
func TestGatherPace(t *testing.T) {
	w := newWorld(t, nil)
	turn, c := begin(t, w)
	part := turn.OpenPart(session.PartText)
	enough, all := make(chan struct{}), make(chan int)
	began := time.Now()
	go func() {
		for n := 0; ; n++ {
			select {
			case <-enough:
				all <- n
				return
			default:
				turn.Emit(session.PartDelta{Part: part, Text: "x"})
			}
		}
	}()
	sent, bytes := 0, 0
	for ; sent < 8; sent++ {
		bytes += len(c.piece(t))
	}
	close(enough)
	n := <-all
	sent += len(c.pieces(t, n-bytes))
	took := time.Since(began)
	if most := int(took/(16*time.Millisecond)) + 2; sent > most {
		t.Errorf("%d pieces in %s, at most %d", sent, took, most)
	}
	t.Logf("%d of %d pieces in %s", sent, n, took)
	turn.End(session.TurnCompleted)
}

// A client that reads nothing is dropped, even with requests that nobody can answer: it counts as a terminal no longer.
func TestDropped(t *testing.T) {
	w := newWorld(t, func(o *host.Options) { o.Patience = time.Second })
	m := w.screen(t)
	m.Start()
	s := draft(t, m)
	must(s.Send(session.Prompt{Text: "much"}))(t)
	turn := w.Agent.Turn(t)
	if err := s.Stored(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := connect(t, w, s.ID(), "")
	within(t, "two terminals", func() bool { return terminalsOf(t, m) == 2 })
	asks := make(chan struct{})
	go func() {
		defer close(asks)
		for i := 2; ; i++ { // until the host has dropped it
			if _, err := fmt.Fprintf(c, "{\"id\":%d,\"do\":\"sing\"}\n", i); err != nil {
				return
			}
		}
	}()
	within(t, "one terminal", func() bool { return terminalsOf(t, m) == 1 })
	<-asks
	turn.End(session.TurnCompleted)
}

// terminalsOf returns how many terminals the session of a screen has, 0 while the screen itself is not connected.
func terminalsOf(t testing.TB, m *host.Manager) int {
	on := m.GoesOn(t.Context())
	if len(on) == 0 {
		return 0
	}
	return on[0].Clients
}
