package copilot

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// newFake2 is a fake that speaks HTTP/2, as the service does.
func newFake2(t *testing.T) *fake {
	t.Helper()
	f := &fake{routes: map[string]http.HandlerFunc{}}
	f.Server = httptest.NewUnstartedServer(http.HandlerFunc(f.serve))
	f.Server.EnableHTTP2 = true
	f.Server.Config.ErrorLog = log.New(io.Discard, "", 0) // clients that trust it not are part of the tests
	f.Server.StartTLS()
	t.Cleanup(f.Server.Close)
	f.on(pathUser, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"endpoints":{"api":%q}}`, f.URL)
	})
	return f
}

// trusting makes a client with the package's own transport that trusts the fake's certificate.
func (f *fake) trusting(t *testing.T, change ...func(*Options)) *Client {
	transport := newTransport(noEnv)
	transport.TLSClientConfig = f.Client().Transport.(*http.Transport).TLSClientConfig
	t.Cleanup(transport.CloseIdleConnections)
	return f.client(t, append(change, func(o *Options) { o.HTTP = &http.Client{Transport: transport} })...)
}

func TestHTTP2(t *testing.T) {
	f := newFake2(t)
	protocols := make(chan string, 10)
	answered := inTurn(answer(421, "text/plain", "Misdirected Request"), sse(frameStart, delta("a"), frameStop))
	f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
		protocols <- r.Proto
		answered(w, r)
	})
	c := f.trusting(t)
	names, err := drain(open(t, c, t.Context()))
	if err != nil || len(names) != 3 {
		t.Errorf("got %v, %v", names, err)
	}
	if p := await(t, protocols, "the request"); p != "HTTP/2.0" {
		t.Errorf("spoke %s", p)
	}
}

func TestHTTP2ReleasesItsStream(t *testing.T) {
	for name, leave := range map[string]func(t *testing.T, s *Stream, cancel func()){
		"close": func(_ *testing.T, s *Stream, _ func()) { _ = s.Close() },
		"close while waiting": func(t *testing.T, s *Stream, _ func()) {
			failed := make(chan error)
			go func() { _, err := drain(s); failed <- err }()
			_ = s.Close()
			if err := await(t, failed, "the reader"); KindOf(err) != KindCancelled {
				t.Errorf("got %v", err)
			}
		},
		"cancel": func(t *testing.T, s *Stream, cancel func()) {
			cancel()
			if _, err := drain(s); KindOf(err) != KindCancelled {
				t.Errorf("got %v", err)
			}
		},
		"stall": func(t *testing.T, s *Stream, _ func()) {
			if _, err := drain(s); KindOf(err) != KindStalled {
				t.Errorf("got %v", err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake2(t)
			gone := make(chan struct{})
			f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
				sse(frameStart)(w, r)
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
				close(gone)
			})
			c := f.trusting(t, func(o *Options) {
				if name == "stall" {
					o.StallAfter = 500 * time.Millisecond
				}
			})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			leave(t, open(t, c, ctx), cancel)
			await(t, gone, "the server to see the end")
		})
	}
}

func TestDefaultTransport(t *testing.T) {
	tr := newTransport(noEnv)
	if tr.Proxy == nil || !tr.ForceAttemptHTTP2 || tr.TLSHandshakeTimeout == 0 || tr.HTTP2.SendPingTimeout == 0 {
		t.Errorf("got %+v", tr)
	}
	given := &http.Client{Timeout: time.Minute}
	client, own, err := newHTTP(Options{HTTP: given})
	if err != nil || own || client == given || client.Timeout != time.Minute || given.CheckRedirect != nil {
		t.Error("the given client was not copied")
	}
}
