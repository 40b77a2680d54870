//go:build unix

package shell

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/builtin/tool/tooltest"
	"parley/session/proc"
)

// stubborn are commands that do not end when they are asked to, or whose pipe others hold.
var stubborn = map[string]string{
	"ignores signals":    "trap '' TERM INT HUP; echo begun; while :; do sleep 1000; done",
	"child ignores":      "(trap '' TERM HUP; echo begun; sleep 1000) & wait",
	"stopped":            "echo begun; kill -STOP $$; echo never",
	"holds the pipe":     "setsid sleep 1000 & echo begun; sleep 1000",
	"double fork":        "(setsid sh -c 'sleep 1000 & sleep 1000' &) ; echo begun; sleep 1000",
	"output for ever":    "yes begun",
	"closes its outputs": "echo begun; exec >&- 2>&-; sleep 1000",
	"exec":               "echo begun; exec sleep 1000",
	"trap on exit":       "trap 'sleep 1000' EXIT; echo begun; sleep 1000",
}

// An interrupted call returns at once, without waiting for what the command has started to be found and killed.
func TestAnInterruptWaitsForNothing(t *testing.T) {
	whole := killTree
	defer func() { killTree = whole }()
	for name, command := range stubborn {
		t.Run(name, func(t *testing.T) {
			b := tooltest.New(t, nil)
			release := make(chan struct{})
			killTree = func(c *proc.Child) error {
				<-release
				return whole(c)
			}
			ctx, interrupt := context.WithCancel(context.Background())
			input, err := json.Marshal(tooltest.Obj{"command": command})
			if err != nil {
				t.Fatal(err)
			}
			j, err := Bash.Prepare(b.W, input)
			if err != nil {
				t.Fatal(err)
			}
			out := j.Run(ctx, "c1", func(string) { interrupt() })
			if out.How != session.ToolCancelled || !strings.Contains(out.Result.Sent, "interrupted by the user") || !strings.HasPrefix(out.Result.Text, "begun") {
				t.Errorf("%+v", out)
			}
			close(release)
			b.W.Jobs.Close()
		})
	}
}

// The same commands end in the background, and with the conversation.
func TestStubbornCommandsEnd(t *testing.T) {
	b := tooltest.New(t, nil)
	ended := ends(b)
	for name, command := range stubborn {
		if got := b.Run(Bash, tooltest.Obj{"command": command, "run_in_background": true}); !got.Result.Background {
			t.Errorf("%s: %+v", name, got)
		}
	}
	b.Run(KillShell, tooltest.Obj{"shell_id": "sh1"})
	if out := <-ended; out.Result.Job != "sh1" || out.How != session.ToolCancelled {
		t.Errorf("%+v", out)
	}
	b.W.Jobs.Close()
	for range len(stubborn) - 1 {
		if out := <-ended; !strings.HasPrefix(out.Result.Summary, "ended with parley") {
			t.Errorf("%+v", out)
		}
	}
}

// Two agents of a conversation have a shell each, also at the same time, and each its own commands in the background.
func TestAgentsDoNotDisturbEachOther(t *testing.T) {
	one, other := tooltest.New(t, nil), tooltest.New(t, nil)
	child := *other.W
	child.Dir, child.Child, child.Jobs = one.W.Dir, "k", one.W.Jobs
	var wg sync.WaitGroup
	for _, w := range []*tool.Workspace{one.W, &child} {
		wg.Go(func() {
			for range 20 {
				j, err := Bash.Prepare(w, json.RawMessage(`{"command":"mkdir -p d$N; cd d$N; export N=$((N+1)); pwd"}`))
				if err != nil {
					t.Error(err)
					return
				}
				j.Run(context.Background(), "c", func(string) {})
			}
		})
	}
	wg.Wait()
	for _, w := range []*tool.Workspace{one.W, &child} {
		if got := strings.Count(w.Shell.Moved(), "/d"); got != 20 {
			t.Errorf("%d directories: %s", got, w.Shell.Moved())
		}
	}
	one.Run(Bash, tooltest.Obj{"command": "sleep 1000", "run_in_background": true})
	if _, err := BashOutput.Prepare(&child, json.RawMessage(`{"bash_id":"sh1"}`)); err == nil {
		t.Error("a child reads what its parent runs")
	}
	one.W.Jobs.StopAgent("")
}

