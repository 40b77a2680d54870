package claude

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// unworked is the whole result of a prompt that a hook has blocked, as 2.1.112 says it.
const unworked = `{"type":"result","subtype":"success","is_error":false,"num_turns":5,"result":"","stop_reason":null,"usage":{"input_tokens":0}}`

// A prompt that a hook blocks is never taken up. Its turn ends with the reason, whichever prompt of its process it is.
func TestBlockedPrompt(t *testing.T) {
	const hook = `{"type":"system","subtype":"hook_response","hook_event":"UserPromptSubmit","exit_code":2,"stderr":"Not so.\n","outcome":"error"}`
	const told = `{"type":"system","subtype":"informational","prevent_continuation":true,"content":"UserPromptSubmit operation blocked by hook:\n[a ]: b]: Not so.\n\n\nOriginal prompt: x"}`
	for name, c := range map[string]struct{ line, want string }{
		"hook": {hook, "A hook blocked the prompt: Not so."},
		"told": {told, "A hook blocked the prompt: Not so."},
		"bare": {`{"type":"keep_alive"}`, "A hook blocked the prompt."},
	} {
		t.Run(name, func(t *testing.T) {
			talk(t, func(t *testing.T, ch *chat) {
				for n := 1; n <= 3; n += 2 {
					done := ch.begin(context.Background(), turnID(n), "x")
					ch.rt().line("%s", c.line)
					ch.rt().start()
					ch.rt().line("%s", unworked)
					ch.rt().idle()
					ch.finished(done)
					ch.turn(n+1, "another")
				}
				ends := eventsOf[session.TurnEnded](ch)
				if len(ends) != 4 {
					t.Fatalf("%d turns ended", len(ends))
				}
				for i, e := range ends {
					if blocked := i%2 == 0; blocked != (e.Outcome == session.TurnRefused) || blocked && e.Problem.What != c.want || !blocked && e.Problem != nil {
						t.Errorf("turn %d: %s, %+v", i+1, e.Outcome, e.Problem)
					}
				}
				if got := eventsOf[session.Notice](ch); len(got) != 0 {
					t.Errorf("said twice: %+v", got)
				}
			})
		})
	}
}

// A command of the runtime asks no model either, and is not blocked.
func TestCommandIsNotBlocked(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "hello")
		done := ch.begin(context.Background(), turnID(2), "/cost")
		ch.rt().start()
		ch.rt().line("%s", unworked)
		ch.rt().idle()
		ch.finished(done)
		if got := ch.ends(); got[1] != "2:completed" {
			t.Errorf("%v", got)
		}
	})
}

// A result of the runtime's own work that meets a prompt ends nothing of it, as before.
func TestOwnWorkIsNotBlocked(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "hello")
		done := ch.begin(context.Background(), turnID(2), "x")
		ch.rt().result() // of work that began before the prompt was read
		ch.rt().idle()
		ch.running(done)
		ch.rt().answer(string(turnID(2)), "here")
		ch.finished(done)
		if got := ch.ends(); got[1] != "2:completed" {
			t.Errorf("%v", got)
		}
	})
}

// What hooks have blocked ends as such in every recorded runtime, with the reason that the hook gave.
func TestRecordedHooks(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "*", "hookblocked.jsonl"))
	if err != nil || len(names) < 2 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range replay(t, data) {
			if e, ok := e.(session.ToolEnded); ok {
				got = append(got, string(e.Outcome)+" "+e.Result.Summary+" "+e.Result.Text)
			}
		}
		if len(got) != 3 || got[0] != "denied blocked by a hook Not this file." || got[1] != "denied blocked by a hook Not this command." ||
			!strings.HasPrefix(got[2], "ok ") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// What a hook prints is reported only if notices are on.
func TestHookNoticesAreOptional(t *testing.T) {
	const line = `{"type":"system","subtype":"hook_response","hook_event":"Stop","hook_name":"Stop","output":"be polite","outcome":"success"}`
	for wanted := range map[bool]bool{true: true, false: false} {
		talk(t, func(t *testing.T, ch *chat) {
			done := ch.begin(context.Background(), turnID(1), "x")
			ch.rt().line("%s", line)
			ch.rt().answer(string(turnID(1)), "here")
			ch.finished(done)
			if got := len(eventsOf[session.Notice](ch)); (got == 1) != wanted {
				t.Errorf("wanted %v, told %d", wanted, got)
			}
			if !ch.rt().o.Launch.HookEvents {
				t.Error("the runtime does not say what hooks block")
			}
		}, func(o *Options, _ *session.OpenOptions) { o.HookEvents = wanted })
	}
}
