package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"parley/internal/cli/command"
	"parley/internal/cli/headless"
	"parley/session"
)

const driven = `
pace: {chars: 20, rate: 0}
rules:
  - when: {prompt: bash, result: false}
    reply:
      - tool: Bash
        input: {command: "touch made"}
  - when: {prompt: "/slowly over and over/"}
    reply:
      - pause: 100ms
      - tool: Bash
        input: {command: "echo again {{round}}"}
  - when: {prompt: "/over and over/", round: ">=0"}
    reply:
      - text: Again.
      - tool: Bash
        input: {command: "echo again {{round}}"}
  - when: {prompt: "does not satisfy the JSON Schema"}
    reply: '{"n": 3}'
  - when: {prompt: JSON Schema}
    reply: "It is {\"n\": \"three\"}"
  - when: {result: true}
    reply: So be it.
  - reply: "You said: {{last_user}}"
`

// ends runs -p and returns its result.
func (w *world) ends(stdin string, args ...string) (headless.Result, outcome) {
	w.t.Helper()
	o := w.runIn(stdin, args...)
	var r headless.Result
	last := o.out
	if strings.Contains(strings.Join(args, " "), "stream-json") {
		lines := strings.Split(strings.TrimSpace(o.out), "\n")
		last = lines[len(lines)-1]
	}
	if err := json.Unmarshal([]byte(last), &r); err != nil {
		w.t.Fatalf("%v\n%s%s", err, o.out, o.err)
	}
	return r, o
}

// Rules of flags hold for the run, and those that deny win. What they refuse is listed, and the exit code says if nothing was done.
func TestRulesOfFlags(t *testing.T) {
	for _, tc := range []struct {
		args []string
		made bool
		why  string
	}{
		{nil, false, ""},
		{[]string{"--allow", "command touch *"}, true, ""},
		{[]string{"--allow", "command touch *", "--deny", "command touch *"}, false, "the rule command touch * "},
		{[]string{"--permission-mode", "bypassPermissions", "--deny", "command touch *"}, false, "the rule command touch * "},
		{[]string{"--permission-mode", "plan"}, false, "in plan mode nothing is changed"},
	} {
		t.Run(strings.Join(tc.args, " "), func(t *testing.T) {
			w := newWorld(t).signIn(driven)
			r, o := w.ends("", append(tc.args, "-p", "--output-format", "json", "bash")...)
			_, err := os.Stat(filepath.Join(w.dir, "made"))
			if (err == nil) != tc.made || (len(r.Refusals) == 0) != tc.made || (o.code == 0) != tc.made || r.ExitCode != o.code || r.Result != "So be it." {
				t.Errorf("made: %v, %+v", err, o)
			}
			if !tc.made && (o.code != int(command.ExitRefused) || r.Refusals[0].Subject != "touch made" || !strings.HasPrefix(r.Refusals[0].Why, tc.why)) {
				t.Errorf("%+v", o)
			}
		})
	}
}

const refusing = `
rules:
  - when: {prompt: edit and more, result: false}
    reply: [{tool: Write, input: {file_path: a.txt, content: x}}, {tool: Bash, input: {command: "touch made"}}, {tool: Bash, input: {command: "touch made"}}]
  - when: {prompt: look and edit, result: false}
    reply: [{tool: Bash, input: {command: ls}}, {tool: Write, input: {file_path: a.txt, content: x}}]
  - when: {prompt: command and edit, result: false}
    reply: [{tool: Bash, input: {command: "touch made"}}, {tool: Write, input: {file_path: a.txt, content: x}}]
  - when: {prompt: settings, result: false}
    reply: [{tool: Bash, input: {command: "cat ~/.ssh/id_rsa"}}]
  - when: {prompt: in a child, result: false}
    reply: [{tool: Task, input: {description: d, prompt: edit and more}}]
  - reply: Done.
`

