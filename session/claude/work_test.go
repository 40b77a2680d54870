package claude

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
)

// Requests about what runs go to the task of the call, at any time; what has ended is not found.
func TestStopAndSendToBackground(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ctx := context.Background()
		c := ch.c.(*conversation)
		if err := c.Stop(ctx, "c"); session.KindOf(err) != session.KindNotFound {
			t.Errorf("an unknown call: %v", err)
		}
		done := ch.begin(ctx, turnID(1), "x")
		ch.rt().taken(string(turnID(1)))
		ch.rt().tool("early", "Bash", `{"command":"make"}`)
		ch.rt().tool("c", "Bash", `{"command":"make"}`)
		synctest.Wait()
		if err := c.Stop(ctx, "c"); session.KindOf(err) != session.KindUnsupported {
			t.Errorf("a call that is not a task yet: %v", err)
		}
		if err := c.ToBackground(ctx, "early"); session.KindOf(err) != session.KindNotFound {
			t.Errorf("a call that cannot go there yet: %v", err)
		}
		ch.rt().line(`{"type":"system","subtype":"task_started","task_id":"b","tool_use_id":"c","task_type":"local_bash"}`)
		synctest.Wait()
		if err := c.ToBackground(ctx, "c"); err != nil {
			t.Error(err)
		}
		if err := c.Stop(ctx, "c"); err != nil {
			t.Error(err)
		}
		ch.rt().line(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c","content":"stopped","is_error":true}]}}`)
		ch.rt().result()
		ch.finished(done)
		if err := c.Stop(ctx, "c"); session.KindOf(err) != session.KindNotFound {
			t.Errorf("an ended call: %v", err)
		}
		var asked []string
		for _, call := range ch.rt().called() {
			if strings.HasPrefix(call, "stop ") || strings.HasPrefix(call, "background ") {
				asked = append(asked, call)
			}
		}
		if got := strings.Join(asked, ", "); got != "background early, background c, stop b" {
			t.Errorf("asked %s", got)
		}
		if got := c.WorkControls(); !got.Stop || !got.Background || got.SteerChild || got.ResumeChild {
			t.Errorf("%+v", got)
		}
	})
	for version, want := range map[string]bool{"2.1.112": false, "2.1.9": false, "2.1.197": true, "2.1.330": true, "3.0.0": true, "": true} {
		if got := !notNewer(version, lastWithoutBackground); got != want {
			t.Errorf("%s: %v", version, got)
		}
	}
}

// Output is read while it is followed, whole characters only, and never again after the end.
func TestFollowOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b.output")
	write := func(text string) {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	talk(t, func(t *testing.T, ch *chat) {
		writesInBackground(ch, file)
		write("one\nt\xc3")
		ctx, stop := context.WithCancel(context.Background())
		ch.c.(*conversation).Follow(ctx, "c")
		ch.c.(*conversation).Follow(ctx, "c") // once is enough
		ch.c.(*conversation).Follow(ctx, "unknown")
		time.Sleep(followEvery)
		synctest.Wait()
		if got := ch.call("c").Output(); got != "one\nt" {
			t.Errorf("at first %q", got)
		}
		write("\xa4st\n")
		time.Sleep(followEvery)
		synctest.Wait()
		if got := ch.call("c").Output(); got != "one\ntäst\n" {
			t.Errorf("then %q", got)
		}
		stop()
		synctest.Wait()
		write("unseen\n")
		time.Sleep(time.Minute)
		if got := ch.call("c").Output(); got != "one\ntäst\n" {
			t.Errorf("after nobody looks %q", got)
		}
		ch.c.(*conversation).Follow(context.Background(), "c")
		time.Sleep(followEvery)
		ch.rt().line(`{"type":"system","subtype":"task_notification","task_id":"b","tool_use_id":"c","status":"completed","output_file":%q,"summary":"done (exit code 0)"}`, file)
		synctest.Wait()
		if tool := ch.call("c"); tool.Output() != "one\ntäst\nunseen\n" || tool.Result.Text != "one\ntäst\nunseen" {
			t.Errorf("at the end %q, %q", tool.Output(), tool.Result.Text)
		}
	})
}
