package copilottest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Message is a message of the driver.
type Message struct {
	// ID is the id of a request or of an answer as JSON, nil for a notification.
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"` // "" for an answer
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
}

// Error is the error of an answer.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Failed returns the error of a method as the real runtime words it.
func Failed(method, message string) *Error {
	return &Error{Code: -32603, Message: fmt.Sprintf("Request %s failed with message: %s", method, message)}
}

// Text returns a text field of the parameters, "" if there is none.
func (m Message) Text(name string) string {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(m.Params, &fields)
	var text string
	_ = json.Unmarshal(fields[name], &text)
	return text
}

// Read returns the next message of the driver, false when its input is closed. A frame that is not JSON ends the runtime.
func (c *Conn) Read() (Message, bool) {
	length := 0
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return Message{}, false
		}
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			break
		}
		if name, value, _ := strings.Cut(line, ":"); strings.EqualFold(name, "Content-Length") {
			length, _ = strconv.Atoi(strings.TrimSpace(value))
		}
	}
	content := make([]byte, length)
	if _, err := io.ReadFull(c.in, content); err != nil {
		return Message{}, false
	}
	var m Message
	if err := json.Unmarshal(content, &m); err != nil {
		c.Stderr(fmt.Sprintf("malformed message: %v", err))
		c.Exit(1)
	}
	return m, true
}

// Write writes a message. When the driver no longer reads, it ends the calling goroutine.
func (c *Conn) Write(v any) {
	content, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	c.WriteRaw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(content), content))
}

// WriteRaw writes text unchanged, which need not be a frame.
func (c *Conn) WriteRaw(text string) {
	c.writing.Lock()
	_, err := io.WriteString(c.Out, text)
	c.writing.Unlock()
	if err != nil {
		c.Die()
	}
}

// Reply answers a request of the driver, with an error unless err is nil.
func (c *Conn) Reply(id json.RawMessage, result any, err error) {
	if len(id) == 0 {
		return
	}
	m := map[string]any{"jsonrpc": "2.0", "id": id}
	if own, ok := errors.AsType[*Error](err); ok {
		m["error"] = own
	} else if err != nil {
		m["error"] = &Error{Code: -32603, Message: err.Error()}
	} else {
		m["result"] = result
	}
	c.Write(m)
}

// Notify sends a notification.
func (c *Conn) Notify(method string, params any) {
	c.Write(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Ask makes a request to the driver and returns the channel of its answer, for which [Conn.Read] must be called.
func (c *Conn) Ask(method string, params any) <-chan Message {
	c.mu.Lock()
	c.asked++
	id, answer := strconv.Itoa(c.asked), make(chan Message, 1)
	c.waiting[id] = answer
	c.mu.Unlock()
	c.Write(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method, "params": params})
	return answer
}

// answered passes on an answer of the driver.
func (c *Conn) answered(m Message) {
	c.mu.Lock()
	answer := c.waiting[string(m.ID)]
	delete(c.waiting, string(m.ID))
	c.mu.Unlock()
	if answer != nil {
		answer <- m
	}
}

// object is a JSON object.
type object = map[string]any
