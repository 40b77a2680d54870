package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"parley/session"
	"parley/session/extensions"
	"parley/session/mcp/mcptest"
	"parley/session/proc"
	"parley/session/proc/proctest"
)

func TestMain(m *testing.M) {
	mcptest.ServeIfAsked()
	goleak.VerifyTestMain(proctest.Watch(m))
}

// program returns this test as a server of a kind.
func program(t *testing.T, name, kind string) extensions.Server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return extensions.Server{Name: name, Transport: extensions.Stdio, Command: []string{self}, Env: map[string]string{mcptest.Variable: kind}, Dir: t.TempDir()}
}

// pool is a pool under test, with what it told the user.
type pool struct {
	*Pool
	t *testing.T

	mu      sync.Mutex
	notices []string
}

func open(t *testing.T, bounds Bounds, servers ...extensions.Server) *pool {
	t.Helper()
	group := proc.New(proc.Options{})
	p := &pool{t: t}
	p.Pool = New(Options{Processes: group, Environ: os.Environ, Bounds: bounds, Version: "test",
		Servers: func(context.Context) []extensions.Server { return servers },
		Notice: func(text string) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.notices = append(p.notices, text)
		}})
	t.Cleanup(func() {
		p.Close()
		if err := group.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func quick() Bounds {
	return Bounds{Start: time.Minute, Wait: time.Minute, Silence: time.Minute, Call: time.Minute, Retry: []time.Duration{time.Millisecond, time.Millisecond}}
}

// call calls a tool by its own name.
func (p *pool) call(name, input string, by Caller) (Result, error) {
	p.t.Helper()
	for _, t := range p.Tools(Reach{Shared: true}) {
		if t.Own == name {
			return p.Call(p.t.Context(), t, json.RawMessage(input), by)
		}
	}
	p.t.Fatalf("no tool %s among %d", name, len(p.Tools(Reach{Shared: true})))
	return Result{}, nil
}

// becomes waits until the first server is in a state.
func (p *pool) becomes(want session.ServerState) session.Server {
	p.t.Helper()
	deadline := time.After(time.Minute)
	for {
		p.Pool.mu.Lock()
		news := p.news
		p.Pool.mu.Unlock()
		if s := p.Servers(p.t.Context(), false)[0]; s.State == want {
			return s
		}
		select {
		case <-news:
		case <-deadline:
			p.t.Fatalf("%+v is not %s", p.Servers(p.t.Context(), false)[0], want)
		}
	}
}

// startsAgain waits until the first server has failed and is connected again.
func (p *pool) startsAgain() {
	p.t.Helper()
	deadline := time.After(time.Minute)
	for {
		p.Pool.mu.Lock()
		news, s := p.news, p.servers[0]
		again := s.starts > 0 && s.state.State == Connected
		p.Pool.mu.Unlock()
		if again {
			return
		}
		select {
		case <-news:
		case <-deadline:
			p.t.Fatal("it was not started again")
		}
	}
}

func TestCalls(t *testing.T) {
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return mcptest.New("plain") }, nil)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != "k" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer service.Close()
	defer service.CloseClientConnections()
	for name, server := range map[string]extensions.Server{
		"program": program(t, "prog", "plain"),
		"service": {Name: "web", Transport: extensions.HTTP, URL: service.URL, Headers: map[string]string{"X-Key": "k"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, quick(), server)
			p.Await(t.Context())
			if s := p.Servers(t.Context(), false)[0]; s.State != Connected || s.Tools < 8 {
				t.Fatalf("%+v", s)
			}
			if r, err := p.call("echo", `{"words":"hi"}`, Caller{}); err != nil || r.Text != `echo {"words":"hi"}` || r.Failed {
				t.Errorf("%+v %v", r, err)
			}
			if r, err := p.call("fail", `{}`, Caller{}); err != nil || !r.Failed || r.Text != "it went wrong" {
				t.Errorf("%+v %v", r, err)
			}
			if r, err := p.call("picture", `{}`, Caller{}); err != nil || len(r.Media) != 1 || !strings.Contains(r.Text, "left out: an image of type image/tiff") {
				t.Errorf("%+v %v", r, err)
			}
			if r, err := p.call("flood", `{}`, Caller{}); err != nil || len(r.Text) > maxText+200 || !strings.Contains(r.Text, "left out: 900000 bytes") {
				t.Errorf("%d bytes, %v", len(r.Text), err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(10*time.Millisecond, cancel)
			for _, one := range p.Tools(Reach{Shared: true}) {
				if one.Own == "wait" {
					if _, err := p.Call(ctx, one, json.RawMessage(`{}`), Caller{}); err == nil || ctx.Err() == nil {
						t.Errorf("a cancelled call: %v", err)
					}
				}
			}
		})
	}
}

func TestQuestionsAndProgress(t *testing.T) {
	p := open(t, quick(), program(t, "prog", "plain"))
	p.Await(t.Context())
	asked := session.ElicitationAsk{}
	answer := session.Answer{Decision: session.Allow, Choices: map[string][]string{"port": {"80"}}}
	by := Caller{Ask: func(_ context.Context, ask session.ElicitationAsk) session.Answer { asked = ask; return answer }}
	if r, err := p.call("ask", `{}`, by); err != nil || r.Text != "accept 80" || asked.Server != "prog" || asked.Message != "Which port?" {
		t.Errorf("%+v %v %+v", r, err, asked)
	}
	answer = session.Answer{Decision: session.Deny}
	if r, err := p.call("ask", `{}`, by); err != nil || r.Text != "decline <nil>" {
		t.Errorf("%+v %v", r, err)
	}
	said := make(chan string, 1)
	if r, err := p.call("steps", `{}`, Caller{Live: func(text string) { said <- text }}); err != nil || r.Text != "done" {
		t.Errorf("%+v %v", r, err)
	}
	select {
	case text := <-said:
		if text != "1 of 2 half\n" {
			t.Errorf("%q", text)
		}
	default:
		t.Error("no progress")
	}
}

// A server that is silent, that dies, or that ends in the middle blocks nothing for longer than its bounds, and says why.
func TestBadServers(t *testing.T) {
	t.Run("never answers", func(t *testing.T) {
		b := quick()
		b.Start, b.Retry = 50*time.Millisecond, nil
		p := open(t, b, program(t, "prog", "silent"))
		p.Await(t.Context())
		if s := p.becomes(Failed); s.Why != "it did not answer within 50ms" {
			t.Errorf("%+v", s)
		}
	})
	t.Run("dies", func(t *testing.T) {
		p := open(t, quick(), program(t, "prog", "dies"))
		p.Await(t.Context())
		p.becomes(Failed)
		if got := p.tells(); got != "The MCP server prog does not work: no licence found. /mcp starts it again." {
			t.Errorf("%q", got)
		}
	})
	t.Run("no program", func(t *testing.T) {
		p := open(t, quick(), extensions.Server{Name: "x", Transport: extensions.Stdio, Command: []string{"no-such-program-here"}, Dir: t.TempDir()})
		p.Await(t.Context())
		if s := p.becomes(Failed); !strings.HasPrefix(s.Why, "there is no program no-such-program-here on PATH") {
			t.Errorf("%+v", s)
		}
	})
	t.Run("silent call", func(t *testing.T) {
		b := quick()
		b.Silence = 50 * time.Millisecond
		p := open(t, b, program(t, "prog", "plain"))
		p.Await(t.Context())
		if _, err := p.call("wait", `{}`, Caller{}); err == nil || !strings.Contains(err.Error(), "said nothing for 50ms and the call was given up") {
			t.Errorf("%v", err)
		}
	})
	t.Run("ends", func(t *testing.T) {
		p := open(t, quick(), program(t, "prog", "once"))
		p.Await(t.Context())
		if _, err := p.call("echo", `{}`, Caller{}); err != nil {
			t.Error(err)
		}
		if _, err := p.call("echo", `{}`, Caller{}); err == nil {
			t.Error("a server that has ended answers")
		}
		p.startsAgain()
		if n := len(p.Tools(Reach{Shared: true})); n < 8 {
			t.Errorf("%d tools", n)
		}
	})
	t.Run("refuses", func(t *testing.T) {
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) }))
		defer service.Close()
		p := open(t, quick(), extensions.Server{Name: "web", Transport: extensions.HTTP, URL: service.URL})
		p.Await(t.Context())
		if s := p.becomes(Failed); s.Why != "it refuses the sign-in (401): put what it needs into headers" {
			t.Errorf("%+v", s)
		}
	})
}

