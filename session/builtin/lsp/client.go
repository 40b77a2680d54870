package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/crash"
	"parley/internal/jsonrpc"
	"parley/session/proc"
)

// client is one run of one server.
type client struct {
	spec    *Server
	program string
	root    string // with links resolved
	bounds  Bounds

	// ready is closed when the start has ended; err is why it failed.
	ready chan struct{}
	err   error
	// gone is closed when the server has ended and nothing of it is left.
	gone chan struct{}

	conn  *jsonrpc.Conn
	child *proc.Child
	caps  capabilities
	board *board

	// turn holds a value while somebody changes documents or waits for what the server says of them.
	turn chan struct{}
	docs documents
	news news
	// dirty means that a command may have changed files.
	dirty atomic.Bool

	mu     sync.Mutex
	stderr []byte // the end of it
}

func newClient(s *Server, program, root string, b Bounds) *client {
	return &client{spec: s, program: program, root: root, bounds: b, ready: make(chan struct{}), gone: make(chan struct{}),
		board: newBoard(), turn: make(chan struct{}, 1), docs: documents{open: map[string]*document{}}}
}

// run starts the server, and returns when it has ended with all that it started. It ends the server when ctx ends.
func (c *client) run(ctx context.Context, processes *proc.Group, environ []string) {
	defer close(c.gone)
	child, err := processes.Start(ctx, proc.Command{Argv: append([]string{c.program}, c.spec.Argv[1:]...), Dir: c.root,
		Env: environ, Label: "language server " + c.spec.Name})
	if err != nil {
		c.err = err
		close(c.ready)
		return
	}
	read := make(chan struct{})
	crash.Go(func() {
		defer close(read)
		c.readErrors(child.Stderr())
	})
	c.child = child
	c.conn = jsonrpc.New(child.Stdout(), child.Stdin(), jsonrpc.Options{Handle: c.handle, Notified: c.notified})
	if c.err = c.initialize(ctx); c.err != nil {
		c.conn.Close()
	}
	close(c.ready)
	select {
	case <-ctx.Done():
		c.leave()
	case <-child.Done():
	case <-c.conn.Done():
	}
	_ = child.Kill() // what is left is swept at the next start
	c.conn.Close()
	<-c.conn.Done()
	<-child.Quiet(read) // its last words
	_ = child.Stderr().Close()
	<-read
}

// leave asks the server to end, for a moment.
func (c *client) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), c.bounds.Leave)
	defer cancel()
	if c.err != nil || c.conn.Call(ctx, "shutdown", nil, nil) != nil || c.conn.Notify("exit", nil) != nil {
		return
	}
	select {
	case <-c.child.Done():
	case <-ctx.Done():
	}
}

// readErrors keeps the end of what the server writes for people.
func (c *client) readErrors(r io.Reader) {
	const most = 2000
	buffer := make([]byte, 4096)
	for {
		n, err := r.Read(buffer)
		c.mu.Lock()
		c.stderr = append(c.stderr, buffer[:n]...)
		if len(c.stderr) > most {
			c.stderr = c.stderr[len(c.stderr)-most:]
		}
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// lastWords returns the last line that the server wrote for people, "" for none.
func (c *client) lastWords() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(c.stderr), "\uFFFD")), "\n")
	return cut(strings.TrimSpace(lines[len(lines)-1]), 200)
}

// initialize introduces both sides, within a bound.
func (c *client) initialize(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.bounds.Start)
	defer cancel()
	uri := uriOf(c.root)
	params := map[string]any{"processId": os.Getpid(), "clientInfo": map[string]string{"name": "parley"}, "locale": "en",
		"rootUri": uri, "rootPath": c.root, "capabilities": clientCapabilities, "workspaceFolders": c.folders()}
	if c.spec.Options != nil {
		params["initializationOptions"] = c.spec.Options(c.program)
	}
	var result struct {
		Capabilities capabilities `json:"capabilities"`
	}
	if err := c.conn.Call(ctx, "initialize", params, &result); err != nil {
		return err
	}
	var encoding string
	_ = json.Unmarshal(result.Capabilities["positionEncoding"], &encoding) // absent is UTF-16
	if encoding != "" && encoding != "utf-16" {
		return fmt.Errorf("it counts columns in %.20s", encoding)
	}
	c.caps = result.Capabilities
	return c.conn.Notify("initialized", struct{}{})
}

func (c *client) folders() []map[string]string {
	return []map[string]string{{"uri": uriOf(c.root), "name": "project"}}
}

// notify sends a notification. A server that has ended is noticed elsewhere.
func (c *client) notify(method string, params any) { _ = c.conn.Notify(method, params) }

// notified takes a notification of the server.
func (c *client) notified(method string, params json.RawMessage) {
	switch method {
	case "textDocument/publishDiagnostics":
		var p publishDiagnostics
		if json.Unmarshal(params, &p) != nil {
			return
		}
		if path, ok := pathOf(p.URI); ok && c.spec.Pull == nil && within(c.root, path) {
			c.board.publish(path, p.Version, findingsOf(path, p.Diagnostics))
		}
	case "$/progress":
		var p struct {
			Token json.RawMessage `json:"token"`
			Value struct {
				Kind string `json:"kind"`
			} `json:"value"`
		}
		if json.Unmarshal(params, &p) == nil && len(p.Token) < 200 && (p.Value.Kind == "begin" || p.Value.Kind == "end") {
			c.board.progress(string(p.Token), p.Value.Kind == "end")
		}
	}
}

