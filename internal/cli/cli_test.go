package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/cli/command"
	"parley/internal/cli/headless"
	hosting "parley/internal/cli/host"
	"parley/session"
	"parley/session/claude/claudetest"
	"parley/session/mcp/mcptest"
	"parley/session/proc/proctest"
	"parley/session/rules"
	"parley/session/runtimes/runtimestest"
)

// asParley makes the test binary behave as the program, for tests that need a process of its own.
const asParley = "PARLEY_TEST_BINARY_RUNS_MAIN"

// noPolicy takes the place of a policy of the machine that the tests run on.
var noPolicy = &rules.PolicyFile{}

// sources is the root of the module, whatever directory a test goes to.
var sources string

func TestMain(m *testing.M) {
	demoClock = hasty(time.Now())
	mcptest.ServeIfAsked()
	if room := os.Getenv(panicsIn); room != "" {
		os.Exit(panicIn(room))
	}
	if os.Getenv(asParley) != "" || slices.Contains(os.Args, hosting.ServeName) { // a host that this binary started
		os.Unsetenv(asParley)
		if peak := os.Getenv(peakFile); peak != "" {
			os.Unsetenv(peakFile)
			code := Main(context.Background(), Process{Args: os.Args[1:], Environ: os.Environ(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Policy: noPolicy})
			writePeak(peak)
			os.Exit(code)
		}
		os.Exit(Main(context.Background(), Process{Args: os.Args[1:], Environ: os.Environ(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Policy: noPolicy}))
	}
	claudetest.Main(claudeScripts)
	playCopilot()
	dir, _ := os.Getwd()
	sources = filepath.Dir(filepath.Dir(dir))
	// gh's own search reads the process's environment: nothing of the machine's login may be found.
	for _, name := range []string{"GH_TOKEN", "GITHUB_TOKEN", "COPILOT_GITHUB_TOKEN", "GH_HOST"} {
		os.Unsetenv(name)
	}
	empty, err := os.MkdirTemp("", "parley-test-")
	if err != nil {
		panic(err)
	}
	os.Setenv("GH_CONFIG_DIR", empty)
	os.Setenv("GH_PATH", filepath.Join(empty, "no-gh"))
	runAtOnce(6)
	code := proctest.Watch(m).Run()
	os.RemoveAll(empty)
	os.Exit(code)
}

const talkative = `
pace: {chars: 20, rate: 0}
rules:
  - when: {prompt: bash, result: false}
    reply:
      - text: First I run something.
      - tool: Bash
        input: {command: "touch made"}
  - when: {prompt: quota}
    reply: [{fault: {kind: status, status: 402}}]
  - when: {prompt: refused login}
    reply: [{fault: {kind: status, status: 401}}]
  - when: {prompt: bad request}
    reply: [{fault: {kind: status, status: 400}}]
  - when: {result: true}
    reply: So be it.
  - reply: "You said: {{last_user}}"
`

func TestExitCodes(t *testing.T) {
	for _, tc := range []struct {
		name   string
		args   []string
		stdin  string
		env    string
		login  bool
		code   int
		stdout string
		stderr string
	}{
		{name: "version", args: []string{"--version"}, stdout: "parley "},
		{name: "version command", args: []string{"version"}, stdout: "parley "},
		{name: "help", args: []string{"--help"}, stdout: "parley --demo"},
		{name: "unknown flag", args: []string{"--nonsense"}, code: 2, stderr: "nonsense"},
		{name: "a command of others", args: []string{"login"}, code: 2, stderr: "parley auth login"},
		{name: "another one", args: []string{"resume"}, code: 2, stderr: "`parley -- resume` sends it as a prompt"},
		{name: "the word as a prompt", args: []string{"-p", "status"}, login: true, stdout: "You said: status\n"},
		{name: "bad agent", args: []string{"-p", "--agent", "clod", "hi"}, code: 2, stderr: "auto, builtin, claude, copilot"},
		{name: "bad mode", args: []string{"-p", "--permission-mode", "x", "hi"}, code: 2, stderr: "acceptEdits"},
		{name: "bad format", args: []string{"-p", "--output-format", "x", "hi"}, code: 2, stderr: "stream-json"},
		{name: "format without -p", args: []string{"--output-format", "json"}, code: 2, stderr: "-p"},
		{name: "-c and -r", args: []string{"-c", "-r"}, code: 2, stderr: "not both"},
		{name: "demo and -c", args: []string{"--demo", "-c"}, code: 2, stderr: "demo"},
		{name: "nothing to answer", args: []string{"-p"}, code: 2, stderr: "words"},
		{name: "no terminal", args: nil, code: 2, stderr: "-p"},
		{name: "no such directory", args: []string{"-p", "--add-dir", "nowhere", "hi"}, login: true, code: 2, stderr: "nowhere"},
		{name: "no Copilot runtime", args: []string{"-p", "--agent", "copilot", "hi"}, env: "PATH=", login: true, code: 1, stderr: "parley runtimes install copilot"},
		{name: "agent without its runtime", args: []string{"-p", "--agent", "claude", "hi"}, env: "PARLEY_CLAUDE_PATH=/nowhere/claude",
			login: true, code: 1, stderr: "claude.path"},
		{name: "unknown command of a group", args: []string{"sessions", "dance"}, code: 2, stderr: "dance"},
		{name: "arguments where none go", args: []string{"models", "x"}, code: 2, stderr: "no arguments"},
		{name: "missing configuration", args: []string{"--config", "gone.yaml", "config", "show"}, code: 2, stderr: "gone.yaml"},
		{name: "redirect off this machine", args: []string{"models"}, env: "PARLEY_COPILOT_API_URL=http://192.0.2.1", code: 2, stderr: "loopback"},
		{name: "unknown variable", args: []string{"config", "path"}, env: "PARLEY_MODLE=x", stderr: "PARLEY_MODEL"},
		{name: "not signed in", args: []string{"-p", "hi"}, code: 3, stderr: "parley --demo"},
		{name: "not signed in, models", args: []string{"models"}, code: 3, stderr: "GH_TOKEN"},
		{name: "not signed in, proxy", args: []string{"proxy"}, code: 3, stderr: "GH_TOKEN"},
		{name: "useless token", args: []string{"models"}, env: "COPILOT_GITHUB_TOKEN=ghp_classic", code: 3, stderr: "classic"},
		{name: "refused token", args: []string{"-p", "refused login"}, login: true, code: 3, stderr: "parley:"},
		{name: "quota", args: []string{"-p", "quota"}, login: true, code: 5, stderr: "parley:"},
		{name: "failure", args: []string{"-p", "bad request"}, login: true, code: 1, stderr: "parley:"},
		{name: "answer", args: []string{"-p", "hello", "world"}, login: true, stdout: "You said: hello world\n"},
		{name: "words that look like flags", args: []string{"-p", "--", "-c"}, login: true, stdout: "You said: -c\n"},
		{name: "piped bytes", args: []string{"-p", "sum:"}, stdin: "\x7fELF\x00\x01", login: true, code: 2, stderr: "the piped input is not text"},
		{name: "piped input", args: []string{"-p", "sum:"}, stdin: "1 2\n", login: true, stdout: "1 2"},
		{name: "a refused ask", args: []string{"-p", "bash"}, login: true, code: 4, stdout: "So be it.\n", stderr: "Allow it with --allow"},
		{name: "nothing to continue", args: []string{"-p", "-c", "more"}, login: true, code: 1, stderr: "no session"},
		{name: "no such session", args: []string{"-p", "-r", "abc", "more"}, login: true, code: 1, stderr: "abc"},
		{name: "no runtime", args: []string{"runtimes", "list"}, env: "PATH=", stdout: "run `parley runtimes install claude`"},
		{name: "no runtime of that name", args: []string{"runtimes", "install", "clod"}, code: 2, stderr: "claude"},
		{name: "no exact version", args: []string{"runtimes", "install", "claude@2"}, code: 2, stderr: "claude@" + runtimestest.ClaudeNewest},
		{name: "runtime too old", args: []string{"runtimes", "install", "claude@1.0.0"}, code: 2, stderr: "2.1.112"},
		{name: "no npm", args: []string{"runtimes", "install", "claude"}, env: "PATH=", code: 1, stderr: "Install Node.js"},
		{name: "nothing to remove", args: []string{"runtimes", "rm", "claude"}, code: 1, stderr: "parley runtimes list"},
		{name: "which runtime", args: []string{"runtimes", "rm"}, code: 2, stderr: "claude@2.1.197"},
		{name: "show without id", args: []string{"sessions", "show"}, code: 2, stderr: "id"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			if tc.login {
				w.signIn(talkative)
			}
			if tc.env != "" {
				w.env = append(w.env, tc.env)
			}
			o := w.runIn(tc.stdin, tc.args...)
			if o.code != tc.code || !strings.Contains(o.out, tc.stdout) || !strings.Contains(o.err, tc.stderr) {
				t.Errorf("exit %d, want %d\nstdout %q\nstderr %q", o.code, tc.code, o.out, o.err)
			}
		})
	}
}

func TestNoHomeIsNamed(t *testing.T) {
	w := newWorld(t)
	w.env = []string{"PATH=" + os.Getenv("PATH")}
	for _, args := range [][]string{{"config", "path"}, {"-p", "hello"}, {"sessions", "list"}, {"doctor"}} {
		if o := w.run(args...); o.code != 2 || !strings.Contains(o.err, "HOME") || !strings.Contains(o.err, "XDG_DATA_HOME") {
			t.Errorf("%q: %+v", args, o)
		}
	}
}

// What the program itself knows, and the demo, need no home, and no configuration that makes sense.
func TestWhatNeedsNoHome(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}, {"--help"}, {"help", "models"}, {"models", "--help"}, {"man"}, {"config", "schema"},
		{"completion", "bash"}, {"__complete", "sess"}, {"--demo", "-p", "--permission-mode", "bypassPermissions", "hello"}} {
		w := newWorld(t)
		w.env = []string{"PATH=" + os.Getenv("PATH")}
		if o := w.run(args...); o.code != 0 || o.out == "" || strings.Contains(o.err, "HOME") {
			t.Errorf("%q without a home: exit %d %s", args, o.code, o.err)
		}
		if left, err := os.ReadDir(w.dir); err != nil || len(left) > 0 {
			t.Errorf("%q left %v, %v", args, left, err)
		}
		if slices.Contains(args, "--demo") {
			continue
		}
		w.env = append(w.env, "HOME="+w.home)
		w.configure("modell: mine\n")
		if o := w.run(args...); o.code != 0 || o.out == "" {
			t.Errorf("%q with a broken configuration: exit %d %s", args, o.code, o.err)
		}
	}
}

