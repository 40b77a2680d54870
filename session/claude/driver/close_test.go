package driver_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session/claude/claudetest"
	"parley/session/claude/driver"
	"parley/session/proc"
)

// The stages of an end, each needed only where the one before does not work.
func TestCloseStages(t *testing.T) {
	busy := func(r *claudetest.Conn, interrupted func(m claudetest.Message)) {
		r.Handshake()
		r.Serve(func(claudetest.Message) { r.Write(claudetest.Line("stream_event", "", nil)) }, func(m claudetest.Message) bool {
			if m.Subtype() == "interrupt" {
				interrupted(m)
				return true
			}
			return false
		})
	}
	tests := map[string]struct {
		script claudetest.Script
		send   bool
		took   time.Duration
		want   driver.Exit
		lines  int
	}{
		"idle": {script: chat, want: driver.Exit{}},
		"interrupted": {send: true, lines: 2, script: func(r *claudetest.Conn) {
			busy(r, func(m claudetest.Message) { r.Reply(m.ID, nil); r.Result("", "stopped") })
		}, want: driver.Exit{}},
		"the result comes late": {send: true, lines: 2, took: time.Second, script: func(r *claudetest.Conn) {
			busy(r, func(m claudetest.Message) {
				r.Reply(m.ID, nil)
				r.Sleep(time.Second)
				r.Result("", "stopped")
			})
		}},
		"the interrupt is not answered": {send: true, lines: 1, took: 2 * time.Second, script: func(r *claudetest.Conn) {
			busy(r, func(claudetest.Message) {})
		}},
		"the result never comes": {send: true, lines: 1, took: 2 * time.Second, script: func(r *claudetest.Conn) {
			busy(r, func(m claudetest.Message) { r.Reply(m.ID, nil) })
		}},
		"does not end with its input": {took: 5 * time.Second, want: driver.Exit{Exit: proc.Exit{Code: 143}}, script: func(r *claudetest.Conn) {
			chat(r)
			r.Sleep(time.Hour)
		}},
		"hangs": {took: 8 * time.Second, want: driver.Exit{Exit: proc.Exit{Code: -1, Signal: "killed"}}, script: func(r *claudetest.Conn) {
			r.Handshake()
			r.Hang()
		}},
		"last words": {lines: 1, script: func(r *claudetest.Conn) {
			chat(r)
			r.Write(claudetest.Line("system", "notification", nil))
		}},
		"fails at its end": {want: driver.Exit{Exit: proc.Exit{Code: 1}, Stderr: "flush failed"}, script: func(r *claudetest.Conn) {
			chat(r)
			r.Stderr("flush failed")
			r.Exit(1)
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var c consumer
				p := begin(t, &c, c.options(test.script))
				if test.send {
					if err := p.Send(t.Context(), driver.UserMessage{Content: text("x")}); err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
				}
				began := time.Now()
				test.want.Asked = true
				if e := p.Close(t.Context()); e != test.want || time.Since(began) != test.took {
					t.Errorf("%+v after %v", e, time.Since(began))
				}
				if got := c.all(); len(got) != test.lines {
					t.Errorf("%q", got)
				}
			})
		})
	}
}

// A caller whose context ends gets a kill, at any stage of the end.
func TestCloseInAHurry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		p := begin(t, &c, c.options(func(r *claudetest.Conn) { r.Handshake(); r.Hang() }))
		if err := p.Send(t.Context(), driver.UserMessage{Content: text("x")}); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		ends := make(chan driver.Exit)
		go func() { ends <- p.Close(context.Background()) }()
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		e := p.Close(ctx)
		if also := <-ends; e != (driver.Exit{Exit: proc.Exit{Code: -1, Signal: "killed"}, Asked: true}) || also != e || time.Since(began) != time.Second {
			t.Errorf("%+v %+v after %v", e, also, time.Since(began))
		}
	})
}