// In text the refusals are on standard error with the flags that allow them. A run that changed a file has not failed.
func TestRefusalsInText(t *testing.T) {
	const edit = "refused: Write a.txt\nAllow it with --allow 'edit **' or --permission-mode acceptEdits.\n"
	const touch = "refused: Bash touch made\nAllow it with --allow 'command touch made'.\n"
	for _, tc := range []struct {
		prompt string
		args   []string
		code   command.ExitCode
		err    []string
	}{
		{"edit and more", nil, command.ExitRefused, []string{edit, touch}},
		{"look and edit", nil, command.ExitRefused, []string{edit}},
		{"settings", nil, command.ExitRefused, []string{"refused: Bash cat ~/.ssh/id_rsa: "}},
		{"in a child", nil, command.ExitRefused, []string{edit, touch}},
		{"edit and more", []string{"--permission-mode", "acceptEdits"}, command.ExitOK, []string{touch}},
		{"edit and more", []string{"--allow", "edit **", "--deny", "command touch *"}, command.ExitOK, []string{"refused: Bash touch made: the rule command touch * "}},
		{"edit and more", []string{"--allow", "command touch *"}, command.ExitOK, []string{edit}},
		{"edit and more", []string{"--permission-mode", "bypassPermissions"}, command.ExitOK, nil},
		{"command and edit", []string{"--allow", "command touch *"}, command.ExitOK, []string{edit}},
		{"hello", nil, command.ExitOK, nil},
	} {
		w := newWorld(t).signIn(refusing)
		o := w.run(append(tc.args, "-p", tc.prompt)...)
		if o.code != int(tc.code) || o.out != "Done.\n" || strings.Count(o.err, "refused: ") != len(tc.err) {
			t.Errorf("%s %q: %+v", tc.prompt, tc.args, o)
		}
		for _, says := range tc.err {
			if !strings.Contains(o.err, says) {
				t.Errorf("%s %q lacks %q:\n%s", tc.prompt, tc.args, says, o.err)
			}
		}
	}
}

func TestFlagsOfPrinting(t *testing.T) {
	w := newWorld(t).signIn(driven)
	for _, tc := range []struct {
		args []string
		says string
	}{
		{[]string{"-p", "--allow", "command go test *", "--allow", "comand x", "hi"}, `--allow, rule 2: a rule begins with command`},
		{[]string{"-p", "--deny", "Bash(rm:*)", "hi"}, "--deny, rule 1: a rule for a command is written as: command rm *"},
		{[]string{"--allow", "tool Bash", "hi"}, "--allow needs -p"},
		{[]string{"--max-time", "5m", "hi"}, "--max-time needs -p"},
		{[]string{"-p", "--max-turns", "-1", "hi"}, "must be positive"},
		{[]string{"-p", "--max-credits", "NaN", "hi"}, "must be positive"},
		{[]string{"-p", "--json-schema", "gone.json", "hi"}, "gone.json"},
		{[]string{"-p", "--json-schema", `{"type": 3}`, "hi"}, "--json-schema: it is not a JSON Schema"},
		{[]string{"-p", "--json-schema", `{"$ref": "https://example.com/x"}`, "hi"}, "--json-schema: it is not a usable"},
		{[]string{"-p", "--input-format", "yaml", "hi"}, `"yaml" is not one of text, stream-json`},
		{[]string{"-p", "--input-format", "stream-json", "--output-format", "json"}, "needs --output-format stream-json"},
		{[]string{"-p", "--input-format", "stream-json", "--json-schema", "{}"}, "--json-schema"},
	} {
		if o := w.run(tc.args...); o.code != int(command.ExitUsage) || !strings.Contains(o.err, tc.says) {
			t.Errorf("%q: %+v", tc.args, o)
		}
	}
}