// configure writes the world's configuration file.
func (w *world) configure(text string) (path string) {
	w.t.Helper()
	path = filepath.Join(w.home, ".config", "parley", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// What the chat refuses to start with, other commands tell as well.
func TestBadKeysAndThemesAreTold(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	path := w.configure("theme: nosuch\nui:\n  bindings:\n    - {key: ctrl+e, action: nosuchaction}\n")
	o := w.run("-p", "hello")
	if o.code != int(command.ExitUsage) || !strings.Contains(o.err, path+":4") || !strings.Contains(o.err, "nosuchaction") || w.asked() {
		t.Errorf("-p: %+v", o)
	}
	o = w.run("doctor")
	if o.code != int(command.ExitFailed) || !strings.Contains(o.out, "!!  keys ") || !strings.Contains(o.out, path+":4") ||
		!strings.Contains(o.out, "!!  theme ") || !strings.Contains(o.out, path+":1") {
		t.Errorf("doctor: %+v", o)
	}
	w.configure("theme: light\nui:\n  bindings:\n    - {key: ctrl+e, action: editor}\n")
	if o := w.run("doctor"); o.code != 0 || !strings.Contains(o.out, "1 of your own") || !strings.Contains(o.out, "light") {
		t.Errorf("doctor: %+v", o)
	}
	w.env = append(w.env, "GLAMOUR_STYLE=nowhere")
	w.configure("")
	if o := w.run("doctor"); o.code != int(command.ExitFailed) || !strings.Contains(o.out, "GLAMOUR_STYLE: ") {
		t.Errorf("doctor: %+v", o)
	}
}

func TestResultAsJSON(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	var r headless.Result
	o := w.run("-p", "--output-format", "json", "bash")
	if err := json.Unmarshal([]byte(o.out), &r); err != nil || o.code != int(command.ExitRefused) || r.ExitCode != o.code || o.err != "" {
		t.Fatalf("%v, %+v", err, o)
	}
	if r.Type != "result" || r.V != session.SchemaVersion || r.Outcome != session.TurnCompleted || r.Result != "So be it." ||
		r.Session == "" || r.Agent != "builtin" || r.Model == "" || r.Usage.Output == 0 {
		t.Errorf("%+v", r)
	}
	want := headless.Refusal{Tool: "Bash", Subject: "touch made", Kind: "permission", Allow: []string{"--allow 'command touch made'"}}
	if len(r.Refusals) != 1 || !reflect.DeepEqual(r.Refusals[0], want) {
		t.Errorf("refusals %+v, want %+v", r.Refusals, want)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "made")); !os.IsNotExist(err) {
		t.Errorf("the refused command ran: %v", err)
	}
	o = w.run("-p", "--output-format", "json", "quota")
	if err := json.Unmarshal([]byte(o.out), &r); err != nil {
		t.Fatal(err)
	}
	if o.code != int(command.ExitQuota) || r.ExitCode != int(command.ExitQuota) || r.Problem == nil || r.Problem.Kind != session.KindQuota {
		t.Errorf("exit %d, %+v", o.code, r)
	}
}

func TestResultAsStream(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	lines := strings.Split(strings.TrimSpace(w.run("-p", "--output-format", "stream-json", "bash").out), "\n")
	var first, last map[string]any
	for line, into := range map[string]*map[string]any{lines[0]: &first, lines[len(lines)-1]: &last} {
		if err := json.Unmarshal([]byte(line), into); err != nil {
			t.Fatal(err)
		}
	}
	if first["model"] == nil || first["model"] != last["model"] {
		t.Errorf("the first line does not know the model: %v", first)
	}
	if first["type"] != "session" || first["v"] != float64(session.SchemaVersion) || last["type"] != "result" || first["session"] != last["session"] {
		t.Errorf("first %v\nlast %v", first, last)
	}
	var tr session.Transcript
	for _, line := range lines[1 : len(lines)-1] {
		e, err := session.DecodeEvent([]byte(line))
		if err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		tr.Apply(e)
	}
	if len(tr.Turns) == 0 || headless.LastWords(tr.Turns[len(tr.Turns)-1]) != last["result"] {
		t.Errorf("the events do not add up to the result %q", last["result"])
	}
}

// The first line comes first, whatever becomes of the turn.
func TestStreamBeginsWithTheSession(t *testing.T) {
	for prompt, model := range map[string]bool{"hello": true, "quota": true, "bash": true} {
		w := newWorld(t).signIn(talkative)
		o := w.run("-p", "--output-format", "stream-json", prompt)
		types := map[string]int{}
		for i, line := range strings.Split(strings.TrimSpace(o.out), "\n") {
			var l struct{ Type, Model string }
			if err := json.Unmarshal([]byte(line), &l); err != nil {
				t.Fatal(err)
			}
			types[l.Type]++
			if (i == 0) != (l.Type == "session") || i == 0 && (l.Model != "") != model {
				t.Errorf("%s: line %d is %s", prompt, i+1, line)
			}
		}
		if types["turn_started"] != 1 || types["turn_ended"] != 1 || types["result"] != 1 {
			t.Errorf("%s: %v", prompt, types)
		}
	}
}

func TestContinueAndResume(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "one")
	if got := w.mustRun("-p", "-c", "two"); got != "You said: two\n" {
		t.Errorf("continued: %q", got)
	}
	var list []session.Meta
	if err := json.Unmarshal([]byte(w.mustRun("sessions", "list", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || list[0].First != "one" || list[0].Dir != w.dir {
		t.Fatalf("%+v", list)
	}
	w.mustRun("-p", "-r", string(list[0].ID[:8]), "three")
	reqs := w.sim.Requests()
	last := string(reqs[len(reqs)-1].Body)
	for _, said := range []string{"one", "You said: one", "two", "You said: two", "three"} {
		if !strings.Contains(last, said) {
			t.Errorf("the last request does not hold %q", said)
		}
	}
	// Another directory has nothing to continue.
	t.Chdir(t.TempDir())
	if o := w.run("-p", "-c", "more"); o.code != 1 {
		t.Errorf("continued elsewhere: %+v", o)
	}
}
