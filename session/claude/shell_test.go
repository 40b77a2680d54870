package claude

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/proc"
)

// behind begins a turn in which a command goes to the background, and ends it.
func behind(ch *chat) {
	ch.t.Helper()
	writesInBackground(ch, "/none/b.output")
}

// writesInBackground is behind with a command that writes to a file.
func writesInBackground(ch *chat, file string) {
	ch.t.Helper()
	done := ch.begin(context.Background(), turnID(1), "x")
	rt := ch.rt()
	rt.start()
	rt.taken(string(turnID(1)))
	rt.tool("c", "Bash", `{"command":"make","run_in_background":true}`)
	rt.line(`{"type":"system","subtype":"task_started","task_id":"b","tool_use_id":"c","task_type":"local_bash"}`)
	rt.line(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c","content":%q}]},"tool_use_result":{"stdout":"","backgroundTaskId":"b"}}`,
		"Command running in background with ID: b. Output is being written to: "+file)
	rt.result()
	rt.idle()
	ch.finished(done)
}

func (ch *chat) call(id session.CallID) *session.Tool {
	ch.t.Helper()
	for _, turn := range session.Fold(ch.list()).Turns {
		for _, e := range turn.Entries {
			if tool, ok := e.(*session.Tool); ok && tool.Call == id {
				return tool
			}
		}
	}
	ch.t.Fatalf("no call %s", id)
	return nil
}

