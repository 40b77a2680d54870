package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pair returns two connected sides, which end with the test.
func pair(t *testing.T, a, b Options) (*Conn, *Conn) {
	t.Helper()
	ar, bw := io.Pipe()
	br, aw := io.Pipe()
	one, two := New(ar, aw, a), New(br, bw, b)
	t.Cleanup(func() {
		one.Close()
		two.Close()
		<-one.Done()
		<-two.Done()
	})
	return one, two
}

// raw returns a connection whose peer is the test itself: what it writes, and the messages that it gets.
func raw(t *testing.T, o Options) (c *Conn, w *io.PipeWriter, r *io.PipeReader) {
	t.Helper()
	cr, w := io.Pipe()
	r, cw := io.Pipe()
	c = New(cr, cw, o)
	t.Cleanup(func() {
		c.Close()
		<-c.Done()
		_, _ = w.Close(), r.Close()
	})
	return c, w, r
}

type text struct {
	Text string `json:"text"`
}

func TestBothSidesCallAndNotify(t *testing.T) {
	notified := make(chan string, 2)
	echo := func(who string) Options {
		return Options{
			Handle: func(_ context.Context, method string, params json.RawMessage) (any, error) {
				var p text
				if err := json.Unmarshal(params, &p); err != nil || method != "echo" {
					return nil, &Error{Code: CodeMethodNotFound, Message: "no " + method}
				}
				return text{who + " " + p.Text}, nil
			},
			Notified: func(method string, _ json.RawMessage) { notified <- who + " " + method },
		}
	}
	a, b := pair(t, echo("a"), echo("b"))
	ctx := context.Background()
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			from, who := a, "b"
			if i%2 == 1 {
				from, who = b, "a"
			}
			var got text
			want := fmt.Sprintf("%s %d", who, i)
			if err := from.Call(ctx, "echo", text{fmt.Sprint(i)}, &got); err == nil && got.Text != want {
				t.Errorf("%q, want %q", got.Text, want)
			} else if refused, ok := errors.AsType[*Error](err); err != nil && (!ok || refused.Code != CodeInternalError) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := a.Notify("hi", nil); err != nil {
		t.Error(err)
	}
	if got := <-notified; got != "b hi" {
		t.Error(got)
	}
	err := a.Call(ctx, "nothing", text{}, nil)
	if refused, ok := errors.AsType[*Error](err); !ok || refused.Code != CodeMethodNotFound || refused.Message != "no nothing" {
		t.Error(err)
	}
}