// The answer is JSON that satisfies the schema, alone on standard output; what does not is asked for again.
func TestAnswerBySchema(t *testing.T) {
	const schema = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	w := newWorld(t).signIn(driven)
	if err := os.WriteFile(filepath.Join(w.dir, "schema.json"), []byte(schema), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := w.run("-p", "--json-schema", "schema.json", "how many"); o.code != 0 || o.out != `{"n":3}`+"\n" || o.err != "" {
		t.Errorf("%+v", o)
	}
	r, o := w.ends("", "-p", "--json-schema", schema, "--output-format", "json", "how many")
	if len(r.Structured) == 0 || o.code != 0 || r.Outcome != session.TurnCompleted {
		t.Errorf("%+v", o)
	}
	w = newWorld(t).signIn(strings.Replace(driven, `"does not satisfy the JSON Schema"`, `"unused"`, 1))
	if o := w.run("-p", "--json-schema", schema, "how many"); o.code != int(command.ExitFailed) || o.out != "" ||
		!strings.Contains(strings.Join(strings.Fields(o.err), " "), "after 3 tries") {
		t.Errorf("%+v", o)
	}
}

// Several turns in one process, settings, and lines that cannot be used.
func TestDrivenByLines(t *testing.T) {
	w := newWorld(t).signIn(driven)
	r, o := w.ends(`{"type":"prompt","text":"one","id":"p1"}
nonsense
{"type":"prompt","txt":"one"}
{"type":"dance"}

{"type":"answer","ask":"none","answer":{"decision":"allow"}}
{"type":"configure","mode":"yolo"}
{"type":"configure","mode":"acceptEdits"}
{"type":"prompt","text":"two"}`, "-p", "--input-format", "stream-json")
	if o.code != 0 || r.Result != "You said: two" {
		t.Errorf("%+v", o)
	}
	var lines []int
	results := 0
	for line := range strings.Lines(o.out) {
		satisfies(t, line)
		var l struct {
			Type string `json:"type"`
			Line int    `json:"line"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		switch l.Type {
		case "error":
			lines = append(lines, l.Line)
		case "result":
			results++
		}
	}
	if fmt.Sprint(lines) != "[2 3 4 6 7]" || results != 2 {
		t.Errorf("errors in lines %v, %d results:\n%s", lines, results, o.out)
	}
	if !strings.Contains(o.out, `"turn":"p1"`) || !strings.Contains(o.out, `"mode":"acceptEdits"`) {
		t.Error(o.out)
	}
}

// streamSchema is the published schema of stream-json. To resolve it costs more than to check lines.
var streamSchema = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(headless.StreamSchema(), &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
})

// satisfies checks a line of stream-json against the published schema.
func satisfies(t *testing.T, line string) {
	t.Helper()
	resolved, err := streamSchema()
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(v); err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

// Each line that is printed satisfies the published schema, also while a program answers what is asked.
func TestStreamSatisfiesItsSchema(t *testing.T) {
	w := newWorld(t).signIn(driven)
	for _, prompt := range []string{"hello", "bash"} {
		for line := range strings.Lines(w.run("-p", "--output-format", "stream-json", prompt).out) {
			satisfies(t, line)
		}
	}
	in, program := io.Pipe()
	seen := make(chan string, 1)
	var out bytes.Buffer
	go func() {
		io.WriteString(program, `{"type":"prompt","text":"bash"}`+"\n")
		fmt.Fprintf(program, `{"type":"answer","ask":%q,"answer":{"decision":"allow"}}`+"\n", <-seen)
		program.Close()
	}()
	code := Main(t.Context(), Process{Args: []string{"-p", "--input-format", "stream-json"}, Environ: w.env, In: in,
		Out: io.MultiWriter(&out, &askFinder{seen: seen}), Err: io.Discard, Policy: noPolicy})
	for line := range strings.Lines(out.String()) {
		satisfies(t, line)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "made")); err != nil || code != 0 || !strings.Contains(out.String(), "So be it.") {
		t.Errorf("exit %d, %v\n%s", code, err, out.String())
	}
}

// askFinder finds the id of the first ask in the output.
type askFinder struct{ seen chan string }

func (a *askFinder) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		var e struct {
			Type string `json:"type"`
			Ask  string `json:"ask"`
		}
		if json.Unmarshal(line, &e) == nil && e.Type == "asked" {
			a.seen <- e.Ask
		}
	}
	return len(b), nil
}

// What still runs in the background when -p ends is named, and ends.
func TestBackgroundEndsWithTheRun(t *testing.T) {
	w := newWorld(t).signIn(strings.Replace(driven, "rules:", `rules:
  - when: {prompt: behind, result: false}
    reply: [{tool: Bash, input: {command: "sleep 600", run_in_background: true}}]`, 1))
	r, o := w.ends("", "-p", "--allow", "command sleep *", "--output-format", "json", "behind")
	if o.code != 0 || len(r.Background) != 1 || r.Background[0].Subject != "sleep 600" || !strings.Contains(o.err, "sleep 600") {
		t.Errorf("%+v", o)
	}
}

// An agent in the background is waited for, and the turn that its end begins gives the answer.
func TestAgentsInTheBackgroundAreAwaited(t *testing.T) {
	w := newWorld(t).signIn(strings.Replace(driven, "rules:", `rules:
  - when: {prompt: begin it, round: 0}
    reply: [{tool: Task, input: {description: look, prompt: look around, run_in_background: true}}]
  - when: {prompt: look around}
    reply: [{pause: 300ms}, {text: A teapot.}]
  - when: {note: A teapot}
    reply: It found a teapot.
  - when: {prompt: begin it}
    reply: It runs.`, 1))
	if o := w.run("-p", "begin it"); o.code != 0 || o.out != "It found a teapot.\n" || o.err != "" {
		t.Errorf("%+v", o)
	}
	results := 0
	o := w.runIn(`{"type":"prompt","text":"begin it"}`, "-p", "--input-format", "stream-json")
	for line := range strings.Lines(o.out) {
		if strings.Contains(line, `"type":"result"`) {
			results++
		}
	}
	if o.code != 0 || results != 2 || !strings.Contains(o.out, "It found a teapot.") {
		t.Errorf("%d results, %+v", results, o)
	}
	r, o := w.ends("", "-p", "--max-time", "100ms", "--output-format", "json", "begin it")
	if o.code != int(command.ExitFailed) || r.Outcome != session.TurnLimit || len(r.Background) > 1 {
		t.Errorf("%+v", o)
	}
}

// Lines interrupt a turn; what is asked after the last line is refused.
func TestDrivenTurnsAreInterruptedAndRefused(t *testing.T) {
	w := newWorld(t).signIn(strings.Replace(driven, "rules:", "rules:\n  - when: {prompt: forever}\n    reply: [{text: Begun.}, {hold: forever}]", 1))
	in, program := io.Pipe()
	begun := make(chan string, 1)
	var out bytes.Buffer
	go func() {
		io.WriteString(program, `{"type":"prompt","text":"forever"}`+"\n")
		<-begun
		io.WriteString(program, `{"type":"abort"}`+"\n"+`{"type":"prompt","text":"bash"}`+"\n")
		program.Close()
	}()
	code := Main(t.Context(), Process{Args: []string{"-p", "--input-format", "stream-json"}, Environ: w.env, In: in,
		Out: io.MultiWriter(&out, &textFinder{text: "Begun", seen: begun}), Err: io.Discard, Policy: noPolicy})
	var ends []headless.Result
	for line := range strings.Lines(out.String()) {
		var r headless.Result
		if err := json.Unmarshal([]byte(line), &r); err == nil && r.Type == "result" {
			ends = append(ends, r)
		}
	}
	if len(ends) != 2 || ends[0].Outcome != session.TurnCancelled || ends[0].ExitCode != int(command.ExitInterrupt) || ends[1].Outcome != session.TurnCompleted ||
		len(ends[1].Refusals) != 1 || ends[1].Refusals[0].Subject != "touch made" || code != int(command.ExitRefused) {
		t.Errorf("exit %d: %+v", code, ends)
	}
}

// textFinder reports the first write that contains a text.
type textFinder struct {
	text string
	seen chan string
}

func (f *textFinder) Write(b []byte) (int, error) {
	if f.seen != nil && bytes.Contains(b, []byte(f.text)) {
		f.seen <- f.text
		f.seen = nil
	}
	return len(b), nil
}

// A rule of a flag that allows nothing says so.
func TestRulesOfFlagsThatAllowNothing(t *testing.T) {
	for rule, says := range map[string]string{
		"command bash *": `--allow "command bash *": It allows nothing`, "tool Edit": `--allow "tool Edit": It allows nothing`, "command go test *": "",
	} {
		w := newWorld(t).signIn(driven)
		if o := w.run("--allow", rule, "-p", "hi"); strings.Contains(o.err, "It allows nothing") != (says != "") || !strings.Contains(o.err, says) {
			t.Errorf("%s: %+v", rule, o)
		}
	}
}
