package claude

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/sessiontest"
)

// withFiles gives a conversation a tracker of files.
func withFiles(tracker session.FileTracker) option {
	return func(_ *Options, open *session.OpenOptions) { open.Files = tracker }
}

// hooks sends the hook before a call without waiting for the answer, which is "" until it comes.
func (ch *chat) hooks(call, tool, input, agent string) (answer func() string) {
	rt, id := ch.rt(), "pre-"+call
	rt.ask(id, fmt.Sprintf(`{"subtype":"hook_callback","callback_id":"x","input":{"hook_event_name":"PreToolUse","tool_use_id":%q,"tool_name":%q,`+
		`"tool_input":%s,"permission_mode":"bypassPermissions","cwd":"/project","agent_id":%q}}`, call, tool, input, agent))
	synctest.Wait()
	return func() string {
		synctest.Wait()
		return string(rt.raw[id])
	}
}

// TestImagesBeforeCalls keeps images for the calls that may change files, and for no others.
func TestImagesBeforeCalls(t *testing.T) {
	tracker := &sessiontest.FileTracker{}
	talk(t, func(t *testing.T, ch *chat) {
		home := ch.a.o.Home
		done := ch.begin(t.Context(), turnID(1), "go")
		ch.rt().start()
		for i, c := range []struct{ tool, input, want string }{
			{"Edit", `{"file_path":"/project/a"}`, "/project/a"},
			{"Write", `{"file_path":"b","content":"x"}`, "/project/b"},
			{"MultiEdit", `{"file_path":"~/c"}`, filepath.Join(home, "c")},
			{"NotebookEdit", `{"notebook_path":"/project/../d.ipynb"}`, "/d.ipynb"},
			{"mcp__files__write", `{"path":"e","file_path":"f"}`, "/project/f /project/e"},
			{"SomethingNew", `{"path":"/g"}`, "/g"},
			{"mcp__files__list", `{"url":"x"}`, ""},
			{"Read", `{"file_path":"/project/a"}`, ""},
			{"Grep", `{"path":"/project"}`, ""},
			{"KillShell", `{"shell_id":"x"}`, ""},
			{"Edit", `{}`, ""},
			{"Bash", `{"command":"make all"}`, "$ make all"},
			{"REPL", `{"code":"1+1"}`, "$ 1+1"},
		} {
			call := fmt.Sprint("t", i)
			ch.rt().tool(call, c.tool, c.input)
			if got := ch.hooks(call, c.tool, c.input, "")(); got == "" {
				t.Errorf("%s %s: no answer", c.tool, c.input)
			}
			got := ""
			for _, f := range tracker.Calls() {
				if f.Call == session.CallID(call) {
					got = strings.Join(f.Paths, " ")
					if f.Command != "" {
						got = "$ " + f.Command
					}
					if f.Turn != turnID(1) || f.Child != "" || f.Tool != c.tool || string(f.Input) != c.input || f.Model != "claude-test.1" {
						t.Errorf("%+v", f)
					}
				}
			}
			if got != filepath.FromSlash(c.want) {
				t.Errorf("%s %s: %q, want %q", c.tool, c.input, got, c.want)
			}
		}
		ch.rt().result()
		ch.rt().idle()
		ch.rt().answer(string(turnID(1)), "done")
		ch.finished(done)
	}, withFiles(tracker))
}

// TestImagesDoNotHoldUpTheStream lets one call wait for its images: other calls and the stream go on.
func TestImagesDoNotHoldUpTheStream(t *testing.T) {
	tracker := &sessiontest.FileTracker{}
	inTurn(t, func(t *testing.T, ch *chat) {
		release := make(chan struct{})
		tracker.OnBefore = func(ctx context.Context, c session.FileCall) {
			if c.Call == "slow" {
				<-release
			}
		}
		slow := ch.hooks("slow", "Edit", `{"file_path":"/project/a"}`, "")
		other := ch.hooks("other", "Edit", `{"file_path":"/project/b"}`, "")
		if slow() != "" || other() == "" {
			t.Errorf("the slow call got %q, the other %q", slow(), other())
		}
		n := len(ch.list())
		ch.rt().text("m1", "still here")
		synctest.Wait()
		if len(ch.list()) == n {
			t.Error("the stream waits")
		}
		close(release)
		if slow() != "{}" {
			t.Errorf("the slow call got %q", slow())
		}
	}, withFiles(tracker))
}

