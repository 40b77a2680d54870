//go:build unix

package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"parley/session"
	"parley/session/proc"
	"parley/session/proc/proctest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(proctest.Watch(m), goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

// runner is a runner under test, with what it told the user.
type runner struct {
	*Runner
	t   *testing.T
	dir string

	mu      sync.Mutex
	notices []string
}

func newRunner(t *testing.T, hooks ...Hook) *runner {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{t: t, dir: dir}
	group := proc.New(proc.Options{})
	for i := range hooks {
		if hooks[i].Kind == "" {
			hooks[i].Kind = Command
		}
		if hooks[i].Root == "" {
			hooks[i].Root = dir
		}
	}
	r.Runner = New(Options{Find: func(context.Context) Set { return Set{Hooks: hooks} }, About: About{Session: "s1", Dir: dir, Transcript: "/t"},
		Processes: group, Environ: func() []string { return append(os.Environ(), "SECRET_ENV=s3") }, Notice: func(_ session.Severity, text string) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.notices = append(r.notices, text)
		}, Ask: func(_ context.Context, model, system, question string) (string, error) {
			if model == "none" {
				return "", errors.New("no such model")
			}
			if strings.Contains(question, `"tool_name":"Bash"`) && strings.Contains(system, `"ok"`) {
				return `{"ok":false,"reason":"asked ` + model + `"}`, nil
			}
			return `{"ok":true}`, nil
		}})
	t.Cleanup(func() {
		r.Close()
		if err := group.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *runner) told() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.notices, "\n")
}

func (r *runner) read(name string) string {
	data, _ := os.ReadFile(filepath.Join(r.dir, name))
	return string(data)
}