func TestTheModelIsToldWhereItIs(t *testing.T) {
	b := tooltest.New(t, nil)
	run := func(command string) session.ToolResult { return b.Run(Bash, tooltest.Obj{"command": command}).Result }
	if got := run("mkdir -p sub/dir; cd sub/dir; echo x"); got.Text != "x\n" || got.Sent != "x\n(now in sub/dir)" || got.Shell == nil || got.Shell.Dir != b.W.Dir+"/sub/dir" {
		t.Errorf("%+v", got)
	}
	if got := run("export A=1"); got.Text != "" || got.Sent != "(now in sub/dir)" || !got.Shell.Environ {
		t.Errorf("%+v", got)
	}
	if got := run("exit 2"); got.Text != "(exit code 2)" || got.Sent != "(exit code 2)\n(now in sub/dir)" {
		t.Errorf("%+v", got)
	}
	if got := run("cd ../..; unset A"); got.Sent != "(back in the working directory "+b.W.Dir+")" || got.Shell != nil {
		t.Errorf("%+v", got)
	}
	run("cd sub/dir; rmdir ../dir")
	if got := run("pwd"); got.Text != b.W.Dir+"\n" || !strings.Contains(got.Sent, "sub/dir is gone: back in the working directory") {
		t.Errorf("%+v", got)
	}
	b.W.Shell.Restore(b.W.Dir+"/sub", true)
	if got := run("pwd"); got.Text != b.W.Dir+"/sub\n" || !strings.Contains(got.Sent, "the session was resumed") || strings.Contains(run("true").Sent, "resumed") {
		t.Errorf("%+v", got)
	}
}

// A command cannot take more of the machine than its bounds: what it prints for ever is counted, not kept.
func TestOutputForEver(t *testing.T) {
	b := tooltest.New(t, nil)
	shown := 0
	j, err := Bash.Prepare(b.W, json.RawMessage(`{"command":"yes | head -c 6000000"}`))
	if err != nil {
		t.Fatal(err)
	}
	got := j.Run(context.Background(), "c1", func(text string) { shown += len(text) }).Result
	if shown > liveBytes || len(got.Text) > captureHead+captureTail+500 || got.Summary != "3,000,000 lines" || !got.Truncated {
		t.Errorf("%d shown, %d kept, %s", shown, len(got.Text), got.Summary)
	}
}

// The overhead of a command against the shell alone.
func BenchmarkCommand(b *testing.B) {
	w := tooltest.Workspace(b)
	b.Run("bash -c true", func(b *testing.B) {
		for b.Loop() {
			c, err := w.Processes.Start(context.Background(), proc.Command{Argv: []string{"bash", "-c", "true"}, Dir: w.Dir, Env: w.Environ, NoInput: true, Merge: true})
			if err != nil {
				b.Fatal(err)
			}
			<-c.Done()
			_ = c.Stdout().Close()
		}
	})
	b.Run("Bash", func(b *testing.B) {
		for b.Loop() {
			j, err := Bash.Prepare(w, json.RawMessage(`{"command":"true"}`))
			if err != nil {
				b.Fatal(err)
			}
			j.Run(context.Background(), "c1", func(string) {})
		}
	})
}

// From the interrupt to the end of the call.
func BenchmarkInterrupt(b *testing.B) {
	w := tooltest.Workspace(b)
	for name, command := range stubborn {
		input, err := json.Marshal(tooltest.Obj{"command": command})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			var took time.Duration
			for b.Loop() {
				ctx, interrupt := context.WithCancel(context.Background())
				j, err := Bash.Prepare(w, input)
				if err != nil {
					b.Fatal(err)
				}
				var at time.Time
				j.Run(ctx, "c1", func(string) {
					at = time.Now()
					interrupt()
				})
				took += time.Since(at)
			}
			b.ReportMetric(float64(took.Microseconds())/1000/float64(b.N), "ms/interrupt")
		})
	}
}
