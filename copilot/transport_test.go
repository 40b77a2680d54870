package copilot

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"parley/copilot/login"
)

// countingFake is a fake that counts the connections made to it.
func countingFake(t testing.TB) (*fake, *atomic.Int64) {
	t.Helper()
	var n atomic.Int64
	f := &fake{routes: map[string]http.HandlerFunc{}}
	f.Server = httptest.NewUnstartedServer(http.HandlerFunc(f.serve))
	f.Server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			n.Add(1)
		}
	}
	f.Server.Start()
	t.Cleanup(f.Server.Close)
	f.on(pathUser, described(f.URL))
	return f, &n
}

// One call after the other goes over one connection, whatever it is and however it ends, streams included.
func TestConnectionsAreUsedAgain(t *testing.T) {
	f, connections := countingFake(t)
	f.on(pathModels, good)
	f.on(pathMessages, inTurn(good, answer(429, "", "slow"), sse(frameStart, delta("a"), frameStop),
		sse(frameStart, delta("a"), frameStop), answer(500, "text/html", strings.Repeat("x", 1<<16)), good))
	c := f.client(t)
	for range 20 {
		s, err := c.StreamMessages(t.Context(), Request{Body: []byte(emptyBody)})
		if err != nil {
			continue
		}
		if _, err := drain(s); err != nil {
			t.Error(err)
		}
		_ = s.Close()
		c.drains.running.Wait()
	}
	c.Forget()
	if _, err := c.Models(t.Context()); err != nil {
		t.Error(err)
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("made %d connections", n)
	}
}

// The context of a caller usually ends right after the last event, which must not cost the connection.
func TestConnectionOutlivesItsCaller(t *testing.T) {
	f, connections := countingFake(t)
	ends := make(chan struct{}, 1)
	f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
		sse(frameStart, frameStop)(w, r)
		_ = http.NewResponseController(w).Flush()
		<-ends // the end of the answer comes after that of the caller
	})
	c := f.client(t)
	for range 5 {
		ctx, cancel := context.WithCancel(t.Context())
		s := open(t, c, ctx)
		if _, err := drain(s); err != nil {
			t.Error(err)
		}
		if s.x.detach() {
			t.Error("the caller's context still counts")
		}
		cancel()
		ends <- struct{}{}
		c.drains.running.Wait()
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("made %d connections", n)
	}
}

// An HTTP/2 stream whose answer is whole is not reset: servers count resets.
func TestWholeAnswersAreNotReset(t *testing.T) {
	f := newFake2(t)
	read, left := make(chan struct{}), make(chan error)
	f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
		sse(frameStart, frameStop)(w, r)
		_ = http.NewResponseController(w).Flush()
		<-read
		left <- r.Context().Err()
	})
	c := f.trusting(t)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := drain(open(t, c, ctx)); err != nil {
		t.Error(err)
	}
	cancel() // as a handler's context does when the last event has been passed on
	close(read)
	if err := await(t, left, "the server"); err != nil {
		t.Errorf("the server saw %v", err)
	}
	c.drains.running.Wait()
}

// What goes on after the last event is not read for ever, and not for long.
func TestDrainIsBounded(t *testing.T) {
	for name, after := range map[string]func(w http.ResponseWriter, r *http.Request){
		"silence": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"no end of it": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write([]byte(strings.Repeat("x", 1000))); err != nil {
					return
				}
				_ = http.NewResponseController(w).Flush()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			gone := make(chan struct{})
			f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
				sse(frameStart, frameStop)(w, r)
				_ = http.NewResponseController(w).Flush()
				after(w, r)
				close(gone)
			})
			c := f.client(t)
			if _, err := drain(open(t, c, t.Context())); err != nil {
				t.Error(err)
			}
			await(t, gone, "the server to see the end")
			c.drains.running.Wait()
		})
	}
	// A closed client waits for no end at all.
	f := newFake(t)
	f.on(pathMessages, sse(frameStart, frameStop))
	c := f.client(t)
	s := open(t, c, t.Context())
	c.Close()
	if _, err := drain(s); err != nil {
		t.Error(err)
	}
	if c.drains.begin() {
		t.Error("a closed client drains")
	}
}

