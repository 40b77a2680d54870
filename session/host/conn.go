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

// errLost is the cause of the end of a connection.
var errLost = errors.New("the session host ended")

// replyTime is how long a screen waits for an answer that needs no disk, network or user.
const replyTime = 5 * time.Second

// conn is a client's end of a connection. It is safe for concurrent use.
type conn struct {
	c     net.Conn
	in    *bufio.Reader
	hello hello // of the host
	done  chan struct{}

	// What the reader calls, in the order of the lines; set before read is called.
	event func(n uint64, e session.Event) error
	known func(known)
	kept  func(session.PromptID)
	open  func(data []byte) error

	writing sync.Mutex

	mu    sync.Mutex
	next  uint64
	waits map[uint64]*waiting
	bye   bool // the host ended on purpose
}

// waiting is a request whose answer is to come.
type waiting struct {
	piece func(string)
	got   func(reply) error // called by the reader before the next line; optional
	ch    chan reply
}

// dial connects to the host of a place and greets it. An error of kind [session.KindUnsupported] says that it refused.
func dial(ctx context.Context, p Place, program string) (*conn, error) {
	if err := private(p.Dir); err != nil {
		return nil, err
	}
	c, err := connect(ctx, p)
	if err != nil {
		return nil, err
	}
	k := &conn{c: c, in: bufio.NewReaderSize(c, 64<<10), done: make(chan struct{}), waits: map[uint64]*waiting{}}
	if err := k.greet(ctx, program); err != nil {
		c.Close()
		return nil, err
	}
	return k, nil
}

// greet checks the host and greets it, until ctx is over at most.
func (k *conn) greet(ctx context.Context, program string) error {
	if err := checkHost(k.c); err != nil {
		return err
	}
	late := time.Now().Add(greetTime)
	if end, is := ctx.Deadline(); is && end.Before(late) {
		late = end
	}
	_ = k.c.SetDeadline(late)
	b, err := json.Marshal(hello{Version: Version, Program: program, Pid: os.Getpid()})
	if err != nil {
		return err
	}
	if _, err := k.c.Write(append(b, '\n')); err != nil {
		return err
	}
	var long []byte
	data, err := readLine(k.in, &long)
	if err != nil {
		return err
	}
	if len(data) == 0 || data[0] != tagHello || json.Unmarshal(data[1:], &k.hello) != nil {
		return errors.New("what answers is not a session host")
	}
	if k.hello.Refused != "" {
		return &session.Error{Op: "connect to the session host", Kind: session.KindUnsupported, Err: errors.New(k.hello.Refused)}
	}
	return k.c.SetDeadline(time.Time{})
}

// start begins to read.
func (k *conn) start() {
	crash.Go(func() {
		_ = k.read() // what waits learns that the connection ended
		k.c.Close()
		close(k.done)
	})
}

// read handles lines until the connection ends, and returns why it did.
func (k *conn) read() error {
	var long []byte
	var d session.Decoder
	for {
		data, err := readLine(k.in, &long)
		if err != nil {
			return errLost
		}
		if len(data) == 0 {
			return errors.New("the session host sent an empty line")
		}
		if err := k.take(data[0], data[1:], &d); err != nil {
			return err
		}
	}
}

// take handles a line.
func (k *conn) take(tag byte, data []byte, d *session.Decoder) error {
	switch tag {
	case tagEvent:
		n, e, err := parseEvent(data, d)
		if err == nil && k.event != nil {
			err = k.event(n, e)
		}
		return err
	case tagState:
		return pass(data, k.known)
	case tagKept:
		return pass(data, k.kept)
	case tagOpen:
		if k.open != nil {
			return k.open(data)
		}
	case tagPiece:
		return pass(data, k.pieced)
	case tagReply:
		var r reply
		if err := json.Unmarshal(data, &r); err != nil {
			return err
		}
		return k.replied(r)
	case tagHello: // the last line
		k.mu.Lock()
		k.bye = true
		k.mu.Unlock()
		return errLost
	default:
		return fmt.Errorf("the session host sent a line of kind %q", tag)
	}
	return nil
}

