package driver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"parley/session"
	"parley/session/claude/claudetest"
	"parley/session/claude/driver"
	"parley/session/proc"
	"parley/session/proc/pipe"
	"parley/session/proc/proctest"
)

func TestMain(m *testing.M) {
	claudetest.Main(scripts)
	goleak.VerifyTestMain(proctest.Watch(m))
}

// consumer is who listens to a process.
type consumer struct {
	mu        sync.Mutex
	lines     []string
	asks      []driver.Request
	cancelled []string
	answer    func(p *driver.Process, r driver.Request) bool
	p         *driver.Process
}

func (c *consumer) options(s claudetest.Script) driver.Options {
	return driver.Options{
		Launch: driver.Launch{Program: []string{"claude"}, Session: "s", Bearer: "secretsecret.s1"},
		Start:  claudetest.Starter(s),
		Line: func(line []byte) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.lines = append(c.lines, string(line))
		},
		Ask: func(r driver.Request) bool {
			c.mu.Lock()
			c.asks = append(c.asks, driver.Request{ID: r.ID, Subtype: r.Subtype, Raw: slices.Clone(r.Raw), Line: slices.Clone(r.Line)})
			answer, p := c.answer, c.p
			c.mu.Unlock()
			return answer != nil && answer(p, r)
		},
		Cancel: func(id string) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.cancelled = append(c.cancelled, id)
		},
	}
}

func (c *consumer) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.lines)
}

// begin starts a simulated runtime and has it ended after the test.
func begin(t *testing.T, c *consumer, o driver.Options) *driver.Process {
	t.Helper()
	p, err := driver.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	c.p = p
	c.mu.Unlock()
	t.Cleanup(func() { p.Close(context.Background()) })
	return p
}

func text(s string) json.RawMessage {
	b, _ := json.Marshal(s)
	return b
}

// chat is a well-behaved runtime.
func chat(c *claudetest.Conn) {
	c.Handshake()
	c.Serve(nil, nil)
}

func TestHandshakeAndTwoTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		started := 0
		o := c.options(nil)
		o.AppendSystem = "Be brief."
		o.Start = func(ctx context.Context, cmd proc.Command) (pipe.Process, error) {
			started++
			if cmd.Argv[0] != "claude" || cmd.Label != "claude s" || !slices.Contains(cmd.Env, "ANTHROPIC_AUTH_TOKEN=secretsecret.s1") {
				t.Errorf("%+v", cmd)
			}
			return claudetest.Starter(func(r *claudetest.Conn) {
				if m := r.Handshake(); m.Subtype() != "initialize" || m.Field("appendSystemPrompt") != "Be brief." {
					t.Errorf("%s", m.Raw)
				}
				r.Serve(nil, nil)
			})(ctx, cmd)
		}
		p := begin(t, &c, o)
		i := p.Init()
		if i.Version != "2.1.197" || i.Models[0].EffortLevels[1] != "high" || i.Commands[0].Name != "compact" || i.Pid != 1 ||
			i.Account.TokenSource != "ANTHROPIC_AUTH_TOKEN" || i.Agents[0].Name != "Explore" || len(i.Raw) == 0 {
			t.Errorf("%+v", i)
		}
		for n := range 2 {
			if err := p.Send(t.Context(), driver.UserMessage{UUID: fmt.Sprint("u", n), Content: text("hi")}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if p.Busy() {
				t.Error("busy after the result")
			}
		}
		lines := c.all()
		if len(lines) != 18 || !strings.Contains(lines[8], `"type":"result"`) || !strings.Contains(lines[12], "You said: hi") {
			t.Errorf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
		}
		if e := p.Close(t.Context()); e != (driver.Exit{Asked: true}) || started != 1 || p.Alive() {
			t.Errorf("%+v, %d started", e, started)
		}
	})
}

// Lines before the answer to initialize are delivered too.
func TestLinesBeforeTheHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		begin(t, &c, c.options(func(r *claudetest.Conn) {
			r.WriteRaw("node: a warning that is not JSON\n\n")
			r.Write(claudetest.Line("system", "session_title_changed", map[string]any{"title": "x"}))
			r.Write(map[string]any{"type": "keep_alive"})
			chat(r)
		}))
		synctest.Wait()
		if got := c.all(); len(got) != 1 || !strings.Contains(got[0], "session_title_changed") {
			t.Errorf("%q", got)
		}
	})
}

