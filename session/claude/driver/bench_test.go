package driver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/clienttools"
	"parley/session/proc"
	"parley/session/proc/pipe"
)

// piped is a runtime at the other end of real pipes: what the benchmarks measure is ours and the system's alone.
type piped struct {
	stdin          *os.File // our end and, below, the runtime's
	stdout, stderr *os.File
	in             *bufio.Reader
	out            *os.File
	theirs         []*os.File
	done           chan struct{}
}

func newPiped(b *testing.B) *piped {
	b.Helper()
	pipe := func() (r, w *os.File) {
		r, w, err := os.Pipe()
		if err != nil {
			b.Fatal(err)
		}
		return r, w
	}
	p := &piped{done: make(chan struct{})}
	inR, inW := pipe()
	outR, outW := pipe()
	errR, errW := pipe()
	p.stdin, p.stdout, p.stderr, p.in, p.out = inW, outR, errR, bufio.NewReaderSize(inR, 1<<20), outW
	p.theirs = []*os.File{inR, outW, errW}
	return p
}

func (p *piped) Pid() int              { return 0 }
func (p *piped) Stdin() io.WriteCloser { return p.stdin }
func (p *piped) Stdout() io.ReadCloser { return p.stdout }
func (p *piped) Stderr() io.ReadCloser { return p.stderr }
func (p *piped) Terminate() error      { return p.Kill() }
func (p *piped) Done() <-chan struct{} { return p.done }
func (p *piped) Exit() proc.Exit       { return proc.Exit{} }

func (p *piped) Kill() error {
	select {
	case <-p.done:
	default:
		for _, f := range p.theirs {
			_ = f.Close()
		}
		close(p.done)
	}
	return nil
}

// bench starts a driver on pipes.
func bench(b *testing.B, line func(line []byte)) (*driver.Process, *piped) {
	b.Helper()
	return benchWith(b, driver.Options{Line: line})
}

// benchWith is bench with other options.
func benchWith(b *testing.B, o driver.Options) (*driver.Process, *piped) {
	b.Helper()
	rt := newPiped(b)
	shaken := make(chan struct{})
	go func() {
		defer close(shaken)
		_, _ = rt.in.ReadBytes('\n')
		fmt.Fprintf(rt.out, `{"type":"control_response","response":{"subtype":"success","request_id":"parley-1","response":{}}}`+"\n")
	}()
	o.Launch.Program = []string{"claude"}
	o.Start = func(context.Context, proc.Command) (pipe.Process, error) { return rt, nil }
	p, err := driver.Start(b.Context(), o)
	if err != nil {
		b.Fatal(err)
	}
	<-shaken
	b.Cleanup(func() {
		_ = rt.Kill()
		<-p.Done()
	})
	return p, rt
}

// delta is a line as there are hundreds a second while a model streams.
const delta = `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello there"}},` +
	`"session_id":"00000000-0000-4000-8000-000000000001","parent_tool_use_id":null,"uuid":"10000000-0000-4000-8000-000000000001"}` + "\n"

// BenchmarkLineToCallback is the time from a line on the runtime's standard output to Line.
func BenchmarkLineToCallback(b *testing.B) {
	for name, line := range map[string]string{"delta": delta, "64KiB": `{"a":"` + strings.Repeat("x", 64<<10) + `","type":"user"}` + "\n"} {
		b.Run(name, func(b *testing.B) {
			told := make(chan struct{})
			_, rt := bench(b, func([]byte) { told <- struct{}{} })
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				_, _ = io.WriteString(rt.out, line)
				<-told
			}
		})
	}
}

// BenchmarkStream is the cost of a line when many come at once.
func BenchmarkStream(b *testing.B) {
	const many = 200
	told := make(chan struct{})
	n := 0
	_, rt := bench(b, func([]byte) {
		if n++; n%many == 0 {
			told <- struct{}{}
		}
	})
	lines := strings.Repeat(delta, many)
	b.SetBytes(int64(len(lines)))
	b.ReportAllocs()
	for b.Loop() {
		_, _ = io.WriteString(rt.out, lines)
		<-told
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*many), "ns/line")
}

// BenchmarkSendToStdin is the time from Send to the runtime having the whole line.
func BenchmarkSendToStdin(b *testing.B) {
	p, rt := bench(b, nil)
	got := make(chan struct{})
	go func() {
		for {
			if _, err := rt.in.ReadSlice('\n'); err != nil {
				return
			}
			got <- struct{}{}
		}
	}()
	content := text("Please look at the parser and say why its tests fail.")
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Send(b.Context(), driver.UserMessage{UUID: "10000000-0000-4000-8000-000000000001", Content: content}); err != nil {
			b.Fatal(err)
		}
		<-got
	}
}

// BenchmarkClientTool is what a call of a tool of parley costs beyond its work: from the runtime's line that calls one that does nothing
// to the line with its result, both through pipes.
func BenchmarkClientTool(b *testing.B) {
	server := clienttools.NewServer("test", []session.ClientTool{{Name: "nothing", Schema: []byte(`{"type":"object"}`),
		Call: func(context.Context, session.ClientCall) (session.ToolResult, error) {
			return session.ToolResult{Text: "done"}, nil
		}}})
	_, rt := benchWith(b, driver.Options{Launch: driver.Launch{ToolServer: clienttools.Name},
		Message: func(ctx context.Context, raw json.RawMessage) (any, func() any) {
			return server.Handle(ctx, raw, func(ctx context.Context, t session.ClientTool, c session.ClientCall) (session.ToolResult, error) {
				return t.Call(ctx, c)
			})
		}})
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		fmt.Fprintf(rt.out, `{"type":"control_request","request_id":"r%d","request":{"subtype":"mcp_message","server_name":"parley","message":`+
			`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"nothing","arguments":{"a":"b"},"_meta":{"claudecode/toolUseId":"t%d"}}}}}`+"\n", n, n, n)
		if line, err := rt.in.ReadSlice('\n'); err != nil || !strings.Contains(string(line), `"text":"done"`) {
			b.Fatalf("%s %v", line, err)
		}
	}
}

// BenchmarkControl is a control request and its answer.
func BenchmarkControl(b *testing.B) {
	var c consumer
	p, err := driver.Start(b.Context(), c.options(chat))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close(context.Background())
	for b.Loop() {
		if err := p.SetMode(b.Context(), "plan"); err != nil {
			b.Fatal(err)
		}
	}
}
