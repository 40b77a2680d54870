package host

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
)

// greetTime is the time in which both sides have to greet.
const greetTime = 5 * time.Second

// maxOpen is how many replies may wait for a client that does not read. It is read no further then.
const maxOpen = 64

// begun is a session that the client attached to.
type begun struct {
	request uint64
	s       *hosted
	reader  *session.Reader
	past    []session.Event
	made    bool
	goesOn  bool // past comes behind what the client has
}

// ended is what a host says last.
const ended = "The session host ended"

// link is the host's end of a connection. One goroutine reads requests, one writes.
type link struct {
	h       *host
	c       net.Conn
	in      *bufio.Reader
	out     *bufio.Writer
	life    context.Context // ends with the connection
	end     context.CancelFunc
	lines   chan []byte // replies, whole lines
	s       *hosted     // nil until the client attached; of the reader, as environ
	environ []string    // of the client
	opens   bool        // the client opens files
	begin   chan begun

	urgent, soft chan struct{}
	// The rest is the writer's.
	to    begun
	n     uint64 // the newest event that was sent
	text  bool   // it is a piece of a text
	known []byte // the newest state that was sent

	mu   sync.Mutex
	asks map[uint64]context.CancelFunc // requests that are being answered
	// answers are awaited from the client, by the number of what it was to open; opening is the newest.
	answers map[uint64]chan opened
	opening uint64
	work    sync.WaitGroup
}

func newLink(h *host, c net.Conn) *link {
	l := &link{h: h, c: c, in: bufio.NewReaderSize(c, 64<<10), out: bufio.NewWriterSize(impatient{c, &h.o}, 64<<10), lines: make(chan []byte, maxOpen), begin: make(chan begun, 1),
		urgent: make(chan struct{}, 1), soft: make(chan struct{}, 1), asks: map[uint64]context.CancelFunc{}}
	l.life, l.end = context.WithCancel(h.life)
	return l
}

// serve answers a client until its connection ends.
func (l *link) serve() {
	defer l.end()
	if !l.greet() {
		return
	}
	written := make(chan struct{})
	crash.Go(func() {
		defer close(written)
		defer l.end()     // requests that wait to be answered
		defer l.c.Close() // which also ends reading
		l.write()
		if l.to.reader != nil {
			l.to.reader.Close()
		}
	})
	l.read()
	l.end()
	<-written
	l.work.Wait()
	select {
	case unused := <-l.begin:
		unused.reader.Close()
	default:
	}
	if l.s != nil {
		l.h.o.Screens.forget(l)
		l.h.part(l.s)
	}
}

// greet checks the client and greets it.
func (l *link) greet() bool {
	_ = l.c.SetDeadline(time.Now().Add(greetTime))
	refuse := func(why string) bool {
		_, _ = l.c.Write(line(tagHello, hello{Version: Version, Program: l.h.o.Program, Pid: os.Getpid(), Refused: why}))
		return false
	}
	if checkClient(l.c) != nil {
		return refuse("This session host is another user's")
	}
	var long []byte
	data, err := readLine(l.in, &long)
	var hi hello
	if err != nil || json.Unmarshal(data, &hi) != nil {
		return false
	}
	if hi.Version != Version {
		return refuse(fmt.Sprintf("This session host of parley %s speaks protocol %d, and this parley %d. Stop it with `parley stop --all` of that version",
			l.h.o.Program, Version, hi.Version))
	}
	if _, err := l.c.Write(line(tagHello, hello{Version: Version, Program: l.h.o.Program, Pid: os.Getpid()})); err != nil {
		return false
	}
	return l.c.SetDeadline(time.Time{}) == nil
}

// noReply is the result of a request that the writer answers.
var noReply any = new(int)

// read answers requests until the connection ends. What may wait is answered beside it.
func (l *link) read() {
	var long []byte
	for {
		data, err := readLine(l.in, &long)
		if err != nil {
			return
		}
		var r request
		if json.Unmarshal(data, &r) != nil {
			return
		}
		if r.Cancel {
			l.mu.Lock()
			if cancel := l.asks[r.ID]; cancel != nil {
				cancel()
			}
			l.mu.Unlock()
			continue
		}
		l.answer(r)
	}
}

// answer answers a request, in order or beside the others.
func (l *link) answer(r request) {
	do, known := requests[r.Do]
	if !known {
		l.reply(r.ID, nil, &session.Error{Op: r.Do, Kind: session.KindUnsupported, Err: errors.New("this session host can't do that")})
		return
	}
	if do.inOrder {
		if v, err := do.call(l.life, l, r); v != noReply || err != nil {
			l.reply(r.ID, v, err)
		}
		return
	}
	ctx, cancel := context.WithCancel(l.life)
	l.mu.Lock()
	l.asks[r.ID] = cancel
	l.mu.Unlock()
	l.work.Go(crash.Guarded(func() {
		defer cancel()
		v, err := do.call(ctx, l, r)
		l.mu.Lock()
		delete(l.asks, r.ID)
		l.mu.Unlock()
		l.reply(r.ID, v, err)
	}))
}