// handle answers a request of the server. None changes or opens anything.
func (c *client) handle(_ context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case "workspace/configuration":
		var p struct {
			Items []json.RawMessage `json:"items"`
		}
		if err := json.Unmarshal(params, &p); err != nil || len(p.Items) > 100 {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no list of items"}
		}
		return make([]any, len(p.Items)), nil
	case "workspace/workspaceFolders":
		return c.folders(), nil
	case "workspace/applyEdit":
		return map[string]any{"applied": false, "failureReason": "parley applies only the changes that it asks for"}, nil
	case "window/showDocument":
		return map[string]any{"success": false}, nil
	case "window/workDoneProgress/create", "window/showMessageRequest", "client/registerCapability", "client/unregisterCapability",
		"workspace/diagnostic/refresh", "workspace/semanticTokens/refresh", "workspace/inlayHint/refresh", "workspace/codeLens/refresh":
		return nil, nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "parley does not have " + cut(method, 60)}
}

// take begins to use the documents, unless ctx ends first. The caller gives them back.
func (c *client) take(ctx context.Context) error {
	select {
	case c.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *client) giveBack() { <-c.turn }

// await waits until the server is ready, and returns why it is not.
func (c *client) await(ctx context.Context) error {
	select {
	case <-c.ready:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// alive reports whether the server has not ended.
func (c *client) alive() bool {
	select {
	case <-c.gone:
		return false
	case <-c.ready:
		select {
		case <-c.conn0():
			return false
		default:
			return c.err == nil
		}
	default:
		return true
	}
}

// conn0 returns the end of the connection. It is called only after ready.
func (c *client) conn0() <-chan struct{} {
	if c.conn == nil {
		return c.gone
	}
	return c.conn.Done()
}

// maxPulled bounds the documents whose diagnostics are asked for after an edit, those that were used last.
const maxPulled = 16

// settle waits until the server has said what it has to say of documents, and reports whether it did before ctx ended.
func (c *client) settle(ctx context.Context, w waiting) bool {
	if c.spec.Pull != nil || c.caps.can("diagnosticProvider") {
		for _, path := range slices.Backward(c.docs.order[max(0, len(c.docs.order)-maxPulled):]) {
			if c.pull(ctx, path) != nil {
				return false
			}
		}
		w.versions = nil
		if c.spec.Pull != nil {
			return true
		}
	}
	for {
		yes, again, changed := c.board.settled(w, c.bounds.Quiet)
		if yes {
			return true
		}
		var timer *time.Timer
		var at <-chan time.Time
		if again > 0 {
			timer = time.NewTimer(again)
			at = timer.C
		}
		ended := false
		select {
		case <-changed:
		case <-at:
		case <-ctx.Done():
			ended = true
		case <-c.conn.Done():
			ended = true
		}
		if timer != nil {
			timer.Stop()
		}
		if ended {
			return false
		}
	}
}

// pull asks a server for the diagnostics of a document.
func (c *client) pull(ctx context.Context, path string) error {
	call := func(method string, params, result any) error { return c.conn.Call(ctx, method, params, result) }
	if c.spec.Pull != nil {
		list, err := c.spec.Pull(call, path)
		if err == nil {
			c.board.pull(path, findingsOf(path, list))
		}
		return err
	}
	var report struct {
		Kind  string       `json:"kind"`
		Items []diagnostic `json:"items"`
	}
	err := call("textDocument/diagnostic", documentParams{documentID{URI: uriOf(path)}}, &report)
	if err == nil && report.Kind == "full" {
		c.board.pull(path, findingsOf(path, report.Items))
	}
	return err
}

// contentModified is the code of an answer that was overtaken by a change: the question is asked again.
const contentModified = -32801

// call calls a method of the server within a bound. The error is for the model.
func (c *client) call(ctx context.Context, method string, params, result any) error {
	bounded, cancel := context.WithTimeout(ctx, c.bounds.Call)
	defer cancel()
	err := c.conn.Call(bounded, method, params, result)
	answer, refused := errors.AsType[*jsonrpc.Error](err)
	for n := 0; refused && answer.Code == contentModified && n < 3; n++ {
		err = c.conn.Call(bounded, method, params, result)
		answer, refused = errors.AsType[*jsonrpc.Error](err)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case refused:
		return fmt.Errorf("%s refused: %s", c.spec.Name, cut(answer.Message, 300))
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s did not answer within %s. Use Grep, or try again later", c.spec.Name, c.bounds.Call)
	case errors.Is(err, jsonrpc.ErrClosed):
		return fmt.Errorf("%s ended. Try again: it will be started again", c.spec.Name)
	}
	return fmt.Errorf("%s gave an answer that cannot be read", c.spec.Name)
}