// pass decodes the rest of a line for what takes it, nil if nothing does.
func pass[V any](data []byte, to func(V)) error {
	var v V
	err := json.Unmarshal(data, &v)
	if err == nil && to != nil {
		to(v)
	}
	return err
}

// pieced passes on a piece of an answer.
func (k *conn) pieced(p piece) {
	k.mu.Lock()
	w := k.waits[p.ID]
	k.mu.Unlock()
	if w != nil && w.piece != nil {
		w.piece(p.Text)
	}
}

// replied passes on an answer.
func (k *conn) replied(r reply) error {
	k.mu.Lock()
	w := k.waits[r.ID]
	delete(k.waits, r.ID)
	k.mu.Unlock()
	if w == nil {
		return nil
	}
	var err error
	if w.got != nil {
		err = w.got(r)
	}
	w.ch <- r
	return err
}

// parseEvent parses the line of an event.
func parseEvent(data []byte, d *session.Decoder) (n uint64, e session.Event, err error) {
	i := 0
	for ; i < len(data) && data[i] >= '0' && data[i] <= '9'; i++ {
		n = n*10 + uint64(data[i]-'0')
	}
	if i == 0 || i == len(data) || data[i] != ' ' {
		return 0, nil, errors.New("an event without a number")
	}
	e, err = d.Decode(data[i+1:])
	return n, e, err
}

// ask sends a request. The reader calls got with the answer before it reads on.
func (k *conn) ask(do string, args any, piece func(string), got func(reply) error) (uint64, <-chan reply, error) {
	a, err := json.Marshal(args)
	if err != nil {
		return 0, nil, err
	}
	w := &waiting{piece: piece, got: got, ch: make(chan reply, 1)}
	k.mu.Lock()
	k.next++
	id := k.next
	k.waits[id] = w
	k.mu.Unlock()
	return id, w.ch, k.put(request{ID: id, Do: do, Args: a})
}

// put writes a request. A host that reads nothing for a while is given up.
func (k *conn) put(r request) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	k.writing.Lock()
	defer k.writing.Unlock()
	_ = k.c.SetWriteDeadline(time.Now().Add(replyTime))
	if _, err = k.c.Write(append(b, '\n')); err != nil {
		k.c.Close() // a torn request cannot be followed by another
	}
	return err
}

// call asks and waits for the answer, until ctx ends, which ends the host's work at it.
func (k *conn) call(ctx context.Context, do string, args, result any, piece func(string)) error {
	if ctx.Err() != nil { // the answer could come first
		return ctx.Err()
	}
	id, ch, err := k.ask(do, args, piece, nil)
	if err != nil {
		return lost(do)
	}
	select {
	case r := <-ch:
		return r.into(result)
	case <-k.done:
		select {
		case r := <-ch: // it was the last line
			return r.into(result)
		default:
			return lost(do)
		}
	case <-ctx.Done():
		k.mu.Lock()
		delete(k.waits, id)
		k.mu.Unlock()
		_ = k.put(request{ID: id, Cancel: true})
		return ctx.Err()
	}
}

// into decodes the result, which may be nil, and returns the error.
func (r reply) into(result any) error {
	if r.Error != nil {
		return r.Error.err()
	}
	if result == nil || len(r.Result) == 0 {
		return nil
	}
	return json.Unmarshal(r.Result, result)
}

// lost is the error of a request whose connection ended.
func lost(do string) error {
	return &session.Error{Op: do, Kind: session.KindRuntime, Err: errLost}
}

// Ended reports whether a request has no answer because the host, or the connection to it, ended.
func Ended(err error) bool { return errors.Is(err, errLost) }

// over reports whether the connection ended, and whether the host meant it.
func (k *conn) over() (ended, bye bool) {
	select {
	case <-k.done:
	default:
		return false, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return true, k.bye
}