// reply answers a request.
func (l *link) reply(id uint64, v any, err error) {
	r := reply{ID: id, Error: problemOf(err)}
	if v != nil && err == nil {
		if r.Result, err = json.Marshal(v); err != nil {
			r.Error = problemOf(err)
		}
	}
	l.put(line(tagReply, r))
}

// put queues a line; a client that is gone gets none.
func (l *link) put(b []byte) {
	select {
	case l.lines <- b:
	case <-l.life.Done():
	}
}

// wake wakes the writer. It is called under the lock of the session's log.
func (l *link) wake(text bool) {
	c := l.urgent
	if text {
		c = l.soft
	}
	select {
	case c <- struct{}{}:
	default:
	}
}

// write sends events, what else is known, and replies, in this order, until the connection ends. The first piece of a text goes at once,
// however new what came before it is, and more of it is gathered.
func (l *link) write() {
	var last time.Time
	for {
		var first []byte
		select {
		case <-l.life.Done():
			if l.h.life.Err() != nil {
				_, _ = l.out.Write(line(tagHello, hello{Version: Version, Refused: ended}))
				_ = l.out.Flush()
			}
			return
		case l.to = <-l.begin:
			if l.history() != nil {
				return
			}
		case <-l.urgent:
		case first = <-l.lines:
		case <-l.soft:
			if l.text {
				first = l.gather(l.h.o.Gather - time.Since(last))
			}
		}
		if l.batch(first) != nil {
			return
		}
		last = time.Now()
	}
}

// calm forgets what woke the writer, which takes the events of it next: they must not hurry a text that begins behind them.
func (l *link) calm() {
	for _, c := range []chan struct{}{l.urgent, l.soft} {
		select {
		case <-c:
		default:
		}
	}
}

// gather waits for d, and returns the reply that ends the wait, nil if it was something else.
func (l *link) gather(d time.Duration) []byte {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-l.urgent:
	case <-l.life.Done():
	case b := <-l.lines:
		return b
	}
	return nil
}

// batch sends what there is. Replies are taken before the events, so that those which they brought about come first.
func (l *link) batch(first []byte) error {
	replies := [][]byte{}
	if first != nil {
		replies = append(replies, first)
	}
	for more := true; more; {
		select {
		case b := <-l.lines:
			replies = append(replies, b)
		default:
			more = false
		}
	}
	l.calm()
	if l.to.s != nil {
		if err := l.events(l.to.reader.Take()); err != nil {
			return err
		}
		if now := line(tagState, knownOf(l.to.s.s)); string(now) != string(l.known) {
			l.known = now
			if _, err := l.out.Write(now); err != nil {
				return err
			}
		}
	}
	for _, b := range replies {
		if _, err := l.out.Write(b); err != nil {
			return err
		}
	}
	return l.out.Flush()
}

// history sends the answer to an attachment and the events so far.
func (l *link) history() error {
	to := l.to
	result, err := json.Marshal(attached{Past: len(to.past), Since: to.goesOn, Made: to.made, Epoch: to.s.epoch, Known: knownOf(to.s.s)})
	if err != nil {
		return err
	}
	if _, err := l.out.Write(line(tagReply, reply{ID: to.request, Result: result})); err != nil {
		return err
	}
	l.to.past = nil
	return l.events(to.past)
}

// events sends events with their numbers.
func (l *link) events(all []session.Event) error {
	var b []byte
	for _, e := range all {
		var err error
		if b, err = appendEvent(b[:0], l.n+1, e); err != nil {
			return err // no event that was published can fail
		}
		l.n++
		l.text = isFragment(e)
		if _, err := l.out.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// impatient writes to a client, and drops one that takes nothing for a while.
type impatient struct {
	c net.Conn
	o *Options
}

// Write writes pieces that a client which reads takes soon.
func (w impatient) Write(b []byte) (n int, err error) {
	drop := time.AfterFunc(w.o.Patience, crash.Guarded(func() {
		w.o.Log.Warn("a terminal that reads nothing was dropped", "after", w.o.Patience)
		w.c.Close()
	}))
	defer drop.Stop()
	for len(b) > n && err == nil {
		drop.Reset(w.o.Patience)
		var k int
		k, err = w.c.Write(b[n:min(n+64<<10, len(b))])
		n += k
	}
	return n, err
}