func TestFailedStarts(t *testing.T) {
	tests := map[string]struct {
		script claudetest.Script
		kind   session.Kind
		says   []string
	}{
		"ends at once": {func(r *claudetest.Conn) { r.Stderr("error: unknown option secretsecret.s1"); r.Exit(1) },
			session.KindRuntime, []string{"exit status 1", "unknown option ***"}},
		"is killed": {func(r *claudetest.Conn) { r.Read(); r.Die() }, session.KindRuntime, []string{"signal: killed"}},
		"says why on its output": {func(r *claudetest.Conn) { r.WriteRaw("You need a newer node.\n"); r.Exit(1) },
			session.KindRuntime, []string{"newer node"}},
		"knows no such conversation": {func(r *claudetest.Conn) {
			r.Write(claudetest.Line("result", "error_during_execution", map[string]any{"is_error": true,
				"errors": []any{"No conversation found with session ID: s"}}))
			r.Exit(1)
		}, session.KindNotFound, []string{"No conversation found"}},
		"refuses": {func(r *claudetest.Conn) { m, _ := r.Read(); r.ReplyError(m.ID, "Already initialized"); r.Hang() },
			session.KindRuntime, []string{"Already initialized"}},
		"says nothing": {func(r *claudetest.Conn) { r.Hang() }, session.KindRuntime, []string{"no answer in time"}},
		"prints something else": {func(r *claudetest.Conn) {
			r.WriteRaw("first\n" + strings.Repeat("x", 5000) + "\n{\"a\":1}\nlast " + strings.Repeat("y", 300) + "\n")
			r.Hang()
		}, session.KindRuntime, []string{"does not print what Claude Code prints: last yyy", "y…"}},
		"answers nonsense": {func(r *claudetest.Conn) { m, _ := r.Read(); r.Reply(m.ID, []any{1}); r.Hang() },
			session.KindRuntime, []string{"makes no sense"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var c consumer
				began := time.Now()
				_, err := driver.Start(t.Context(), c.options(test.script))
				if took := time.Since(began); took > 30*time.Second || name == "prints something else" && took != 10*time.Second {
					t.Errorf("it took %v", took)
				}
				if err != nil && name == "prints something else" && (strings.Contains(err.Error(), "\n") || len(err.Error()) > 300) {
					t.Errorf("not a line: %v", err)
				}
				if session.KindOf(err) != test.kind {
					t.Errorf("%s: %v", session.KindOf(err), err)
				}
				for _, s := range test.says {
					if err == nil || !strings.Contains(err.Error(), s) {
						t.Errorf("%v does not say %q", err, s)
					}
				}
				if err != nil && strings.Contains(err.Error(), "secretsecret") {
					t.Error(err)
				}
			})
		})
	}
}

func TestLaunchesThatCannotBe(t *testing.T) {
	o := driver.Options{Start: claudetest.Starter(chat)}
	if _, err := driver.Start(t.Context(), o); session.KindOf(err) != session.KindInvalid {
		t.Error(err)
	}
	o.Launch = driver.Launch{Program: []string{"claude"}, Root: true, Mode: "bypassPermissions"}
	if _, err := driver.Start(t.Context(), o); session.KindOf(err) != session.KindInvalid || !strings.Contains(err.Error(), "IS_SANDBOX=1") {
		t.Error(err)
	}
	o = driver.Options{Launch: driver.Launch{Program: []string{"/no/such/claude"}}, Processes: proc.New(proc.Options{})}
	defer o.Processes.Close()
	if _, err := driver.Start(t.Context(), o); session.KindOf(err) != session.KindRuntime || !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A cancelled start leaves nothing, whether the process has come up by then or not.
func TestCancelledStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		began := time.Now()
		_, err := driver.Start(ctx, c.options(func(r *claudetest.Conn) { r.Hang() }))
		if session.KindOf(err) != session.KindCancelled || time.Since(began) != time.Second {
			t.Error(time.Since(began), err)
		}
		// The process comes up although the start was cancelled.
		ctx, cancel = context.WithCancel(t.Context())
		var child pipe.Process
		o := c.options(nil)
		o.Start = func(ctx context.Context, cmd proc.Command) (pipe.Process, error) {
			cancel()
			child, _ = claudetest.Starter(chat)(ctx, cmd)
			return child, nil
		}
		if _, err := driver.Start(ctx, o); session.KindOf(err) != session.KindCancelled {
			t.Error(err)
		}
		<-child.Done()
	})
}

func TestCrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		c.answer = func(*driver.Process, driver.Request) bool { return true }
		p := begin(t, &c, c.options(func(r *claudetest.Conn) {
			r.Handshake()
			r.Serve(func(m claudetest.Message) {
				r.Ask("can_use_tool", map[string]any{"tool_name": "Bash"})
				r.Write(claudetest.Line("assistant", "", nil))
				r.Stderr("TypeError: bearer secretsecret.s1")
				r.WriteRaw(`{"type":"assistant","half`)
				r.Die()
			}, func(m claudetest.Message) bool { return true })
		}))
		waiting := make(chan error)
		go func() { waiting <- p.SetModel(t.Context(), "m") }()
		synctest.Wait()
		if err := p.Send(t.Context(), driver.UserMessage{Content: text("x")}); err != nil {
			t.Error(err)
		}
		<-p.Done()
		if err := <-waiting; session.KindOf(err) != session.KindRuntime {
			t.Error(err)
		}
		if e := p.Exit(); e != (driver.Exit{Exit: proc.Exit{Code: -1, Signal: "killed"}, Stderr: "TypeError: ***"}) {
			t.Errorf("%+v", e)
		}
		if len(c.lines) != 1 || len(c.asks) != 1 || !slices.Equal(c.cancelled, []string{"ask-1"}) {
			t.Errorf("%q %v %v", c.lines, c.asks, c.cancelled)
		}
		if err := p.Send(t.Context(), driver.UserMessage{Content: text("x")}); session.KindOf(err) != session.KindRuntime {
			t.Error(err)
		}
		if err := p.Reply("ask-1", nil); session.KindOf(err) != session.KindNotFound {
			t.Error(err)
		}
		if p.Busy() || p.Alive() {
			t.Error("as if it lived")
		}
	})
}
