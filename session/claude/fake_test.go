package claude

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"parley/session"
	"parley/session/claude/driver"
)

// fake is a runtime that says what a test makes it say.
type fake struct {
	o   driver.Options
	say chan func()

	saying sync.Mutex
	ended  bool // say is closed: a process that has ended says nothing

	mu      sync.Mutex
	calls   []string // control requests and messages, in order
	sent    []driver.UserMessage
	replies map[string]verdict
	raw     map[string]json.RawMessage
	fail    map[string]error // by name of the control request
	onSend  func(m driver.UserMessage)
	onStop  func() // on interrupt
	onReply func() // before an answer is written
	queued  func(uuid string) bool
	aside   chan string
	servers map[string]string // answers about servers, by subtype
	exit    driver.Exit
	once    sync.Once
	done    chan struct{}
}

func newFake(o driver.Options) *fake {
	f := &fake{o: o, say: make(chan func(), 1<<16), replies: map[string]verdict{}, raw: map[string]json.RawMessage{},
		fail: map[string]error{}, aside: make(chan string, 1), done: make(chan struct{})}
	go func() {
		for say := range f.say {
			say()
		}
		close(f.done)
	}()
	return f
}

var errGone = errors.New("the process is gone")

// call records a request and returns its injected failure.
func (f *fake) call(name string, args ...any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, fmt.Sprint(append([]any{name}, args...)...))
	select {
	case <-f.done:
		return errGone
	default:
	}
	return f.fail[name]
}

func (f *fake) called() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

func (f *fake) line(format string, args ...any) {
	data := []byte(fmt.Sprintf(format, args...))
	f.do(func() { f.o.Line(data) })
}

// do runs something where lines are read.
func (f *fake) do(job func()) {
	f.saying.Lock()
	defer f.saying.Unlock()
	if !f.ended {
		f.say <- job
	}
}

// ask makes a control request.
func (f *fake) ask(id, request string) {
	line := []byte(fmt.Sprintf(`{"type":"control_request","request_id":%q,"request":%s}`, id, request))
	var r struct {
		Request json.RawMessage `json:"request"`
		Sub     struct {
			Subtype string `json:"subtype"`
		} `json:"-"`
	}
	if err := json.Unmarshal(line, &r); err != nil {
		panic(err)
	}
	if err := json.Unmarshal(r.Request, &r.Sub); err != nil {
		panic(err)
	}
	f.do(func() {
		if !f.o.Ask(driver.Request{ID: id, Subtype: r.Sub.Subtype, Raw: r.Request, Line: line}) {
			_ = f.ReplyError(id, "unsupported")
		}
	})
}

func (f *fake) cancel(id string) { f.do(func() { f.o.Cancel(id) }) }

// die ends the process without being asked.
func (f *fake) die(x driver.Exit) {
	f.once.Do(func() {
		f.mu.Lock()
		f.exit = x
		f.mu.Unlock()
		f.saying.Lock()
		defer f.saying.Unlock()
		f.ended = true
		close(f.say)
	})
}

func (f *fake) Init() driver.Init { return driver.Init{} }

func (f *fake) Send(_ context.Context, m driver.UserMessage) error {
	if err := f.call("send", m.Priority); err != nil {
		return err
	}
	f.mu.Lock()
	f.sent = append(f.sent, m)
	on := f.onSend
	f.mu.Unlock()
	if on != nil {
		on(m)
	}
	return nil
}

func (f *fake) Interrupt(context.Context, bool) error {
	err := f.call("interrupt")
	f.mu.Lock()
	on := f.onStop
	f.mu.Unlock()
	if on != nil && err == nil {
		on()
	}
	return err
}

func (f *fake) SetModel(_ context.Context, model string) error { return f.call("model ", model) }

func (f *fake) SetMode(_ context.Context, mode string) error { return f.call("mode ", mode) }

func (f *fake) SetEffort(_ context.Context, e string) (string, error) {
	if e == "max" {
		return "high", f.call("effort ", e)
	}
	return e, f.call("effort ", e)
}

