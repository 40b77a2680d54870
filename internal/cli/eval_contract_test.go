//go:build contract && linux

package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/cli/command"
	"parley/internal/eval"
	"parley/session"
	"parley/session/runtimes/runtimestest"
)

// TestContractEvalWithClaude makes the suite's runs with each real runtime, from the same solutions, and what -p promises
// of agents that keep to no limits themselves.
func TestContractEvalWithClaude(t *testing.T) {
	tasks, err := eval.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	solutions, err := eval.Script(tasks)
	if err != nil {
		t.Fatal(err)
	}
	dir := runtimestest.Installed(t)
	for _, version := range runtimestest.Claudes {
		t.Run(version, func(t *testing.T) {
			w := newWorld(t).cached().signInTo(solutions)
			w.useRuntime(dir, version)
			for _, task := range []string{"json-setting", "question-explain", "fix-off-by-one"} {
				r, o := w.evaluates("--yes", "--agents", "claude", "--task", task)
				if len(r.Runs) != 1 || o.code != 0 {
					t.Fatalf("%+v", o)
				}
				if run := r.Runs[0]; !run.Passed || run.Agent != "claude" || run.Requests < 2 || run.Usage.Output == 0 || run.NanoAIU == 0 || run.Calls == 0 {
					t.Errorf("%+v", run)
				}
			}
		})
		t.Run(version+" without a screen", func(t *testing.T) {
			w := newWorld(t).signIn(driven)
			w.useRuntime(dir, version)
			w.limitsHold()
			w.answersBySchema()
			w.isDriven()
		})
	}
}

func (w *world) limitsHold() {
	w.t.Helper()
	for _, tc := range [][]string{{"--max-turns", "3", "limit of 3 requests"}, {"--max-time", "3s", "limit of 3s"}} {
		r, o := w.ends("", "-p", "--agent", "claude", "--allow", "command echo *", tc[0], tc[1], "--output-format", "json", "over and over")
		if o.code != int(command.ExitFailed) || r.Outcome != session.TurnLimit || !strings.Contains(o.err, tc[2]) {
			w.t.Errorf("%q: %+v", tc, o)
		}
	}
}

func (w *world) answersBySchema() {
	w.t.Helper()
	const schema = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	if o := w.run("-p", "--agent", "claude", "--json-schema", schema, "how many"); o.code != 0 || o.out != `{"n":3}`+"\n" {
		w.t.Errorf("%+v", o)
	}
}

// isDriven answers what the runtime asks by a line.
func (w *world) isDriven() {
	w.t.Helper()
	in, program := io.Pipe()
	seen := make(chan string, 1)
	var out bytes.Buffer
	go func() {
		io.WriteString(program, `{"type":"prompt","text":"bash"}`+"\n")
		fmt.Fprintf(program, `{"type":"answer","ask":%q,"answer":{"decision":"allow"}}`+"\n", <-seen)
		io.WriteString(program, `{"type":"prompt","text":"thanks"}`+"\n")
		program.Close()
	}()
	code := Main(w.t.Context(), Process{Args: []string{"-p", "--agent", "claude", "--input-format", "stream-json"}, Environ: w.env, In: in,
		Out: io.MultiWriter(&out, &askFinder{seen: seen}), Err: io.Discard, Policy: noPolicy})
	if _, err := os.Stat(filepath.Join(w.dir, "made")); err != nil || code != 0 || !strings.Contains(out.String(), "You said: thanks") {
		w.t.Errorf("exit %d, %v\n%s", code, err, out.String())
	}
}