func TestACancelledCallCancelsTheRequest(t *testing.T) {
	began, ended := make(chan struct{}), make(chan error, 1)
	a, _ := pair(t, Options{}, Options{Handle: func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
		close(began)
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	}})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-began
		cancel()
	}()
	if err := a.Call(ctx, "wait", nil, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A request that is being answered does not outlive its connection.
func TestTheEndCancelsRequestsAndCalls(t *testing.T) {
	began := make(chan struct{})
	a, b := pair(t, Options{}, Options{Handle: func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
		close(began)
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	go func() {
		<-began
		b.Close()
	}()
	if err := a.Call(context.Background(), "wait", nil, nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	<-a.Done()
	<-b.Done()
	if err := a.Call(context.Background(), "again", nil, nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if err := a.Notify("again", nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if b.Err() != nil {
		t.Error(b.Err())
	}
}

func TestHostilePeers(t *testing.T) {
	tests := map[string]struct {
		write string // raw bytes
		want  error
	}{
		"no frame":        {"Segmentation fault\n\n", ErrMalformed},
		"too large":       {"Content-Length: 5000\r\n\r\n", ErrTooLarge},
		"dies in message": {"Content-Length: 50\r\n\r\n{\"jsonrpc\":", io.ErrUnexpectedEOF},
		"never a message": {strings.Repeat(string(frame([]byte("nonsense"))), maxSkipped+1), ErrMalformed},
		"wrong shapes":    {strings.Repeat(string(frame([]byte(`{"id":[],"method":{}}`))), maxSkipped+1), ErrMalformed},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c, w, r := raw(t, Options{MaxMessage: 1000})
			go func() { _, _ = io.Copy(io.Discard, r) }()
			go func() {
				_, _ = io.WriteString(w, test.write)
				_ = w.Close()
			}()
			<-c.Done()
			if err := c.Err(); !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
		})
	}
}

func TestWrongIDsAreIgnored(t *testing.T) {
	c, w, r := raw(t, Options{})
	go func() {
		_, _ = io.ReadFull(r, make([]byte, 10)) // the call is there
		go func() { _, _ = io.Copy(io.Discard, r) }()
		for _, m := range []string{`{"jsonrpc":"2.0","id":99,"result":{"text":"other"}}`, `{"jsonrpc":"2.0","id":"1","result":{"text":"other"}}`,
			`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`, `[]`, `{}`, `{"jsonrpc":"2.0","id":1,"result":{"text":"right"}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"text":"late"}}`} {
			_, _ = w.Write(frame([]byte(m)))
		}
	}()
	var got text
	if err := c.Call(context.Background(), "a", nil, &got); err != nil || got.Text != "right" {
		t.Errorf("%q, %v", got.Text, err)
	}
}

// A peer that reads nothing costs a bounded queue and no time.
func TestASlowPeerEndsTheConnection(t *testing.T) {
	c, _, _ := raw(t, Options{MaxQueued: 10_000})
	var err error
	for range 100 {
		if err = c.Notify("much", text{strings.Repeat("x", 1000)}); err != nil {
			break
		}
	}
	if err == nil {
		t.Fatal("everything was queued")
	}
	<-c.Done()
	if !errors.Is(c.Err(), ErrSlow) {
		t.Error(c.Err())
	}
}

func TestAPeerThatAnswersNothingEndsTheConnection(t *testing.T) {
	c, _, r := raw(t, Options{})
	go func() { _, _ = io.Copy(io.Discard, r) }()
	ctx, cancel := context.WithCancel(context.Background())
	for range maxAbandoned + 1 {
		began := make(chan struct{})
		one, stop := context.WithCancel(ctx)
		go func() {
			<-began
			stop()
		}()
		close(began)
		_ = c.Call(one, "a", nil, nil)
		stop()
	}
	cancel()
	for c.Err() == nil && c.Call(ended(), "a", nil, nil) != nil {
		c.abandon()
	}
	<-c.Done()
	if !errors.Is(c.Err(), ErrUnanswered) {
		t.Error(c.Err())
	}
}

func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// Requests beyond those that are answered at the same time are refused, and a handler that waits blocks no other message.
func TestRequestsAtOnceAreBounded(t *testing.T) {
	release := make(chan struct{})
	began := make(chan struct{}, 100)
	a, _ := pair(t, Options{}, Options{Handle: func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
		began <- struct{}{}
		<-release
		return nil, nil
	}})
	var wg sync.WaitGroup
	for range maxHandled {
		wg.Go(func() {
			if err := a.Call(context.Background(), "wait", nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	for range maxHandled {
		<-began
	}
	if err := a.Call(context.Background(), "wait", nil, nil); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Error(err)
	}
	close(release)
	wg.Wait()
}

func FuzzPeer(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"a","params":[1]}`, `{"id":"x","method":"b"}`)
	f.Add(`{"method":"$/cancelRequest","params":{"id":1}}`, `[{"id":1,"result":null},{"id":2,"method":"a"}]`)
	f.Add(`{"id":null,"result":1}`, "")
	f.Fuzz(func(t *testing.T, one, two string) {
		r, w := io.Pipe()
		out, in := io.Pipe()
		go func() { _, _ = io.Copy(io.Discard, out) }()
		c := New(r, in, Options{Notified: func(string, json.RawMessage) {},
			Handle: func(_ context.Context, _ string, p json.RawMessage) (any, error) { return p, nil }})
		for _, m := range []string{one, two} {
			if _, err := w.Write(frame([]byte(m))); err != nil {
				break
			}
		}
		_ = w.Close()
		<-c.Done()
		_ = out.Close()
	})
}