func (f *fake) SetPermissions(_ context.Context, list string, values []string) error {
	return f.call(list+" ", values)
}

func (f *fake) CancelMessage(_ context.Context, uuid string) (bool, error) {
	if err := f.call("cancel"); err != nil {
		return false, err
	}
	f.mu.Lock()
	queued := f.queued
	f.mu.Unlock()
	return queued != nil && queued(uuid), nil
}

func (f *fake) StopTask(_ context.Context, task string) error { return f.call("stop ", task) }

func (f *fake) BackgroundTask(_ context.Context, call string) (bool, error) {
	return call != "early", f.call("background ", call)
}

// AskAside answers once the test has given an answer.
func (f *fake) AskAside(ctx context.Context, question string) (string, error) {
	if err := f.call("aside ", question); err != nil {
		return "", err
	}
	select {
	case answer := <-f.aside:
		return answer, nil
	case <-ctx.Done():
		return "", &session.Error{Op: "side_question of Claude Code", Kind: session.KindCancelled, Err: ctx.Err()}
	case <-f.done:
		return "", errGone
	}
}

// Control answers what the test set for a request about servers.
func (f *fake) Control(_ context.Context, subtype string, fields map[string]any) (json.RawMessage, error) {
	words := []any{subtype}
	for _, key := range []string{"serverName", "enabled"} {
		if v, ok := fields[key]; ok {
			words = append(words, " ", v)
		}
	}
	if subtype != "mcp_status" {
		if err := f.call("", words...); err != nil {
			return nil, err
		}
	}
	return json.RawMessage(f.servers[subtype]), nil
}

func (f *fake) Reply(id string, v any) error {
	if err := f.call("reply ", id); err != nil {
		return err
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if f.onReply != nil {
		f.onReply()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.raw[id] = raw
	var d verdict
	_ = json.Unmarshal(raw, &d)
	f.replies[id] = d
	return nil
}

func (f *fake) ReplyError(id, _ string) error { return f.call("refuse ", id) }

func (f *fake) Done() <-chan struct{} { return f.done }

func (f *fake) Exit() driver.Exit {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.exit
}

func (f *fake) Close(context.Context) driver.Exit {
	_ = f.call("close")
	f.die(driver.Exit{Asked: true})
	<-f.done
	return f.Exit()
}

// What a runtime says in a turn.

func (f *fake) taken(uuid string) {
	f.line(`{"type":"user","isReplay":true,"uuid":%q,"message":{"role":"user","content":"x"}}`, uuid)
}

func (f *fake) start() {
	f.line(`{"type":"system","subtype":"init","model":"claude-test-1","permissionMode":"default"}`)
}

func (f *fake) text(message, text string) {
	f.line(`{"type":"stream_event","parent_tool_use_id":null,"event":{"type":"message_start","message":{"id":%q,"model":"claude-test-1"}}}`, message)
	f.line(`{"type":"stream_event","parent_tool_use_id":null,"event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}}`)
	f.line(`{"type":"stream_event","parent_tool_use_id":null,"event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%q}}}`, text)
	f.line(`{"type":"assistant","parent_tool_use_id":null,"message":{"id":%q,"model":"claude-test-1","content":[{"type":"text","text":%q}]}}`, message, text)
	f.line(`{"type":"stream_event","parent_tool_use_id":null,"event":{"type":"content_block_stop","index":0}}`)
}

func (f *fake) tool(id, name, input string) {
	f.line(`{"type":"assistant","parent_tool_use_id":null,"message":{"id":"m-%s","model":"claude-test-1","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}}`, id, id, name, input)
}

func (f *fake) result() {
	f.line(`{"type":"result","subtype":"success","terminal_reason":"completed","usage":{"input_tokens":1}}`)
}

func (f *fake) aborted() {
	f.line(`{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming"}`)
}

func (f *fake) idle() { f.line(`{"type":"system","subtype":"session_state_changed","state":"idle"}`) }

// answer is a whole turn.
func (f *fake) answer(uuid, text string) {
	f.start()
	f.taken(uuid)
	f.text("m-"+uuid, text)
	f.result()
	f.idle()
}
