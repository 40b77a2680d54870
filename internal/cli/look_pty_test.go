//go:build unix

package cli

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/creack/pty"
)

// atWidth runs parley with a terminal of so many columns for its output, and returns what came to the terminal.
func (w *world) atWidth(cols int, args ...string) outcome {
	w.t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		w.t.Fatal(err)
	}
	defer master.Close()
	if err := pty.Setsize(slave, &pty.Winsize{Rows: 24, Cols: uint16(cols)}); err != nil {
		w.t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		b, _ := io.ReadAll(master) // ends with EIO once the other end is closed
		read <- string(b)
	}()
	code := Main(w.t.Context(), Process{Args: args, Environ: w.env, In: strings.NewReader(""), Out: slave, Err: slave})
	slave.Close()
	return outcome{code: code, out: strings.ReplaceAll(<-read, "\r\n", "\n")}
}

// everyCommand lists what commands print: facts, help and errors.
func everyCommand() (runs [][]string) {
	for _, line := range []string{"sessions list", "models", "auth status", "auth login", "doctor", "runtimes list", "config show", "version",
		"--help", "--nonsens", "sessions", "sessions lst", "sessions show", "sessions show zzzz", "sessions rm zzzz", "sessions list --jsn",
		"models x", "-p hello -m nope", "-p", "runtimes install clod", "runtimes rm claude", "config shw", "config show --config gone.yaml",
		"proxy --addr 8.8.8.8:1", "--agent clod -p hi", "-c -r", "help sessions rm"} {
		runs = append(runs, strings.Fields(line))
	}
	for _, path := range leaves(rootCommand(newApp(Process{Out: io.Discard, Err: io.Discard}))) {
		if path[0] != "completion" { // its help has commands to be copied, which are never broken
			runs = append(runs, append(path, "--help"))
		}
	}
	return runs
}

// No line of a command is wider than the terminal, and no line of prose than 100 columns.
func TestCommandsFitTheTerminal(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "hello, "+strings.Repeat("and more of it ", 20))
	w.mustRun("-p", "日本語のとても長い題名"+strings.Repeat("です", 40))
	for _, args := range everyCommand() {
		for _, cols := range []int{40, 60, 80, 120} {
			o := w.atWidth(cols, args...)
			if o.out == "" {
				t.Errorf("%q prints nothing", args)
			}
			for line := range strings.SplitSeq(o.out, "\n") {
				if n := lipgloss.Width(line); n > cols {
					t.Errorf("%q at %d columns: a line of %d: %q", args, cols, n, line)
				}
			}
		}
	}
}

// What goes into a pipe has no escapes, whatever the environment says of colors, and --json is JSON with the documented fields.
func TestPipesAndJSON(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "hello")
	id := string(w.listed()[0].ID)
	w.claudeOnPath("2.1.197")
	w.env = append(w.env, "COLORTERM=truecolor", "FORCE_COLOR=1")
	for _, args := range everyCommand() {
		if o := w.run(args...); strings.ContainsAny(o.out+o.err, "\x1b\a\r") {
			t.Errorf("%q: a pipe gets %q", args, o.out+o.err)
		}
	}
	documented, err := os.ReadFile(sources + "/docs/headless.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range [][2]string{
		{"sessions list", "id agent dir created updated first turns"}, {"sessions show " + id, "v meta events"},
		{"sessions export " + id, "v meta events"}, {"sessions fork " + id, "id"}, {"sessions rm " + id, "id"},
		{"models", "id name contextWindow maxOutput"}, {"auth status", "login plan source host quotas"}, {"doctor", "check ok found"},
		{"runtimes list", "name used notices installed"}, {"config show", "key value source default"}, {"config path", "path exists"},
		{"version", "version go os arch"},
	} {
		command, fields := tc[0], tc[1]
		args := append(strings.Fields(command), "--json")
		out := w.mustRun(args...)
		var v any
		if err := json.Unmarshal([]byte(out), &v); err != nil {
			t.Errorf("%q: %v\n%s", args, err, out)
			continue
		}
		if list, ok := v.([]any); ok && len(list) > 0 {
			v = list[0]
		}
		object, _ := v.(map[string]any)
		for _, field := range strings.Fields(fields) {
			if _, ok := object[field]; !ok {
				t.Errorf("%q: no %s in\n%s", args, field, out)
			}
			if !strings.Contains(string(documented), "`"+field+"`") {
				t.Errorf("docs/headless.md does not describe %s of %q", field, args)
			}
		}
	}
}

// NO_COLOR leaves bold and dim, a dumb terminal nothing.
func TestColorsOfCommands(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	env := w.env
	for _, tc := range []struct {
		set          []string
		colors, bold bool
	}{{nil, true, true}, {[]string{"NO_COLOR=1"}, false, true}, {[]string{"PARLEY_UI_COLORS=none"}, false, true}, {[]string{"TERM=dumb"}, false, false}} {
		w.env = append(env[:len(env):len(env)], tc.set...)
		out := w.atWidth(80, "doctor").out
		if strings.Contains(out, "\x1b[32m") != tc.colors || strings.Contains(out, "\x1b[1m") != tc.bold {
			t.Errorf("%v: %q", tc.set, out)
		}
	}
}

// Errors name the nearest command or flag.
func TestMistakesNameTheNearest(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	for line, want := range map[string]string{
		"sessions lst":         "Did you mean `parley sessions list`?",
		"sessions list --jsn":  "Did you mean `--json`?",
		"--permision-mode x":   "Did you mean `--permission-mode`?",
		"modles":               "Did you mean `parley models`?",
		"session":              "Did you mean `parley sessions`?",
		"sessions weather":     "See `parley sessions --help`.",
		"completion bsh":       "Did you mean `parley completion bash`?",
		"models --json x":      "See `parley models --help`.",
		"-p hi --agent clod":   "builtin",
		"config show --sceen=": "Did you mean `--screen`?",
	} {
		if o := w.run(strings.Fields(line)...); o.code != 2 || !strings.Contains(o.err, want) {
			t.Errorf("%s: exit %d, %q", line, o.code, o.err)
		}
	}
	if o := w.run("-p", "modles"); o.code != 0 || !strings.Contains(o.out, "You said: modles") {
		t.Errorf("a prompt of one word: %+v", o)
	}
}
