package mapper

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/session"
)

// The end of a turn looks at what is open, and not at every call of a long session again.
func TestOnlyOpenCallsAreRemembered(t *testing.T) {
	m := begun()
	call := `{"type":"assistant","message":{"id":"m%[1]d","content":[{"type":"tool_use","id":"c%[1]d","name":"Read","input":{}}]}}`
	for i := range 3 {
		m.Map(fmt.Appendf(nil, call, i), testTime)
	}
	if len(m.calls.Open()) != 3 {
		t.Errorf("%d calls are open", len(m.calls.Open()))
	}
	for i := range 2 {
		m.Map(fmt.Appendf(nil, `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c%d","content":"ok"}]}}`, i), testTime)
	}
	if m.calls.Running("c2") == nil || len(m.calls.Open()) != 1 {
		t.Errorf("%d calls are open", len(m.calls.Open()))
	}
	m.Map([]byte(`{"type":"result","subtype":"success"}`), testTime)
	m.Begin("u", session.Prompt{}, session.OriginUser, testTime)
	ended := m.Map([]byte(`{"type":"result","subtype":"success"}`), testTime) // a call outlives one turn and no more
	if len(m.calls.Open()) != 0 {
		t.Errorf("%d calls are open: %s", len(m.calls.Open()), brief(ended))
	}
}

func TestToolOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		text, meta string
		isError    bool
		denied     bool
		want       session.ToolOutcome
	}{
		"ok":                    {text: "fine", want: session.ToolOK},
		"failed":                {text: "Exit code 1", isError: true, want: session.ToolFailed},
		"denied by us":          {text: "Use another way.", isError: true, denied: true, want: session.ToolDenied},
		"denied before":         {text: RefusedUnanswered, isError: true, want: session.ToolDenied},
		"denied with words":     {text: Refused("use yarn"), isError: true, want: session.ToolDenied},
		"never answered":        {text: RefusedByAbort, isError: true, denied: true, want: session.ToolCancelled},
		"denied by a rule":      {text: "no", isError: true, meta: `[{"id":"c","permission_decision":{"decision":"deny"}}]`, want: session.ToolDenied},
		"denied by the mode":    {text: "Permission to use Bash has been denied because", isError: true, want: session.ToolDenied},
		"interrupted":           {text: "Exit code 145\n[Request interrupted by user for tool use]", isError: true, want: session.ToolCancelled},
		"interrupted, newer":    {text: "The user doesn't want to proceed with this tool use.", isError: true, want: session.ToolCancelled},
		"interrupted asking":    {text: "Tool permission request failed: AbortError", isError: true, want: session.ToolCancelled},
		"interrupted by a word": {text: "<error>Command was aborted before completion</error>", isError: true, want: session.ToolCancelled},
	} {
		t.Run(name, func(t *testing.T) {
			l := line{}
			if c.meta != "" {
				if err := json.Unmarshal([]byte(c.meta), &l.ToolResultMeta); err != nil {
					t.Fatal(err)
				}
			}
			if got := toolOutcome(l, block{ToolUseID: "c", IsError: c.isError}, c.text, c.denied); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestToolResults(t *testing.T) {
	zero, three := 0, 3
	persistedText := "<persisted-output>\nOutput too large (1MB). Full output saved to: /tmp/all.txt\n\nPreview (first 2KB):\none\ntwo\n</persisted-output>"
	for name, c := range map[string]struct {
		tool, raw, text string
		outcome         session.ToolOutcome
		want            session.ToolResult
	}{
		"stderr":         {"Bash", `{"stdout":"a\n","stderr":"b\n"}`, "a\nb\n", session.ToolOK, session.ToolResult{Text: "a\nb", Sent: "a\nb\n", ExitCode: &zero}},
		"silent":         {"Bash", `{"stdout":"","stderr":""}`, "(Bash completed with no output)", session.ToolOK, session.ToolResult{Text: "", Sent: "(Bash completed with no output)", ExitCode: &zero}},
		"exit code":      {"Bash", `"Error: Exit code 3\nx"`, "Exit code 3\nx", session.ToolFailed, session.ToolResult{Text: "x", Sent: "Exit code 3\nx", ExitCode: &three}},
		"large":          {"Bash", `{"stdout":"one\ntwo","persistedOutputPath":"/tmp/all.txt","persistedOutputSize":20480}`, persistedText, session.ToolOK, session.ToolResult{Text: "one\ntwo", Sent: persistedText, Summary: "20 kB", Truncated: true, FullPath: "/tmp/all.txt", ExitCode: &zero}},
		"large, other":   {"mcp__a__b", `[]`, persistedText, session.ToolOK, session.ToolResult{Text: "one\ntwo", Sent: persistedText, Truncated: true, FullPath: "/tmp/all.txt"}},
		"read":           {"Read", `{"type":"text","file":{"content":"a\nb\n","numLines":3,"startLine":1}}`, "t", session.ToolOK, session.ToolResult{Text: "t", Summary: "2 lines"}},
		"read part":      {"Read", `{"type":"text","file":{"content":"a","numLines":1,"startLine":10}}`, "t", session.ToolOK, session.ToolResult{Text: "t", Summary: "1 line from line 10"}},
		"image":          {"Read", `{"type":"image","file":{}}`, "[image]", session.ToolOK, session.ToolResult{Text: "[image]", Summary: "image"}},
		"counted":        {"Grep", `{"mode":"count","numFiles":2,"numMatches":3}`, "t", session.ToolOK, session.ToolResult{Text: "t", Summary: "3 matches"}},
		"page":           {"WebFetch", `{"bytes":100,"code":200,"codeText":"OK"}`, "t", session.ToolOK, session.ToolResult{Text: "t", Summary: "200 OK, 100 bytes"}},
		"found":          {"WebSearch", `{"results":[{}]}`, "t", session.ToolOK, session.ToolResult{Text: "t", Summary: "1 result"}},
		"broken shape":   {"Read", `[7]`, "t", session.ToolOK, session.ToolResult{Text: "t"}},
		"no shape":       {"Grep", ``, "t", session.ToolOK, session.ToolResult{Text: "t"}},
		"bad call":       {"Odd", `""`, "<tool_use_error>No such tool</tool_use_error>", session.ToolFailed, session.ToolResult{Text: "No such tool", Sent: "<tool_use_error>No such tool</tool_use_error>"}},
		"cut off":        {"Bash", ``, "Exit code 145\nsome\n[Request interrupted by user for tool use]", session.ToolCancelled, session.ToolResult{Text: "some", Sent: "Exit code 145\nsome\n[Request interrupted by user for tool use]", ExitCode: new145()}},
		"not even begun": {"Write", ``, "The user doesn't want to proceed with this tool use.", session.ToolCancelled, session.ToolResult{Sent: "The user doesn't want to proceed with this tool use."}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(toolResult(c.tool, json.RawMessage(c.raw), c.text, c.outcome))
			if err != nil {
				t.Fatal(err)
			}
			want, err := json.Marshal(c.want)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func new145() *int { n := 145; return &n }

// Newer runtimes move a child to the background on their own, which only the result of its call shows.
func TestChildGoesToTheBackground(t *testing.T) {
	m := begun()
	say(m, `{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"c","name":"Agent","input":{"description":"look"}}]}}`,
		`{"type":"system","subtype":"task_started","task_id":"k","tool_use_id":"c","task_type":"local_agent","subagent_type":"Explore"}`)
	same(t, say(m, `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c","content":"launched"}]},"tool_use_result":{"isAsync":true,"status":"async_launched"}}`),
		`child_started{"background":true,"call":"c","description":"look","id":"c","name":"Explore","turn":"t"}`,
		`tool_ended{"call":"c","outcome":"ok","result":{"sent":"launched","summary":"in the background"},"turn":"t"}`)
	say(m, `{"type":"result","subtype":"success"}`)
	same(t, say(m, `{"type":"system","subtype":"task_notification","task_id":"k","tool_use_id":"c","status":"completed","summary":"done"}`),
		`child_ended{"id":"c","outcome":"completed","summary":"done","turn":"t"}`)
}

// TestChildIsNamedByItsTask where its report stands in place of the summary: "Done." would not say who is.
func TestChildIsNamedByItsTask(t *testing.T) {
	for status, want := range map[string]string{"completed": `Agent \"look\" finished`, "failed": `Agent \"look\" failed`, "killed": `Agent \"look\" was stopped`} {
		m := begun()
		say(m, `{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"c","name":"Agent","input":{"description":"look","run_in_background":true}}]}}`,
			`{"type":"system","subtype":"task_started","task_id":"k","tool_use_id":"c","task_type":"local_agent"}`,
			`{"type":"result","subtype":"success"}`)
		same(t, say(m, `{"type":"system","subtype":"task_notification","task_id":"k","tool_use_id":"c","status":"`+status+`","summary":"Done.","summary_is_report":true}`)[0:1],
			`child_ended{"id":"c","outcome":"`+string(outcomeOfTask(status))+`","summary":"Done.","turn":"t"}`)
		if got := strings.Join(say(m, `{"type":"stream_event","event":{"type":"message_start","message":{"id":"n"}}}`,
			`{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text"}}}`), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: %s", status, got)
		}
	}
}
