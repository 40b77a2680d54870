package proxy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"parley/copilot"
)

// http2 makes the rig's client speak HTTP/2 from the first byte on, without TLS.
func (r *rig) http2() *rig {
	var p http.Protocols
	p.SetUnencryptedHTTP2(true)
	transport := &http.Transport{DisableCompression: true, Protocols: &p}
	r.t.Cleanup(transport.CloseIdleConnections)
	r.client = &http.Client{Transport: transport}
	return r
}

// Over HTTP/2 everything is as over HTTP/1.1.
func TestHTTP2(t *testing.T) {
	f := play(hello...)
	f.onMessage = whole(wholeAnswer).onMessage
	r := newRig(t, f, func(o *Options) { o.MaxBody = 1000 }).http2()
	resp, err := r.client.Do(r.request("POST", "/v1/messages", streamBody))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || resp.ProtoMajor != 2 || string(b) != helloOut {
		t.Errorf("%s %q %v", resp.Proto, b, err)
	}
	if x := r.settle(); x.Err != "" || x.Events != 6 || x.BytesOut != int64(len(helloOut)) {
		t.Errorf("%+v", x)
	}
	for _, test := range []struct {
		method, path, body string
		header             []string
		status             int
	}{
		{"POST", "/v1/messages", wholeBody, nil, 200},
		{"POST", "/v1/messages", strings.Repeat(" ", 1001), nil, 413},
		{"POST", "/v1/messages", "{", nil, 400},
		{"GET", "/", "", []string{"Authorization", ""}, 200},
		{"HEAD", "/", "", []string{"Authorization", ""}, 200},
		{"GET", "/v1/models", "", []string{"Authorization", "Bearer wrong.s1"}, 401},
		{"GET", "/v1/models", "", []string{"Host", "evil.example"}, 403},
		{"GET", "/v1/models", "", []string{"Origin", "http://evil.example"}, 403},
	} {
		if got := r.do(test.method, test.path, test.body, test.header...); got.status != test.status {
			t.Errorf("%s %s: %+v", test.method, test.path, got)
		}
	}
}

// A stream that is cut looks cut to a client on HTTP/2 as well, and the service is told.
func TestHTTP2CutShort(t *testing.T) {
	cuts := map[string]func(r *rig, leave context.CancelFunc){
		"client leaves": func(_ *rig, leave context.CancelFunc) { leave() },
		"revoked":       func(r *rig, _ context.CancelFunc) { r.Revoke("s1") },
		"server closed": func(r *rig, _ context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if err := r.Close(ctx); err == nil {
				r.t.Error("nothing was cut")
			}
		},
	}
	for name, cut := range cuts {
		t.Run(name, func(t *testing.T) {
			h := newHeld(1)
			r := newRig(t, h.fake).http2()
			ctx, leave := context.WithCancel(testContext(t))
			defer leave()
			resp, err := r.client.Do(r.request("POST", "/v1/messages", streamBody).WithContext(ctx))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			in := bufio.NewReader(resp.Body)
			readEvent(t, in)
			cut(r, leave)
			if err := <-h.ended; err == nil {
				t.Error("the service was not told")
			}
			if rest, err := io.ReadAll(in); err == nil {
				t.Errorf("the client got %q and took it for the whole", rest)
			}
			if x := r.settle(); x.Err != "cancelled" {
				t.Errorf("%+v", x)
			}
		})
	}
}

// Many streams share a connection, and one that is not read holds up none of the others.
func TestHTTP2Multiplexes(t *testing.T) {
	endless := step{event: "content_block_delta", data: `{"x":"` + strings.Repeat("y", 8192) + `"}`}
	f := &fake{onStream: func(_ context.Context, req copilot.Request) (frames, http.Header, error) {
		s := newScript(hello...)
		if strings.Contains(string(req.Body), "endless") {
			s.steps, s.loop = nil, &endless
		}
		return s, nil, nil
	}}
	r := newRig(t, f).http2()
	unread, err := r.client.Do(r.request("POST", "/v1/messages", strings.Replace(streamBody, "hi", "endless", 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unread.Body.Close() }()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if got := r.do("POST", "/v1/messages", streamBody); got.body != helloOut || got.err != nil {
				t.Errorf("%+v", got)
			}
		})
	}
	wg.Wait()
	if n := r.conns.count(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// Close lets a stream on HTTP/2 come to its end.
func TestHTTP2CloseIsGraceful(t *testing.T) {
	h := newHeld(1)
	r := newRig(t, h.fake).http2()
	resp, err := r.client.Do(r.request("POST", "/v1/messages", streamBody))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	closed := make(chan error, 1)
	go func() { closed <- r.Close(context.Background()) }()
	<-r.served
	close(h.release)
	if b, err := io.ReadAll(resp.Body); err != nil || string(b) != helloOut {
		t.Errorf("%q %v", b, err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if x := r.settle(); x.Err != "" {
		t.Errorf("%+v", x)
	}
}

// A header beyond the limit is refused, however many requests came before it.
func TestHeaderLimit(t *testing.T) {
	r := newRig(t, &fake{})
	got := r.do("GET", "/", "", "X-Long", strings.Repeat("x", maxHeader+8<<10))
	if got.status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("%+v", got)
	}
	c := r.dial()
	c.send(fmt.Sprintf("GET / HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n\r\n", r.guard.port))
	if got := c.response(); got.StatusCode != 200 {
		t.Errorf("%+v", got)
	}
}
