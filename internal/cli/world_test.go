package cli

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/copilot/sim"
	"parley/copilot/sim/cloud"
	"parley/copilot/sim/script"
)

// world is a home directory, a project directory and, where wanted, a simulated Copilot.
type world struct {
	t    testing.TB
	home string
	dir  string
	sim  *sim.Server
	env  []string
	// blind shows what comes to its terminals as bytes rather than as a screen: reading them costs nothing then.
	blind bool
	// apart runs commands in processes of their own, in dir, rather than in this one.
	apart bool
}

// newWorld makes a world in whose project directory this process is, so that its test runs alone.
func newWorld(t testing.TB) *world {
	t.Helper()
	w := newWorldApart(t)
	w.apart = false
	t.Chdir(w.dir)
	return w
}

// newWorldApart makes a world that leaves this process alone. It is for tests that wait, which call t.Parallel.
func newWorldApart(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, home: t.TempDir(), dir: t.TempDir(), apart: true}
	w.env = []string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "PARLEY_AGENT=builtin", "TERM=xterm-256color", "LANG=C.UTF-8",
		"PARLEY_SESSIONS_OUTLIVE=false"} // newOutliving has it on
	return w
}

// signIn adds a simulated Copilot and a login to it.
func (w *world) signIn(rules string) *world {
	w.t.Helper()
	if rules == "" {
		return w.signInTo(nil)
	}
	s, err := script.Parse(strings.NewReader(rules), "script.yaml")
	if err != nil {
		w.t.Fatal(err)
	}
	return w.signInTo(s)
}

// signInTo adds a simulated Copilot that plays a script, the built-in one for nil, and a login to it.
func (w *world) signInTo(s *script.Script) *world {
	w.t.Helper()
	sim, err := sim.Start(sim.Options{Script: s, Cloud: cloud.Options{Plan: quick}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { sim.Close() })
	w.sim = sim
	w.env = append(w.env, "PARLEY_GITHUB_API_URL="+sim.GitHubURL(), "PARLEY_COPILOT_API_URL="+sim.CopilotURL(),
		"COPILOT_GITHUB_TOKEN="+sim.Token())
	return w
}

// outcome is what one run of the program did.
type outcome struct {
	code     int
	out, err string
}

func (w *world) run(args ...string) outcome { return w.runIn("", args...) }

func (w *world) runIn(stdin string, args ...string) outcome {
	w.t.Helper()
	var out, errs bytes.Buffer
	if w.apart {
		cmd := w.process(args...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			w.t.Fatal(err)
		}
		return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
	}
	code := Main(w.t.Context(), Process{Args: args, Environ: w.env, In: strings.NewReader(stdin), Out: &out, Err: &errs, Policy: noPolicy})
	return outcome{code, out.String(), errs.String()}
}

// process returns parley as a process that was not started, in the project directory.
func (w *world) process(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(w.t.Context(), os.Args[0], args...)
	cmd.Env, cmd.Dir = append([]string{asParley + "=1"}, w.env...), w.dir
	return cmd
}

func (w *world) mustRun(args ...string) string {
	w.t.Helper()
	o := w.run(args...)
	if o.code != 0 {
		w.t.Fatalf("parley %q: exit %d\n%s%s", args, o.code, o.out, o.err)
	}
	return o.out
}

// runAtOnce lets so many parallel tests run at once, unless a flag says how many: more than there are processors, because
// those of this package wait for what a person waits for, most of the time.
func runAtOnce(n int) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err)
	}
}

// hasty is a clock that has run twenty times as fast as the real one since a moment: the demo writes for people.
type hasty time.Time

const haste = 20

func (h hasty) Now() time.Time {
	began := time.Time(h)
	return began.Add(haste * time.Since(began))
}

func (h hasty) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d / haste)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
