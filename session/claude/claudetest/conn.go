package claudetest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/crash"
	"parley/session/agenttest"
	"parley/session/proc"
)

// Script plays the runtime. When it returns, the runtime ends with exit status 0.
type Script func(c *Conn)

// Conn is the runtime's side of its streams. Its methods may be called by several goroutines of a script.
type Conn struct {
	*agenttest.Streams

	writing sync.Mutex
	listen  sync.Once
	lines   chan []byte // from the driver; closed at the end of input
	asked   atomic.Int64
}

// Message is a line from the driver.
type Message struct {
	// Type is "user", "control_request", "control_response" and so on.
	Type string `json:"type"`
	// UUID and Priority belong to a user message, and Message is its message object.
	UUID     string          `json:"uuid"`
	Priority string          `json:"priority"`
	Message  json.RawMessage `json:"message"`
	// ID and Request belong to a control request.
	ID      string          `json:"request_id"`
	Request json.RawMessage `json:"request"`
	// Response belongs to a control response.
	Response Response `json:"response"`
	// Raw is the whole line.
	Raw []byte `json:"-"`
}

// Response is the answer of the driver to a control request.
type Response struct {
	Subtype  string          `json:"subtype"`
	ID       string          `json:"request_id"`
	Response json.RawMessage `json:"response"`
	Error    string          `json:"error"`
}

// Subtype returns the subtype of a control request, "" for other messages.
func (m Message) Subtype() string {
	var r struct{ Subtype string }
	_ = json.Unmarshal(m.Request, &r)
	return r.Subtype
}

// Field returns a decoded field of a control request, nil if there is none.
func (m Message) Field(name string) any {
	var r map[string]any
	_ = json.Unmarshal(m.Request, &r)
	return r[name]
}

// Text returns the text of a user message: its content if that is a string, else its text blocks.
func (m Message) Text() string {
	var c struct{ Content json.RawMessage }
	_ = json.Unmarshal(m.Message, &c)
	var text string
	if json.Unmarshal(c.Content, &text) == nil {
		return text
	}
	var blocks []struct{ Text string }
	_ = json.Unmarshal(c.Content, &blocks)
	for _, b := range blocks {
		text += b.Text
	}
	return text
}

// Read returns the next line from the driver, false when its input is closed. Malformed JSON ends the runtime, as in the real
// one.
func (c *Conn) Read() (Message, bool) {
	c.listen.Do(func() {
		c.lines = make(chan []byte, 1)
		crash.Go(c.pump)
	})
	select {
	case line, ok := <-c.lines:
		if !ok {
			return Message{}, false
		}
		m := Message{Raw: line}
		if err := json.Unmarshal(line, &m); err != nil {
			c.Stderr(fmt.Sprintf("Error parsing streaming input line: %v", err))
			c.Exit(1)
		}
		return m, true
	case <-c.Killed():
		c.Die()
		return Message{}, false
	}
}

// pump reads all lines, so that the driver's writes do not wait for the script.
func (c *Conn) pump() {
	var waiting [][]byte
	more := make(chan []byte)
	crash.Go(func() {
		defer close(more)
		r := bufio.NewReader(c.In)
		for {
			line, err := r.ReadBytes('\n')
			if len(line) > 1 {
				select {
				case more <- line:
				case <-c.Killed():
					return
				}
			}
			if err != nil {
				return
			}
		}
	})
	for more != nil || len(waiting) > 0 {
		var out chan []byte
		var next []byte
		if len(waiting) > 0 {
			out, next = c.lines, waiting[0]
		}
		select {
		case line, ok := <-more:
			if !ok {
				more = nil
				continue
			}
			waiting = append(waiting, line)
		case out <- next:
			waiting = waiting[1:]
		case <-c.Killed():
			return
		}
	}
	close(c.lines)
}

// Write writes one line of JSON.
func (c *Conn) Write(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	c.WriteRaw(string(b) + "\n")
}

// WriteRaw writes text unchanged, which need not be a line.
func (c *Conn) WriteRaw(text string) {
	c.writing.Lock()
	_, err := io.WriteString(c.Out, text)
	c.writing.Unlock()
	if err != nil {
		c.End(proc.Exit{Code: -1, Signal: "broken pipe"})
	}
}

// Sleep waits for a duration.
func (c *Conn) Sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.Killed():
		c.Die()
	}
}

// Reply answers a control request of the driver.
func (c *Conn) Reply(id string, response any) {
	c.Write(map[string]any{"type": "control_response",
		"response": map[string]any{"subtype": "success", "request_id": id, "response": response}})
}

// ReplyError refuses a control request of the driver.
func (c *Conn) ReplyError(id, message string) {
	c.Write(map[string]any{"type": "control_response",
		"response": map[string]any{"subtype": "error", "request_id": id, "error": message}})
}

// Ask makes a control request to the driver and returns its id. Read returns the answer.
func (c *Conn) Ask(subtype string, fields map[string]any) (id string) {
	id = fmt.Sprintf("ask-%d", c.asked.Add(1))
	request := map[string]any{"subtype": subtype}
	for k, v := range fields {
		request[k] = v
	}
	c.Write(map[string]any{"type": "control_request", "request_id": id, "request": request})
	return id
}

// TakeBack takes a control request back.
func (c *Conn) TakeBack(id string) {
	c.Write(map[string]any{"type": "control_cancel_request", "request_id": id})
}