// A consumer that blocks keeps neither the output from being read nor answers from arriving, as long as what waits is
// below the bound, and nothing is lost.
func TestSlowConsumer(t *testing.T) {
	const lines, size, bound = 500, 1000, 100 * 1000
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		o := c.options(nil)
		written := 0
		o.Limits.Queued = bound
		gate := make(chan struct{})
		keep := o.Line
		o.Line = func(line []byte) { <-gate; keep(line) }
		few := make(chan struct{})
		o.Start = claudetest.Starter(func(r *claudetest.Conn) {
			r.Handshake()
			r.Serve(func(claudetest.Message) {
				for n := range lines {
					if n == 50 {
						<-few
					}
					r.Write(map[string]any{"type": "user", "n": n, "pad": strings.Repeat("x", size)})
					written++
				}
			}, nil)
		})
		p := begin(t, &c, o)
		if err := p.Send(t.Context(), driver.UserMessage{Content: text("go")}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := p.SetMode(t.Context(), "plan"); err != nil || written != 50 {
			t.Errorf("%d written, %v", written, err)
		}
		close(few)
		synctest.Wait()
		// One batch is being delivered, another waits, and the reader has one line.
		if written < 90*bound/size/100 || written > 2*bound/size {
			t.Errorf("%d lines read without a listener", written)
		}
		close(gate)
		synctest.Wait()
		got := c.all()
		if len(got) != lines {
			t.Fatalf("%d lines", len(got))
		}
		for n, line := range got {
			if !strings.Contains(line, fmt.Sprintf(`"n":%d,`, n)) {
				t.Fatalf("line %d is %.40s", n, line)
			}
		}
	})
}

// A silence within a turn is reported once, and ends nothing.
func TestQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		c.answer = func(*driver.Process, driver.Request) bool { return true }
		o := c.options(func(r *claudetest.Conn) {
			r.Handshake()
			r.Serve(func(claudetest.Message) {
				r.Write(claudetest.Line("stream_event", "", nil))
				r.Sleep(10 * time.Minute)
				r.Ask("can_use_tool", nil) // waiting for us is not a silence
				r.Sleep(10 * time.Minute)
				r.TakeBack("ask-1")
				r.Sleep(2 * time.Minute)
				r.Result("", "done")
			}, nil)
		})
		began := time.Now()
		var reports []string
		o.Quiet = func(silent time.Duration) {
			reports = append(reports, fmt.Sprint(time.Since(began).Round(time.Second), " ", silent.Round(time.Second)))
		}
		p := begin(t, &c, o)
		time.Sleep(time.Hour) // idle is not silent
		if err := p.Send(t.Context(), driver.UserMessage{Content: text("x")}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if want := []string{"1h3m0s 3m0s"}; !slices.Equal(reports, want) || !p.Alive() {
			t.Errorf("%v", reports)
		}
	})
}

// States that the runtime reports also count for autonomous turns.
func TestBusyOnItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		step, late := make(chan string), make(chan struct{}, 1)
		p := begin(t, &c, c.options(func(r *claudetest.Conn) {
			r.Handshake()
			go func() {
				<-late
				r.Write(claudetest.Line("assistant", "", map[string]any{"parent_tool_use_id": "toolu_1"}))
			}()
			go func() {
				for s := range step {
					r.Write(claudetest.Line("system", "session_state_changed", map[string]any{"state": s}))
				}
			}()
			r.Serve(nil, nil)
		}))
		for _, s := range []string{"running", "idle", "requires_action", "idle"} {
			step <- s
			synctest.Wait()
			if p.Busy() != (s != "idle") {
				t.Errorf("%s: %v", s, p.Busy())
			}
		}
		close(step)
		// A subagent in the background is not a turn.
		if err := p.Send(t.Context(), driver.UserMessage{Content: text("x")}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		late <- struct{}{}
		synctest.Wait()
		if p.Busy() {
			t.Error("busy with a subagent's words")
		}
	})
}
