//go:build unix

package driver_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/session/copilot/copilottest"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/driver"
	"parley/session/copilot/protocol"
	"parley/session/proc"
	"parley/session/proc/pipe"
)

// recorded is a child that answers the handshake and then writes what it is given, through real pipes.
type recorded struct {
	stdin, stdout, stderr *os.File
	in                    *bufio.Reader
	out                   *os.File
	theirs                []io.Closer
	once                  sync.Once
	done                  chan struct{}
}

func newRecorded(b *testing.B) *recorded {
	b.Helper()
	var ends [6]*os.File
	for i := 0; i < len(ends); i += 2 {
		var err error
		if ends[i], ends[i+1], err = os.Pipe(); err != nil {
			b.Fatal(err)
		}
	}
	r := &recorded{stdin: ends[1], stdout: ends[2], stderr: ends[4], in: bufio.NewReader(ends[0]), out: ends[3],
		theirs: []io.Closer{ends[0], ends[3], ends[5]}, done: make(chan struct{})}
	go func() {
		_, _ = r.in.ReadString('}') // the call of connect
		r.write([]byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":3,"version":"1.0.102"}}`))
	}()
	return r
}

func (r *recorded) write(content []byte) {
	_, _ = fmt.Fprintf(r.out, "Content-Length: %d\r\n\r\n%s", len(content), content)
}

func (r *recorded) Pid() int              { return 0 }
func (r *recorded) Stdin() io.WriteCloser { return r.stdin }
func (r *recorded) Stdout() io.ReadCloser { return r.stdout }
func (r *recorded) Stderr() io.ReadCloser { return r.stderr }
func (r *recorded) Done() <-chan struct{} { return r.done }
func (r *recorded) Exit() proc.Exit       { return proc.Exit{} }
func (r *recorded) Terminate() error      { return nil }
func (r *recorded) Kill() error {
	r.once.Do(func() {
		for _, end := range r.theirs {
			_ = end.Close()
		}
		close(r.done)
	})
	return nil
}

// stream returns the frames of a reply of 2,000 deltas, each with its twin, as 1.0.102 writes them, and of the events that
// no mapper reads. The last event is idle.
func stream() []byte {
	var all []byte
	add := func(i int, kind, data string) {
		content := fmt.Sprintf(`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"0e5cbb59-98a7-4c3b-9d56-0d4a2c1a6f37","event":`+
			`{"id":"%08d-4f7e-4a3e-8d3c-5f6a7b8c9d0e","timestamp":"2026-11-23T06:36:27.904Z","parentId":"%08d-4f7e-4a3e-8d3c-5f6a7b8c9d0e",`+
			`"ephemeral":true,"type":%q,"data":%s}}}`, i, i-1, kind, data)
		all = fmt.Appendf(all, "Content-Length: %d\r\n\r\n%s", len(content), content)
	}
	for i := range 2000 {
		add(2*i, "assistant.streaming_delta", fmt.Sprintf(`{"totalResponseSizeBytes":%d}`, 4*i))
		add(2*i+1, "assistant.message_delta", `{"messageId":"3b5b2f0e-4f7e-4a3e-8d3c-5f6a7b8c9d0e","deltaContent":"word"}`)
	}
	add(4000, "model.messages_snapshot", `{"messages":"`+string(make49KB())+`"}`)
	add(4001, "system.message", `{"content":"`+string(make49KB())+string(make49KB())+`"}`)
	add(4002, "session.idle", `{"mode":"interactive"}`)
	return all
}

func make49KB() []byte {
	text := make([]byte, 49<<10)
	for i := range text {
		text[i] = "words \\n "[i%9]
	}
	return text[:len(text)-len(text)%9]
}

// BenchmarkDeltas is the processor time that 2,000 deltas cost from the pipe to the handler of events.
func BenchmarkDeltas(b *testing.B) {
	child := newRecorded(b)
	c, err := driver.Start(context.Background(), driver.Options{Argv: []string{"copilot-runtime"},
		Start: func(context.Context, proc.Command) (pipe.Process, error) { return child, nil }})
	if err != nil {
		b.Fatal(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	defer func() { _ = c.Close(ended) }()
	idle, events := make(chan struct{}), 0
	c.Router().Add("0e5cbb59-98a7-4c3b-9d56-0d4a2c1a6f37", dispatch.Session{Handlers: dispatch.Handlers{Event: func(e protocol.Event) {
		if events++; e.Type == "session.idle" {
			idle <- struct{}{}
		}
	}}})
	frames := stream()
	b.SetBytes(int64(len(frames)))
	before := processorTime()
	for b.Loop() {
		if _, err := child.out.Write(frames); err != nil {
			b.Fatal(err)
		}
		<-idle
	}
	b.ReportMetric(float64((processorTime()-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(events)/float64(b.N), "events/op")
}

func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkIdleSessions is the memory of a process with ten open sessions that do nothing.
func BenchmarkIdleSessions(b *testing.B) {
	memory := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc + m.StackInuse)
	}
	for b.Loop() {
		before := memory()
		var r copilottest.Runtime
		o, _ := simulated(r.Play)
		c, err := driver.Start(context.Background(), o)
		if err != nil {
			b.Fatal(err)
		}
		for i := range 10 {
			id := fmt.Sprint("s", i)
			c.Router().Add(id, dispatch.Session{Handlers: dispatch.Handlers{Event: func(protocol.Event) {}}})
			if err := c.Call(context.Background(), "session.create", object{"sessionId": id}, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric((memory()-before)/1024, "KB")
		if err := c.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
