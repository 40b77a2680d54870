package archive

import (
	"fmt"
	"testing"

	"parley/session"
)

// A transcript shows a call that a hook has blocked: in its text, or beside it.
func TestReplayOfABlockedCall(t *testing.T) {
	failed := func(id, text string) string {
		return `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","is_error":true,"tool_use_id":"` + id + `","content":"` + text + `"}]}}`
	}
	a := stored(t, fromUser("p"), fromModel("m", callBlock("c1", "Read", "{}")+","+callBlock("c2", "Bash", "{}")+","+callBlock("c3", "Bash", "{}")),
		failed("c1", "PreToolUse:Read hook error: [exit 2]: Not this file."),
		`{"type":"attachment","attachment":{"type":"hook_blocking_error","hookEvent":"PreToolUse","toolUseID":"c2"}}`,
		failed("c2", "Not this command."), failed("c3", "Exit code 1"))
	want := map[session.CallID]string{"c1": "denied Not this file.", "c2": "denied Not this command.", "c3": "failed "}
	for _, turn := range refold(t, a).Turns {
		for _, e := range turn.Entries {
			if tool, ok := e.(*session.Tool); ok {
				if got := string(tool.Outcome) + " " + tool.Result.Text; got != want[tool.Call] {
					t.Errorf("%s: %q", tool.Call, got)
				}
				delete(want, tool.Call)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not there: %v", want)
	}
}

// A transcript has the end of a command in the background, but not its output.
func TestReplayOfABackgroundCommand(t *testing.T) {
	a := stored(t, fromUser("p"), fromModel("m", callBlock("c", "Bash", `{"command":"make"}`)),
		`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"running"}]},"toolUseResult":{"stdout":"","backgroundTaskId":"b"}}`,
		fromModel("m2", textBlock("begun")),
		fromUser("<task-notification>\\n<task-id>b</task-id>\\n<tool-use-id>c</tool-use-id>\\n<status>failed</status>\\n<summary>make failed with exit code 2</summary>\\n</task-notification>"),
		fromModel("m3", textBlock("I see.")))
	tr := refold(t, a)
	if len(tr.Turns) != 3 || tr.Turns[1].ID != "" || tr.Turns[2].Because != "make failed with exit code 2" || tr.Turns[2].Call != "c" {
		t.Fatal(inShort(tr))
	}
	for _, e := range tr.Turns[0].Entries {
		if tool, ok := e.(*session.Tool); ok && (tool.Outcome != session.ToolFailed || tool.Result.ExitCode == nil || *tool.Result.ExitCode != 2) {
			t.Errorf("%s %+v", tool.Outcome, tool.Result)
		}
	}
	if m, ok := tr.Turns[1].Entries[0].(*session.Mark); !ok || m.Event.(session.ToolEnded).Call != "c" {
		t.Errorf("%+v", tr.Turns[1].Entries[0])
	}
}

// A transcript may make a session ask more, but never less.
func TestTranscriptNeverLoosens(t *testing.T) {
	prompt := func(mode string) string {
		return fmt.Sprintf(`{"type":"user","permissionMode":%q,"message":{"role":"user","content":"p"}}`, mode)
	}
	for mode, want := range map[string]session.Mode{"bypassPermissions": "default", "acceptEdits": "default", "dontAsk": "default",
		"auto": "default", "default": "default", "plan": "plan"} {
		if got := refold(t, stored(t, prompt(mode), fromModel("m", textBlock("a")))).Settings.Mode; got != want {
			t.Errorf("%s is taken for %q, want %q", mode, got, want)
		}
	}
	if got := refold(t, stored(t, prompt("plan"), prompt("bypassPermissions"))).Settings.Mode; got != session.ModeDefault {
		t.Errorf("a plan that was left is taken for %q", got)
	}
}
