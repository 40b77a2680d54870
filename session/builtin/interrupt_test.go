package builtin

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// stuck is a tool that ignores interrupts until the test is over.
func stuck(began chan<- struct{}, release <-chan struct{}) *tool.Tool {
	return &tool.Tool{Name: "Stuck", Kind: toolview.Command, Description: "x", Schema: `{"type":"object"}`,
		Prepare: func(*tool.Workspace, json.RawMessage) (*tool.Job, error) {
			return &tool.Job{Run: func(_ context.Context, _ session.CallID, live func(string)) tool.Outcome {
				live("so far")
				began <- struct{}{}
				<-release
				live("too late")
				return tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: "done after all"}}
			}}, nil
		}}
}

// point is a place at which a turn is interrupted: began gets a value once the turn is there. Nothing there reacts before
// release is closed.
func interruptedAt(t testing.TB, point string, began chan struct{}, release chan struct{}) ([]reply, []chatOption) {
	wait := func() { began <- struct{}{}; <-release }
	hold := func(frames ...string) reply {
		return func(w http.ResponseWriter, r *http.Request) {
			if len(frames) > 0 {
				stream(frames...)(w, r)
				w.(http.Flusher).Flush()
			}
			wait()
		}
	}
	options := []chatOption{mode(session.ModeBypass)}
	option := func(f func(o *Options)) { options = append(options, func(o *Options, _ *session.OpenOptions) { f(o) }) }
	switch point {
	case "models":
		option(func(o *Options) {
			o.Models = func(context.Context) ([]session.Model, error) { wait(); return nil, nil }
		})
		return nil, options
	case "headers":
		return []reply{hold()}, options
	case "stream":
		return []reply{hold(start("m"), text(0, "I"))}, options
	case "backoff":
		option(func(o *Options) { o.Sleep = func(context.Context, time.Duration) error { wait(); return nil } })
		return []reply{fault(529, "")}, options
	case "tool":
		return []reply{callsReply([3]string{"c1", "Stuck", `{}`})}, options
	case "child":
		return []reply{callsReply(task("c1", "look", "")), hold(start("m"), text(0, "I"))}, options
	case "tool of a child":
		return []reply{callsReply(task("c1", "look", "")), callsReply([3]string{"c2", "Stuck", `{}`})}, options
	}
	t.Fatal(point)
	return nil, nil
}

var interruptPoints = []string{"models", "headers", "stream", "backoff", "tool", "child", "tool of a child"}

// An interrupt ends the turn at every point, although nothing that the turn waits for ever reacts.
func TestInterruptWaitsForNothing(t *testing.T) {
	for _, point := range interruptPoints {
		t.Run(point, func(t *testing.T) {
			began, release := make(chan struct{}), make(chan struct{})
			tools = append(slices.Clone(tools), stuck(began, release))
			defer func() { tools = tools[:len(tools)-1] }()
			replies, options := interruptedAt(t, point, began, release)
			s := newService(t, replies...)
			ch := openChat(t, s, options...)
			go func() {
				<-began
				ch.c.Abort()
			}()
			if end := ch.send("x"); end.Outcome != session.TurnCancelled {
				t.Errorf("%+v", end)
			}
			close(release)
			for id, e := range ch.ended() {
				if e.Outcome != session.ToolCancelled {
					t.Errorf("%s: %+v", id, e)
				}
			}
			if got := ch.ended()["c1"]; point == "tool" && got.Result.Text != "so far" {
				t.Errorf("%+v", got)
			}
			checkChildren(t, ch.all())
		})
	}
}

// BenchmarkInterrupt measures from Abort to the end of the turn.
func BenchmarkInterrupt(b *testing.B) {
	for _, point := range interruptPoints {
		b.Run(point, func(b *testing.B) {
			var total time.Duration
			for b.Loop() {
				began, release := make(chan struct{}), make(chan struct{})
				tools = append(slices.Clone(tools), stuck(began, release))
				replies, options := interruptedAt(b, point, began, release)
				s := newService(b, replies...)
				ch := openChat(b, s, options...)
				aborted := make(chan time.Time, 1)
				go func() {
					<-began
					aborted <- time.Now()
					ch.c.Abort()
				}()
				ch.send("x")
				total += time.Since(<-aborted)
				close(release)
				tools = tools[:len(tools)-1]
				_ = ch.c.Close(context.Background())
				s.server.Close()
			}
			b.ReportMetric(float64(total.Milliseconds())/float64(b.N), "ms/interrupt")
		})
	}
}
