package toolview

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"parley/session"
)

var update = flag.Bool("update", false, "rewrite golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs; run with -update and look at the difference. Got:\n%s", path, got)
	}
}

// sample makes an input that fills every field a row may show.
func sample(row toolRow) json.RawMessage {
	m := map[string]any{}
	for _, f := range row.fields {
		switch {
		case f.path:
			m[f.name] = "/repo/dir/" + f.name + ".go"
		case f.deep:
			m["list"] = []any{map[string]any{f.name: "the " + f.name}}
		default:
			m[f.name] = "the " + f.name + "\nsecond line"
		}
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return b
}

// TestDescribeTable pins one row for every known tool: how it reads while it runs, when it is done, while it asks, and
// without an input.
func TestDescribeTable(t *testing.T) {
	var b strings.Builder
	row := func(name string, input json.RawMessage) {
		d, bare := Describe(name, input, "/repo"), Describe(name, nil, "/repo")
		fmt.Fprintf(&b, "%-32s %-8s %-9s %-9s %s | %s | %s | %s | %s\n", name, d.Kind, d.Kind.Group(), d.Renderer, d.Present, d.Past, d.Want, d.Failed, d.Subject)
		for _, other := range []Display{bare, Describe(name, json.RawMessage(`{"file_path":7,"command":[],`), "/repo"), Describe(name, json.RawMessage(`[]]`), "/repo")} {
			if !strings.HasPrefix(name, "mcp__") {
				if other.Subject != "" {
					t.Errorf("%s has a subject that no input gave: %q", name, other.Subject)
				}
				other.Subject = d.Subject
			}
			if other != d {
				t.Errorf("%s without an input that can be read: %+v, want the words of %+v", name, other, d)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(toolRows)) {
		row(name, sample(toolRows[name]))
	}
	row("mcp__github__create_issue", json.RawMessage(`{"title":"x"}`))
	row("mcp__plugin_a_b__do__it", nil)
	row("mcp__odd", nil)
	row("SomethingNew", json.RawMessage(`{"query":"x"}`))
	row("", json.RawMessage(`{"n":1}`))
	golden(t, "display.txt", b.String())
}

// TestDescribeKnowsTheTools lists the tools that the agents have, so that none falls out of the table.
func TestDescribeKnowsTheTools(t *testing.T) {
	for _, name := range strings.Fields(`Read Glob Grep Write Edit Bash
		Agent AskUserQuestion EnterPlanMode ExitPlanMode NotebookEdit TodoWrite WebFetch WebSearch Skill TaskCreate TaskUpdate
		TaskList TaskGet TaskStop TaskOutput ToolSearch EnterWorktree ExitWorktree StructuredOutput ListMcpResourcesTool
		ReadMcpResourceTool bash read_bash write_bash stop_bash list_bash str_replace_editor view create edit glob grep task
		read_agent list_agents ask_user report_intent update_todo web_fetch exit_plan_mode task_complete sql store_memory skill`) {
		if d := Describe(name, nil, ""); d.Kind == Other && name != "StructuredOutput" || d.Present == "using "+name {
			t.Errorf("%s reads %+v", name, d)
		}
	}
}

func TestDescribeSubject(t *testing.T) {
	wide := strings.Repeat("字", 60)
	for _, c := range []struct{ name, input, want string }{
		{"Read", `{"file_path":"/repo/a/b.go"}`, "a/b.go"},
		{"Read", `{"file_path":"/repo"}`, "./"},
		{"Read", `{"file_path":"/workshop/a.go"}`, "/workshop/a.go"},
		{"Read", `{"file_path":"/etc/passwd"}`, "/etc/passwd"},
		{"Read", `{"file_path":"rel.go"}`, "rel.go"},
		{"Read", `{"file_path":"/repo/a/b`, "a/b"},
		{"Read", `{"file_pa`, ""},
		{"Read", `{"file_path"`, ""},
		{"Read", `{"file_path":`, ""},
		{"Read", `{"file_path":"`, ""},
		{"Read", `{"file_path":7}`, ""},
		{"Read", `{"other":{"file_path":"/repo/no.go"},"file_path":"/repo/yes.go"}`, "yes.go"},
		{"Read", `{"other":"file_path","x":["file_path","no"],"file_path":"/repo/yes.go"}`, "yes.go"},
		{"Read", `nonsense`, ""},
		{"Read", `null`, ""},
		{"Read", `{"file_path":"/repo/\u00e4\n.go"}`, "ä"},
		{"Read", `{"file_path":"/repo/x\u00`, "x"},
		{"Read", `{"file_path":"/repo/x\`, "x"},
		{"Read", "{\"file_path\":\"/repo/\xff\"}", "\ufffd"},
		{"Bash", `{"command":"\n\n  go test ./...\nrm x"}`, "go test ./..."},
		{"Bash", `{"command":"` + strings.Repeat("x", 80) + `"}`, strings.Repeat("x", 80)},
		{"Bash", `{"command":"` + strings.Repeat("x", 81) + `"}`, strings.Repeat("x", 79) + "…"},
		{"Bash", `{"command":"` + wide + `"}`, strings.Repeat("字", 39) + "…"},
		{"Bash", `{"command":"` + strings.Repeat(`\u0007`, 500) + `"}`, strings.Repeat("\a", 79) + "…"},
		{"str_replace_editor", `{"command":"view","path":"/repo/a.go"}`, "a.go"},
		{"AskUserQuestion", `{"questions":[{"question":"Which one?","header":"x"`, "Which one?"},
	} {
		if got := Describe(c.name, json.RawMessage(c.input), "/repo").Subject; got != c.want {
			t.Errorf("%s %s: %q, want %q", c.name, c.input, got, c.want)
		}
	}
	for command, kind := range map[string]Kind{"view": Read, "create": Edit, "str_replace": Edit, "undo_edit": Edit} {
		if d := Describe("str_replace_editor", json.RawMessage(`{"command":"`+command+`"}`), ""); d.Kind != kind {
			t.Errorf("%s: %+v", command, d)
		}
	}
}

// FuzzDescribe holds the subject to one line of 80 columns, whatever the input, and cut inputs to what whole ones say.
func FuzzDescribe(f *testing.F) {
	f.Add("Bash", `{"command":"ls\u0041`)
	f.Add("Read", `{"a":{"b":["x","y"]},"file_path":"/repo/x\\y"}`)
	f.Add("mcp__a__b", `{`)
	f.Fuzz(func(t *testing.T, name, input string) {
		d := Describe(name, json.RawMessage(input), "/repo")
		if strings.Contains(d.Subject, "\n") || displaywidth.String(d.Subject) > 80 {
			t.Errorf("subject %q", d.Subject)
		}
		if d.Present == "" || d.Past == "" || d.Want == "" || d.Kind == "" {
			t.Errorf("%+v", d)
		}
		var whole map[string]any
		if json.Unmarshal([]byte(input), &whole) != nil || strings.Count(input, "command") != 1 || len(whole) != 1 {
			return
		}
		if command, ok := whole["command"].(string); ok {
			if got, want := Describe("Bash", json.RawMessage(input), "").Subject, session.Subject(command); got != want {
				t.Errorf("%s: %q, want %q", input, got, want)
			}
		}
	})
}

func TestEndedNamesWhatBecameOfACall(t *testing.T) {
	for _, tc := range []struct {
		tool    string
		outcome session.ToolOutcome
		want    string
	}{
		{"Edit", session.ToolOK, "edited"},
		{"Edit", session.ToolFailed, "could not edit"},
		{"Edit", session.ToolDenied, "wanted to edit"},
		{"Bash", session.ToolFailed, "ran"},
		{"Bash", session.ToolDenied, "wanted to run"},
	} {
		if got := Describe(tc.tool, nil, "").Ended(tc.outcome); got != tc.want {
			t.Errorf("%s, %s: %q, want %q", tc.tool, tc.outcome, got, tc.want)
		}
	}
}