// env is an environment.
func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestProxyFromTheEnvironment(t *testing.T) {
	for _, tt := range []struct {
		vars map[string]string
		url  string
		want string
	}{
		{nil, "https://api.github.com/x", ""},
		{map[string]string{"HTTPS_PROXY": "http://p:1"}, "https://api.github.com/x", "http://p:1"},
		{map[string]string{"https_proxy": "p:2"}, "https://api.github.com/x", "http://p:2"},
		{map[string]string{"HTTPS_PROXY": "http://p:1", "https_proxy": "http://p:2"}, "https://api.github.com/x", "http://p:1"},
		{map[string]string{"HTTP_PROXY": "http://p:1"}, "https://api.github.com/x", ""},
		{map[string]string{"HTTPS_PROXY": "socks5://p:3"}, "https://api.github.com/x", "socks5://p:3"},
		{map[string]string{"HTTPS_PROXY": "http://p:1", "NO_PROXY": "githubcopilot.com,.github.com"}, "https://api.github.com/x", ""},
		{map[string]string{"HTTPS_PROXY": "http://p:1", "no_proxy": "*"}, "https://api.github.com/x", ""},
		{map[string]string{"HTTPS_PROXY": "http://p:1", "NO_PROXY": "github.com"}, "https://copilot-api.acme.ghe.com/x", "http://p:1"},
		{map[string]string{"HTTP_PROXY": "http://p:1", "HTTPS_PROXY": "http://p:1"}, "http://127.0.0.1:9/x", ""},
		{map[string]string{"HTTP_PROXY": "http://p:1"}, "http://localhost/x", ""},
	} {
		r := httptest.NewRequest(http.MethodGet, tt.url, nil)
		u, err := proxyFrom(env(tt.vars))(r)
		got := ""
		if u != nil {
			got = u.String()
		}
		if err != nil || got != tt.want {
			t.Errorf("%v, %s: got %q, %v", tt.vars, tt.url, got, err)
		}
	}
}

// authority writes the certificate of a TLS server into a file.
func authority(t *testing.T, f *fake) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: f.Certificate().Raw})
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Requests go through the proxy the environment names, which sees hosts and no tokens, and the answers come from behind
// a certificate of an authority of one's own.
func TestProxyAndAuthorityEndToEnd(t *testing.T) {
	service := newFake2(t)
	service.on(pathModels, good)
	service.on(pathUser, described("https://copilot.example"))
	var mu sync.Mutex
	var connects []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		connects = append(connects, fmt.Sprint(r.Method, " ", r.Host, " ", r.Header.Get("Authorization")))
		mu.Unlock()
		tunnel(t, w, service.Listener.Addr().String())
	}))
	defer proxy.Close()
	// The certificate of httptest is good for example.com and what is below it.
	service.on(pathUser, described("https://copilot.example.com"))
	c, err := New(Options{
		Credential: login.Credential{Token: login.NewSecret(testToken), Host: "git.example.com"},
		Getenv:     env(map[string]string{"HTTPS_PROXY": proxy.URL}),
		RootCAs:    []string{authority(t, service)},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	service.on("/api/v3"+pathUser, described("https://copilot.example.com"))
	if _, err := c.Models(t.Context()); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if got := strings.Join(connects, "; "); got != "CONNECT git.example.com:443 ; CONNECT copilot.example.com:443 " {
		t.Errorf("the proxy saw %s", got)
	}
}

// tunnel joins the caller of a CONNECT request with an address.
func tunnel(t *testing.T, w http.ResponseWriter, to string) {
	there, err := net.Dial("tcp", to)
	if err != nil {
		t.Error(err)
		return
	}
	here, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	_, _ = here.Write([]byte("HTTP/1.1 200 OK\r\n\r\n"))
	join(here, there)
}

// join copies both ways until one side ends.
func join(a, b net.Conn) {
	var wg sync.WaitGroup
	for _, pair := range [][2]net.Conn{{a, b}, {b, a}} {
		wg.Go(func() {
			buf := make([]byte, 4096)
			for {
				n, err := pair[0].Read(buf)
				if _, werr := pair[1].Write(buf[:n]); err != nil || werr != nil {
					_ = a.Close()
					_ = b.Close()
					return
				}
			}
		})
	}
	wg.Wait()
}

// Without the authority the service is not trusted, and the error says so without the token.
func TestForeignCertificateIsRefused(t *testing.T) {
	f := newFake2(t)
	c := f.client(t)
	_, err := c.User(t.Context())
	if KindOf(err) != KindNetwork || !strings.Contains(err.Error(), "certificate") || strings.Contains(err.Error(), testToken) {
		t.Errorf("got %v", err)
	}
	protocols := make(chan string, 1)
	f.on(pathUser, func(w http.ResponseWriter, r *http.Request) {
		protocols <- r.Proto
		described(f.URL)(w, r)
	})
	trusting := f.client(t, func(o *Options) { o.RootCAs = []string{authority(t, f)} })
	if _, err := trusting.User(t.Context()); err != nil {
		t.Errorf("with its authority: %v", err)
	}
	if p := await(t, protocols, "the request"); p != "HTTP/2.0" {
		t.Errorf("with its authority: spoke %s", p)
	}
}

func TestCertificateFiles(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.pem")
	if err := os.WriteFile(empty, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, reason := range map[string]string{empty: "no certificate in it", filepath.Join(dir, "gone"): "no such file", dir: "directory"} {
		_, err := New(Options{Credential: credential(testToken), RootCAs: []string{path}})
		ce, ok := errors.AsType[*CertificateError](err)
		if !ok || ce.Path != path || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: got %v", path, err)
		}
	}
}