func TestCommandsGetTheEventAndDecide(t *testing.T) {
	r := newRunner(t,
		Hook{Event: PreToolUse, Command: `cat > in.json; echo "$CLAUDE_PROJECT_DIR $PWD" > env`},
		Hook{Event: PreToolUse, Command: `echo "not in this house" >&2; exit 2`},
		Hook{Event: PreToolUse, Command: "sh", Args: []string{"-c", `printf %s "$1" > args`, "sh", "${CLAUDE_PROJECT_DIR}/a b"}},
		Hook{Event: PreToolUse, Command: `echo "{\"systemMessage\":\"hello user\"}"`},
		Hook{Event: PreToolUse, Command: `touch never`, Why: disagreed},
		Hook{Event: PreToolUse, Matcher: "Read", Command: `touch never`},
		Hook{Event: PreToolUse, Command: `echo x >> once`, Once: true})
	o := r.Fire(t.Context(), call)
	if !o.Blocked || o.Why != "not in this house" {
		t.Errorf("%+v", o)
	}
	r.Fire(t.Context(), call)
	var in map[string]any
	if err := json.Unmarshal([]byte(r.read("in.json")), &in); err != nil || in["tool_name"] != "Bash" || in["hook_event_name"] != "PreToolUse" {
		t.Errorf("%v %v", in, err)
	}
	for name, want := range map[string]string{"env": r.dir + " " + r.dir + "\n", "args": r.dir + "/a b", "once": "x\n", "never": ""} {
		if got := r.read(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(r.told(), "PreToolUse says: hello user") {
		t.Error(r.told())
	}
	report := r.Hooks(t.Context())
	if len(report.Hooks) != 7 || len(report.Runs) != 9 {
		t.Fatalf("%+v", report)
	}
	for _, run := range report.Runs {
		if strings.Contains(run.Runs, "exit 2") && (run.Outcome != "blocked" || run.Said != "not in this house" || run.Event != "PreToolUse:Bash") {
			t.Errorf("%+v", run)
		}
	}
}

// No hook holds a turn longer than its time, whatever it does, and nothing of it is left.
func TestUnrulyCommandsEnd(t *testing.T) {
	const soon = 300 * time.Millisecond
	for name, c := range map[string]struct {
		line    string
		timeout time.Duration
		blocked bool
		outcome string
	}{
		"hangs":                 {"sleep 1000", soon, true, "blocked: it timed out after"},
		"ignores signals":       {"trap '' TERM INT HUP PIPE; while :; do sleep 1; done", soon, true, "blocked: it timed out after"},
		"forks":                 {"sleep 1000 & sleep 1000 & wait", soon, true, "blocked: it timed out after"},
		"leaves its group":      {"setsid sleep 1000 & sleep 1000", soon, true, "blocked: it timed out after"},
		"leaves a child":        {"sleep 1000 & exit 0", time.Minute, false, "ok"},
		"floods":                {"yes", time.Minute, false, "failed: it printed more than 8 MB"},
		"floods its errors":     {"yes >&2", time.Minute, false, "failed: it printed more than 8 MB"},
		"says much":             {"head -c 400000 /dev/zero | tr '\\0' x", time.Minute, false, "failed: it printed more than 256 KB"},
		"dies":                  {"kill -9 $$", time.Minute, false, "failed: it was ended by a signal"},
		"is missing":            {"./missing.sh", time.Minute, false, "failed: it cannot be started"},
		"closes its output":     {"exec >&- 2>&-; sleep 1000", soon, true, "blocked: it timed out after"},
		"reads nothing":         {"exit 2", time.Minute, true, "blocked"},
		"prints what is broken": {"echo '{\"a\":'", time.Minute, false, "failed: it printed JSON that cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t, Hook{Event: PreToolUse, Command: c.line, Timeout: c.timeout})
			e := call
			e.Input = json.RawMessage(`{"content":"` + strings.Repeat("x", 1<<20) + `"}`) // more than a pipe holds
			o := r.Fire(t.Context(), e)
			runs := r.Hooks(t.Context()).Runs
			if o.Blocked != c.blocked || len(runs) != 1 || !strings.HasPrefix(runs[0].Outcome, c.outcome) {
				t.Errorf("%+v\n%+v", o, runs)
			}
			if strings.Contains(runs[0].Outcome, ": ") != strings.Contains(r.told(), "gave no verdict") {
				t.Errorf("%q is told as %q", runs[0].Outcome, r.told())
			}
		})
	}
}

func TestAnInterruptEndsHooks(t *testing.T) {
	r := newRunner(t, Hook{Event: PreToolUse, Command: "echo > begun; sleep 1000"})
	if err := unix.Mkfifo(filepath.Join(r.dir, "begun"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		r.read("begun")
		cancel()
	}()
	if o := r.Fire(ctx, call); o.Blocked {
		t.Errorf("%+v", o)
	}
	if runs := r.Hooks(t.Context()).Runs; len(runs) != 1 || runs[0].Outcome != "interrupted" || r.told() != "" {
		t.Errorf("%+v %s", runs, r.told())
	}
}

func TestNothingWaitsForAsyncHooks(t *testing.T) {
	r := newRunner(t, Hook{Event: Stop, Command: "sleep 1000; exit 2", Async: true}, Hook{Event: Stop, Command: `echo '{"async":true}'; sleep 1000`})
	if o := r.Fire(t.Context(), Event{Name: Stop}); o.Blocked {
		t.Errorf("%+v", o)
	}
	r.Begin(Event{Name: Stop})
	r.Close() // ends them
	if o := r.Fire(t.Context(), Event{Name: Stop}); o.Blocked {
		t.Error("a hook runs after the end")
	}
}

func TestRequestsAndQuestions(t *testing.T) {
	var got http.Header
	over := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/ok":
			got = q.Header
			_, _ = w.Write([]byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"HTTP CTX"}}`))
		case "/elsewhere":
			http.Redirect(w, q, "/ok", http.StatusTemporaryRedirect)
		case "/hangs":
			<-over
		case "/large":
			_, _ = w.Write([]byte(strings.Repeat("x", maxOutput+1)))
		}
	}))
	defer s.Close()
	defer close(over)
	at := func(path string) Hook { return Hook{Event: PreToolUse, Kind: HTTP, URL: s.URL + path} }
	h := at("/ok")
	h.Headers, h.Allowed = map[string]string{"X-A": "Bearer ${SECRET_ENV}", "X-B": "$HOME"}, []string{"SECRET_ENV"}
	o := newRunner(t, h).Fire(t.Context(), call)
	if len(o.Context) != 1 || !strings.HasSuffix(o.Context[0], "HTTP CTX") || got.Get("X-A") != "Bearer s3" || got.Get("X-B") != "" {
		t.Errorf("%+v %v", o, got)
	}
	slow := at("/hangs")
	slow.Timeout = 200 * time.Millisecond
	for want, h := range map[string]Hook{"failed: its address answered with status 307": at("/elsewhere"), "failed: it answered with more": at("/large"),
		"blocked: it timed out after": slow, "failed: the model did not answer": {Event: PreToolUse, Kind: Prompt, Text: "x", Model: "none"}} {
		r := newRunner(t, h)
		r.Fire(t.Context(), call)
		if runs := r.Hooks(t.Context()).Runs; len(runs) != 1 || !strings.HasPrefix(runs[0].Outcome, want) {
			t.Errorf("%s: %+v", want, runs)
		}
	}
	r := newRunner(t, Hook{Event: PreToolUse, Kind: Prompt, Text: "Is this fine? $ARGUMENTS", Model: "small"})
	if o := r.Fire(t.Context(), call); !o.Blocked || o.Why != "asked small" {
		t.Errorf("%+v", o)
	}
}

func TestChangedFiles(t *testing.T) {
	r := newRunner(t, Hook{Event: FileChanged, Matcher: "a.txt|b.txt", Command: `cat >> events`},
		Hook{Event: SessionStart, Command: `echo '{"hookSpecificOutput":{"hookEventName":"SessionStart","watchPaths":["sub/c.txt"]}}'`},
		Hook{Event: FileChanged, Matcher: "c.txt", Command: `cat >> more`})
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.txt", "1")
	_ = os.Mkdir(filepath.Join(r.dir, "sub"), 0o700)
	r.Fire(t.Context(), Event{Name: SessionStart, Why: "startup"})
	r.Look(t.Context())
	write("a.txt", "22")
	write("b.txt", "1")
	write("sub/c.txt", "1")
	r.Look(t.Context())
	r.Look(t.Context())
	if err := os.Remove(filepath.Join(r.dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	r.Look(t.Context())
	var got []string
	for line := range strings.Lines(r.read("events") + r.read("more")) {
		var in struct {
			Path  string `json:"file_path"`
			Event string `json:"event"`
		}
		if err := json.Unmarshal([]byte(line), &in); err != nil {
			t.Fatal(err)
		}
		got = append(got, filepath.Base(in.Path)+" "+in.Event)
	}
	if text := strings.Join(got, ", "); text != "a.txt change, b.txt add, a.txt unlink, c.txt add" {
		t.Error(text)
	}
}

// A hook of a session's start sets variables by lines that need no shell. Others have no file for them.
func TestEnvFile(t *testing.T) {
	write := `printf '%s\n' '# mine' 'export ONE="a $SECRET_ENV"' 'TWO=${ONE}/b' "export THREE='\$x y'" 'source x.sh' >> "$CLAUDE_ENV_FILE"; echo hi`
	r := newRunner(t, Hook{Event: SessionStart, Command: write}, Hook{Event: PreToolUse, Command: `test -z "$CLAUDE_ENV_FILE"`},
		Hook{Event: SessionStart, Command: `echo FOUR=4 >> "$CLAUDE_ENV_FILE"; exit 1`})
	o := r.Fire(t.Context(), Event{Name: SessionStart, Why: "startup"})
	if got := strings.Join(o.Environ, "|"); got != "ONE=a s3|TWO=a s3/b|THREE=$x y" || len(o.Context) != 1 {
		t.Errorf("%q %+v", got, o.Context)
	}
	if told := r.told(); !strings.Contains(told, "CLAUDE_ENV_FILE that is not NAME=VALUE and was left out: source x.sh") {
		t.Error(told)
	}
	r.Fire(t.Context(), Event{Name: PreToolUse, Tool: "Bash"})
	if told := r.told(); strings.Contains(told, "PreToolUse") {
		t.Error(told)
	}
}

func TestAssignment(t *testing.T) {
	lookup := func(name string) string { return map[string]string{"PATH": "/bin", "A": "$(x)"}[name] }
	for line, want := range map[string]string{
		`A=b`: "A=b", `export A=`: "A=", `export PATH=$PATH:/x`: "PATH=/bin:/x", `export PATH="${PATH}:/my dir"`: "PATH=/bin:/my dir", `B=$A`: "B=$(x)", `B='a "b"'`: `B=a "b"`,
		`A=$(id)`: "", "A=`id`": "", `A="$(id)"`: "", `A=b; rm x`: "", `A=b c`: "", `A='b'c'd'`: "", `A="b"c"d"`: "", `A=$`: "", `A="\n"`: "", `1=b`: "", `declare -x A=b`: "", "A=\x00PATH\x00": "", `A=~/x`: "",
	} {
		kv, ok := assignment(line, lookup)
		if ok != (want != "") || ok && kv != want {
			t.Errorf("%q: %q, %t", line, kv, ok)
		}
	}
}