// TestImagesOfAnAsk makes images again when the user allows a call, and drops them when the user or a rule denies it.
func TestImagesOfAnAsk(t *testing.T) {
	ask := func(call string) string {
		return fmt.Sprintf(`{"subtype":"can_use_tool","tool_name":"Edit","tool_use_id":%q,"input":{"file_path":"/project/a","old_string":"a","new_string":"b"}}`, call)
	}
	tracker := &sessiontest.FileTracker{}
	inTurn(t, func(t *testing.T, ch *chat) {
		for _, call := range []string{"yes", "no"} {
			ch.hooks(call, "Edit", `{"file_path":"/project/a","old_string":"a","new_string":"b"}`, "")
			ch.rt().ask("ask-"+call, ask(call))
			synctest.Wait()
		}
		var replied []string
		tracker.OnBefore = func(_ context.Context, c session.FileCall) {
			replied = append(replied, string(ch.rt().raw["ask-"+string(c.Call)]))
		}
		for call, decision := range map[string]session.Decision{"yes": session.Allow, "no": session.Deny} {
			if err := ch.answers(session.AskID("ask-"+call), session.Answer{Decision: decision, Scope: session.ScopeOnce}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		var calls []session.CallID
		for _, c := range tracker.Calls() {
			calls = append(calls, c.Call)
		}
		if !slices.Equal(calls, []session.CallID{"yes", "no", "yes"}) || !slices.Equal(replied, []string{""}) {
			t.Errorf("images of %v; at the last the answer was %q", calls, replied)
		}
		if drops := tracker.Drops(); !slices.Equal(drops, []session.CallID{"no"}) {
			t.Errorf("dropped were %v", drops)
		}
		if ch.rt().raw["ask-yes"] == nil || ch.rt().raw["ask-no"] == nil {
			t.Error("an answer is missing")
		}
	}, withFiles(tracker))
}

// TestImagesAtTheEnd closes and interrupts a conversation while a call waits for its images: it must not run.
func TestImagesAtTheEnd(t *testing.T) {
	tracker := &sessiontest.FileTracker{}
	inTurn(t, func(t *testing.T, ch *chat) {
		began := make(chan struct{}, 1)
		tracker.OnBefore = func(ctx context.Context, c session.FileCall) {
			began <- struct{}{}
			<-ctx.Done()
		}
		answer := ch.hooks("t1", "Edit", `{"file_path":"/project/a"}`, "")
		<-began
		ch.c.Abort()
		synctest.Wait()
		if err := ch.c.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := answer(); got != "" && !strings.Contains(got, `"permissionDecision":"deny"`) {
			t.Errorf("the call may run: %s", got)
		}
	}, withFiles(tracker))
}

// TestImagesOfChildren names the child agent of a call as events do.
func TestImagesOfChildren(t *testing.T) {
	tracker := &sessiontest.FileTracker{}
	inTurn(t, func(t *testing.T, ch *chat) {
		ch.rt().tool("agent", "Task", `{"description":"d","prompt":"p","subagent_type":"x"}`)
		ch.rt().line(`{"type":"system","subtype":"task_started","task_id":"k1","tool_use_id":"agent","task_type":"local_agent","description":"d"}`)
		ch.hooks("c1", "Edit", `{"file_path":"/project/a"}`, "k1")
		ch.hooks("c2", "Edit", `{"file_path":"/project/a"}`, "unknown")
		calls := tracker.Calls()
		if len(calls) != 2 || calls[0].Turn != turnID(1) || calls[0].Child != "agent" || calls[0].Model != "" || calls[1].Turn != "" || calls[1].Child != "" {
			t.Errorf("%+v", calls)
		}
	}, withFiles(tracker))
}

// TestEditsSayWhatWasThere has what a file contained in the ends of live calls, and in none of a transcript.
func TestEditsSayWhatWasThere(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		results := map[string]string{
			"edit":     `{"filePath":"/project/a","originalFile":"one\n","structuredPatch":[]}`,
			"write":    `{"type":"update","filePath":"/project/b","content":"x","originalFile":"","structuredPatch":[]}`,
			"create":   `{"type":"create","filePath":"/project/c","content":"x","originalFile":null,"structuredPatch":[]}`,
			"notebook": `{"notebook_path":"/project/d","original_file":"{}","updated_file":"{ }"}`,
			"without":  `{"filePath":"/project/e","structuredPatch":[]}`,
		}
		want := map[session.CallID]string{"edit": "one\n", "write": "", "create": "-", "notebook": "{}", "without": "-"}
		for call, result := range results {
			ch.rt().tool(call, "Edit", `{}`)
			ch.rt().line(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"ok"}]},"tool_use_result":%s}`, call, result)
		}
		synctest.Wait()
		got := map[session.CallID]string{}
		for _, e := range eventsOf[session.ToolEnded](ch) {
			if len(e.Edits) != 1 {
				t.Errorf("%+v", e)
				continue
			}
			got[e.Call] = "-"
			if b := e.Edits[0].Before; b != nil {
				got[e.Call] = *b
			}
		}
		for call, want := range want {
			if got[call] != want {
				t.Errorf("%s: %q, want %q", call, got[call], want)
			}
		}
	})
}