// The end of a command in the background is shown where it began, with the end of what it wrote, and the turn that begins
// with it says why.
func TestBackgroundCommandEnds(t *testing.T) {
	for status, want := range map[string]session.ToolOutcome{"completed": session.ToolOK, "failed": session.ToolFailed, "killed": session.ToolCancelled} {
		t.Run(status, func(t *testing.T) {
			talk(t, func(t *testing.T, ch *chat) {
				behind(ch)
				if tool := ch.call("c"); !tool.Ended || !tool.Result.Background || tool.Result.Summary != "in the background" {
					t.Errorf("before: %+v", tool)
				}
				file := filepath.Join(t.TempDir(), "b.output")
				if err := os.WriteFile(file, []byte(strings.Repeat("early\n", maxShellOutput)+"late\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				ch.rt().line(`{"type":"system","subtype":"task_notification","task_id":"b","tool_use_id":"c","status":%q,"output_file":%q,"summary":"Command \"make\" ended with exit code 3"}`, status, file)
				ch.rt().start()
				ch.rt().text("m2", "I see.")
				ch.rt().result()
				synctest.Wait()
				tool := ch.call("c")
				if tool.Outcome != want || tool.Result.Background || tool.Result.ExitCode == nil || *tool.Result.ExitCode != 3 {
					t.Errorf("after: %s %+v", tool.Outcome, tool.Result)
				}
				if text := tool.Result.Text; !strings.HasPrefix(text, "early\n") || !strings.HasSuffix(text, "early\nlate") || len(text) > maxShellOutput {
					t.Errorf("%d bytes of output, ends with %q", len(text), text[max(0, len(text)-20):])
				}
				if tool.Turn != turnID(1) {
					t.Errorf("it is told in turn %s", tool.Turn)
				}
				starts := eventsOf[session.TurnStarted](ch)
				if last := starts[len(starts)-1]; last.Turn != "auto-1-1" || last.Because != `Command "make" ended with exit code 3` || last.Call != "c" {
					t.Errorf("it began with %+v", last)
				}
			})
		})
	}
}

// The end of a command in the background stands in the turn that runs at the time, behind what was said before it.
func TestBackgroundCommandEndsInATurn(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		behind(ch)
		done := ch.begin(context.Background(), turnID(2), "y")
		ch.rt().taken(string(turnID(2)))
		ch.rt().text("m2", "First.")
		ch.rt().line(`{"type":"system","subtype":"task_notification","task_id":"b","tool_use_id":"c","status":"completed","summary":"Background command \"make\" completed"}`)
		ch.rt().text("m3", "Then.")
		ch.rt().result()
		ch.finished(done)
		var got []string
		for _, e := range session.Fold(ch.list()).Turns[1].Entries {
			switch e := e.(type) {
			case *session.Part:
				got = append(got, e.Text())
			case *session.Mark:
				if end, ok := e.Event.(session.ToolEnded); ok {
					got = append(got, string(end.Call))
				}
			}
		}
		if want := `First.|c|Then.`; strings.Join(got, "|") != want {
			t.Errorf("the turn shows %q", got)
		}
		if ch.call("c").Outcome != session.ToolOK {
			t.Errorf("the command is %+v", ch.call("c"))
		}
	})
}

// Runtime 2.1.112 prints no notification of a command that ends as a turn is about to start: it gives it to the model of
// that turn. The call ends with what the command wrote, once nothing more is to come.
func TestBackgroundCommandEndsWithoutNotification(t *testing.T) {
	const updated = `{"type":"system","subtype":"task_updated","task_id":"b","patch":{"status":%q,"end_time":1}}`
	for status, want := range map[string]session.ToolOutcome{"completed": session.ToolOK, "failed": session.ToolFailed, "killed": session.ToolCancelled} {
		for _, during := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", status, during), func(t *testing.T) {
				talk(t, func(t *testing.T, ch *chat) {
					file := filepath.Join(t.TempDir(), "b.output")
					if err := os.WriteFile(file, []byte("late\n"), 0o600); err != nil {
						t.Fatal(err)
					}
					writesInBackground(ch, file)
					if !during {
						ch.rt().line(updated, status)
						ch.rt().idle()
					}
					done := ch.begin(context.Background(), turnID(2), "y")
					ch.rt().taken(string(turnID(2)))
					if during {
						ch.rt().line(updated, status)
					}
					ch.rt().text("m2", "I see.")
					synctest.Wait()
					if tool := ch.call("c"); !tool.Result.Background {
						t.Errorf("a notification may still come: %+v", tool.Result)
					}
					ch.rt().result()
					ch.rt().idle()
					ch.finished(done)
					synctest.Wait()
					tool := ch.call("c")
					if tool.Outcome != want || tool.Result.Background || tool.Result.Text != "late" || tool.Turn != turnID(1) {
						t.Errorf("after: %s in turn %s, %+v", tool.Outcome, tool.Turn, tool.Result)
					}
				})
			})
		}
	}
}

// What cannot be read costs the output and nothing else.
func TestBackgroundOutputThatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	for name, path := range map[string]string{"missing": filepath.Join(dir, "none"), "folder": dir, "device": "/dev/zero", "empty": ""} {
		line := fmt.Sprintf(`{"type":"system","subtype":"task_notification","output_file":%q}`, path)
		if got := shellOutput("", []byte(line), func(string) string { return "" }); got != "" {
			t.Errorf("%s: %q", name, got)
		}
		line = `{"type":"system","subtype":"task_updated","task_id":"b","patch":{"status":"completed"}}`
		if got := shellOutput("", []byte(line), func(string) string { return path }); got != "" {
			t.Errorf("%s, updated: %q", name, got)
		}
	}
}

// A long command in the foreground is a task too, but not the cause of a turn.
func TestLongCommandIsNoReason(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "x")
		ch.rt().taken(string(turnID(1)))
		ch.rt().tool("c", "Bash", `{"command":"make"}`)
		ch.rt().line(`{"type":"system","subtype":"task_started","task_id":"b","tool_use_id":"c","task_type":"local_bash"}`)
		ch.rt().line(`{"type":"system","subtype":"task_notification","task_id":"b","tool_use_id":"c","status":"completed","summary":"make"}`)
		ch.rt().line(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c","content":"ok"}]},"tool_use_result":{"stdout":"ok"}}`)
		ch.rt().result()
		ch.finished(done)
		ch.rt().start()
		ch.rt().text("m2", "By the way.")
		ch.rt().result()
		synctest.Wait()
		if got := eventsOf[session.Notice](ch); len(got) != 0 {
			t.Errorf("said %+v", got)
		}
	})
}

// The end of a runtime that is killed in a turn is reported once, by the turn; between turns it has a separate line.
func TestKilledRuntimeIsReportedOnce(t *testing.T) {
	killed := driver.Exit{Exit: proc.Exit{Code: -1, Signal: "killed"}}
	talk(t, func(t *testing.T, ch *chat) {
		behind(ch)
		done := ch.begin(context.Background(), turnID(2), "y")
		ch.rt().taken(string(turnID(2)))
		ch.rt().die(killed)
		ch.finished(done)
		tr := session.Fold(ch.list())
		marks := func() (n int) {
			for _, turn := range session.Fold(ch.list()).Turns {
				for _, e := range turn.Entries {
					if m, ok := e.(*session.Mark); ok {
						if _, gone := m.Event.(session.RuntimeChanged); gone {
							n++
						}
					}
				}
			}
			return n
		}
		last := tr.Turns[len(tr.Turns)-1]
		if marks() != 0 || last.Problem == nil || last.Problem.What != "The Claude Code runtime ended in the middle of the turn: killed." || tr.Runtime != session.RuntimeExited {
			t.Errorf("%d marks, %+v, %s", marks(), last.Problem, tr.Runtime)
		}
		if tool := ch.call("c"); tool.Outcome != session.ToolCancelled {
			t.Errorf("the command behind is %s", tool.Outcome)
		}
		ch.turn(3, "z")
		before := marks()
		ch.rt().die(killed)
		synctest.Wait()
		if marks() != before+1 {
			t.Error("between turns it is not told")
		}
	})
}
