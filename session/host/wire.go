package host

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"parley/session"
	"parley/session/live"
)

// Version is the version of the protocol. A host refuses clients of another one.
const Version = 1

// maxLine bounds a line of the protocol in bytes: a prompt with images, or the largest event.
const maxLine = 256 << 20

// The first byte of a line to a client says what follows: a greeting, the reply to a request, a piece of a reply, an event after its
// number and a space, what is known of the session beside events, a prompt that is on disk, or a file to open.
const (
	tagHello = 'H'
	tagReply = 'R'
	tagPiece = 'P'
	tagEvent = 'E'
	tagState = 'S'
	tagKept  = 'K'
	tagOpen  = 'O'
)

// hello is the first line of both sides.
type hello struct {
	Version int    `json:"version"`
	Program string `json:"program"` // the version of parley
	Pid     int    `json:"pid"`
	Refused string `json:"refused,omitempty"` // why the host does not serve the client
}

// request is a line of a client: what to do, or the end of its interest in an earlier request.
type request struct {
	ID     uint64          `json:"id"`
	Do     string          `json:"do,omitempty"`
	Args   json.RawMessage `json:"args,omitempty"`
	Cancel bool            `json:"cancel,omitempty"`
}

// reply answers a request.
type reply struct {
	ID     uint64          `json:"id"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *problem        `json:"error,omitempty"`
}

// piece is a piece of the answer to a question beside the conversation.
type piece struct {
	ID   uint64 `json:"id"`
	Text string `json:"text"`
}

// problem is an error on the wire.
type problem struct {
	Op         string        `json:"op,omitempty"`
	Kind       session.Kind  `json:"kind"`
	Text       string        `json:"text"`
	RetryAfter time.Duration `json:"retryAfter,omitempty"`
	Status     int           `json:"status,omitempty"`
}

// problemOf returns an error for the wire, nil for nil.
func problemOf(err error) *problem {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*session.Error](err); ok {
		return &problem{e.Op, e.Kind, e.Err.Error(), e.RetryAfter, e.Status}
	}
	return &problem{Kind: session.KindOf(err), Text: err.Error()}
}

// err returns the error, nil for nil.
func (p *problem) err() error {
	if p == nil {
		return nil
	}
	if p.Op == "" {
		p.Op = "ask the session host"
	}
	return &session.Error{Op: p.Op, Kind: p.Kind, Err: errors.New(p.Text), RetryAfter: p.RetryAfter, Status: p.Status}
}

// known is what a client knows of a session beside its events.
type known struct {
	Meta      session.Meta              `json:"meta"`
	Draft     bool                      `json:"draft,omitempty"`
	Settings  session.Settings          `json:"settings"`
	Held      map[session.PromptID]bool `json:"held,omitempty"`
	Controls  session.WorkControls      `json:"controls"`
	Elsewhere bool                      `json:"elsewhere,omitempty"`
	Holder    int                       `json:"holder,omitempty"`
	Extends   extends                   `json:"extends"`
}

func knownOf(s *live.Session) known {
	k := known{Meta: s.Meta(), Draft: s.Draft(), Settings: s.Settings(), Held: s.Held(), Controls: s.Controls(), Extends: extendsOf(s)}
	k.Holder, k.Elsewhere = s.Elsewhere()
	return k
}

// attach asks for a session: a stored one, or the draft if nothing is stored under its id.
type attach struct {
	Session session.ID         `json:"session"`
	Draft   *live.DraftOptions `json:"draft,omitempty"`
	// Environ is what a prompt carries of the client's environment. It is that of every prompt on this connection.
	Environ []string `json:"environ"`
	// Opens says that the client opens files in its user's editor.
	Opens bool `json:"opens,omitempty"`
	// Since is what the client has of the session from an earlier connection; nil: nothing.
	Since *since `json:"since,omitempty"`
}

// attached answers it. The events so far follow, as many as Past says, or only those that the client lacks.
type attached struct {
	Past  int    `json:"past"`
	Since bool   `json:"since,omitempty"` // they come behind what the client has
	Made  bool   `json:"made,omitempty"`  // the draft was made by this
	Epoch string `json:"epoch,omitempty"` // names the session's log, which only grows
	Known known  `json:"known"`
}

// line returns a line to a client.
func line(tag byte, v any) []byte {
	b, err := json.Marshal(v)
	if err != nil { // nothing that is sent can fail
		b, _ = json.Marshal(reply{Error: &problem{Kind: session.KindInternal, Text: err.Error()}})
	}
	return append(append([]byte{tag}, b...), '\n')
}

// appendEvent appends the line of an event.
func appendEvent(b []byte, n uint64, e session.Event) ([]byte, error) {
	data, err := session.EncodeEvent(e)
	if err != nil {
		return b, err
	}
	b = strconv.AppendUint(append(b, tagEvent), n, 10)
	return append(append(append(b, ' '), data...), '\n'), nil
}

// readLine reads a line without its end, which is valid until the next call.
func readLine(r *bufio.Reader, long *[]byte) ([]byte, error) {
	b, err := r.ReadSlice('\n')
	if err == nil {
		return b[:len(b)-1], nil
	}
	*long = (*long)[:0]
	for errors.Is(err, bufio.ErrBufferFull) {
		if *long = append(*long, b...); len(*long) > maxLine {
			return nil, fmt.Errorf("a line of more than %d MiB", maxLine>>20)
		}
		b, err = r.ReadSlice('\n')
	}
	if err != nil {
		if errors.Is(err, io.EOF) && len(b)+len(*long) > 0 {
			err = io.ErrUnexpectedEOF // a torn line counts as none
		}
		return nil, err
	}
	*long = append(*long, b...)
	return (*long)[:len(*long)-1], nil
}