func (p *pool) told() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.notices, "\n")
}

// tells returns what the pool has told once it has told something, which comes after the state of a server.
func (p *pool) tells() string {
	for deadline := time.Now().Add(time.Minute); p.told() == "" && time.Now().Before(deadline); {
		runtime.Gosched()
	}
	return p.told()
}

func TestSwitch(t *testing.T) {
	p := open(t, quick(), program(t, "prog", "plain"))
	if s := p.Servers(t.Context(), false)[0]; s.State != session.ServerWaiting {
		t.Errorf("%+v", s)
	}
	p.Await(t.Context())
	if err := p.SwitchServer(t.Context(), "prog", false); err != nil {
		t.Error(err)
	}
	if err := p.SwitchServer(t.Context(), "other", false); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
	p.becomes(Off)
	if n := len(p.Tools(Reach{Shared: true})); n != 0 {
		t.Errorf("%d tools", n)
	}
	if err := p.SwitchServer(t.Context(), "prog", true); err != nil {
		t.Error(err)
	}
	p.becomes(Connected)
	if r, err := p.call("grow", `{}`, Caller{}); err != nil || r.Text != "grown" {
		t.Errorf("%+v %v", r, err)
	}
	before := p.Servers(t.Context(), false)[0].Tools
	deadline := time.Now().Add(time.Minute)
	for p.Servers(t.Context(), false)[0].Tools == before && time.Now().Before(deadline) {
		p.Pool.mu.Lock()
		news := p.news
		p.Pool.mu.Unlock()
		select {
		case <-news:
		case <-time.After(10 * time.Millisecond):
		}
	}
	if r, err := p.call("grown", `{}`, Caller{}); err != nil || r.Text != "new" {
		t.Errorf("%+v %v", r, err)
	}
}

// Servers that are described differently come and go between turns; those that stay keep their connection.
func TestRenew(t *testing.T) {
	one, two := program(t, "one", "plain"), program(t, "two", "plain")
	now := []extensions.Server{one}
	p := open(t, quick())
	p.o.Servers = func(context.Context) []extensions.Server { return now }
	p.Renew(t.Context())
	if s := p.Servers(t.Context(), false); len(s) != 1 || s[0].State != session.ServerWaiting {
		t.Errorf("before the first turn: %+v", s)
	}
	states := func() (out []string) {
		p.Renew(t.Context())
		p.Await(t.Context())
		for _, s := range p.Servers(t.Context(), true) {
			out = append(out, s.Name+" "+string(s.State))
		}
		return out
	}
	same := func(what string, want ...string) {
		t.Helper()
		if got := states(); !slices.Equal(got, want) {
			t.Errorf("%s: %v", what, got)
		}
	}
	p.Await(t.Context())
	first := p.servers[0]
	now = []extensions.Server{two, one}
	same("added", "two connected", "one connected")
	if p.servers[1] != first || first.life.Err() != nil {
		t.Error("the first was started again")
	}
	changed := one
	changed.Env = map[string]string{mcptest.Variable: "plain", "X": "1"}
	now = []extensions.Server{two, changed}
	same("changed", "two connected", "one connected")
	if first.life.Err() == nil {
		t.Error("the old one goes on")
	}
	changed.Why = "you have not agreed"
	now = []extensions.Server{two, changed}
	same("not agreed", "two connected", "one off")
	now = nil
	same("gone")
	if n := len(p.Tools(Reach{Shared: true})); n != 0 {
		t.Errorf("%d tools", n)
	}
	now = []extensions.Server{one}
	p.Close()
	p.Renew(t.Context())
	if len(p.servers) != 0 {
		t.Error("a closed pool starts servers")
	}
}

func TestEnvironment(t *testing.T) {
	s := program(t, "prog", "plain")
	s.Env["SPOKEN"] = "word"
	p := open(t, quick(), s)
	p.Await(t.Context())
	if r, err := p.call("env", `{"Name":"SPOKEN"}`, Caller{}); err != nil || !strings.HasPrefix(r.Text, "word in "+s.Dir) {
		t.Errorf("%+v %v", r, err)
	}
}

// Resources are listed with the connection, and none of them is read.
func TestResources(t *testing.T) {
	p := open(t, quick(), program(t, "depot", "plain"))
	if all := p.Resources(); len(all) != 0 {
		t.Errorf("%+v before it is connected", all)
	}
	p.Await(t.Context())
	if all := p.Resources(); len(all) != 1 || all[0] != (session.ServerResource{Mention: "depot:test://notes", Name: "notes"}) {
		t.Errorf("%+v", all)
	}
}
