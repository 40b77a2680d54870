package shell

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/builtin/tool/tooltest"
)

// ends collects what a bench reports of commands in the background.
func ends(b *tooltest.Bench) <-chan tool.Outcome {
	out := make(chan tool.Outcome, 100)
	b.W.Ended = func(id session.CallID, o tool.Outcome, because string) {
		o.Result.Summary += "|" + because
		out <- o
	}
	return out
}

func TestACommandInTheBackground(t *testing.T) {
	b := tooltest.New(t, nil)
	got := b.Run(Bash, tooltest.Obj{"command": "sleep 1000", "run_in_background": true}).Result
	if got.Text != "Runs in the background as sh1." || got.Job != "sh1" || !got.Background || !strings.Contains(got.Sent, "BashOutput") {
		t.Fatalf("%+v", got)
	}
	if got := b.Run(BashOutput, tooltest.Obj{"bash_id": "sh2"}); got.How != session.ToolFailed || !strings.Contains(got.Result.Text, "There are: sh1.") {
		t.Errorf("%+v", got)
	}
}

func TestOutputOfTheBackgroundIsReadInParts(t *testing.T) {
	b := tooltest.New(t, nil)
	ended := ends(b)
	b.Run(Bash, tooltest.Obj{"command": "mkfifo go on"})
	b.Run(Bash, tooltest.Obj{"command": "echo one; read x <go; echo two; read x <on; printf 'a\\nerror b\\nc\\n'; exit 3", "run_in_background": true})
	read := func(in tooltest.Obj) session.ToolResult {
		t.Helper()
		in["bash_id"] = "sh1"
		return b.Run(BashOutput, in).Result
	}
	b.Run(Bash, tooltest.Obj{"command": "echo >go"})
	first := read(tooltest.Obj{"wait": 60000})
	for !strings.Contains(first.Text, "two") {
		first.Text += read(tooltest.Obj{"wait": 60000}).Text
	}
	if got := read(tooltest.Obj{}); got.Text != "(still running)" || got.Summary != "no new output" {
		t.Errorf("%+v", got)
	}
	_, done := b.W.Jobs.Named("", "sh1").Wait() // a reader that waits for the end tells it
	defer done()
	b.Run(Bash, tooltest.Obj{"command": "echo >on"})
	if got := read(tooltest.Obj{"wait": 60000, "until": "end", "filter": "^error"}); got.Text != "error b\n" || got.Sent != "error b\n(ended with exit code 3)" {
		t.Errorf("%+v", got)
	}
	out := <-ended
	if code := out.Result.ExitCode; code == nil || *code != 3 || out.How != session.ToolFailed || out.Duration == 0 ||
		!strings.HasSuffix(out.Result.Text, "one\ntwo\na\nerror b\nc\n") || out.Result.Job != "sh1" {
		t.Errorf("%+v", out)
	}
	if !strings.HasSuffix(out.Result.Summary, "|") {
		t.Errorf("told twice: %q", out.Result.Summary)
	}
	if got := b.Run(KillShell, tooltest.Obj{"shell_id": "sh1"}).Result; got.Text != "sh1 had already ended with exit code 3." {
		t.Errorf("%+v", got)
	}
	if got := read(tooltest.Obj{"filter": "("}); !strings.Contains(got.Text, "not a regular expression") {
		t.Errorf("%+v", got)
	}
}

// The end of a command that nobody waits for is told with what was not read.
func TestTheEndInTheBackgroundIsTold(t *testing.T) {
	b := tooltest.New(t, nil)
	ended := ends(b)
	b.Run(Bash, tooltest.Obj{"command": "mkfifo go"})
	b.Run(Bash, tooltest.Obj{"command": "read x <go; echo done", "run_in_background": true})
	b.Run(Bash, tooltest.Obj{"command": "echo >go"})
	out := <-ended
	if !regexp.MustCompile(`^sh1 \(read x <go; echo done\) ended with exit code 0 after .*s\. Its unread output:\ndone$`).MatchString(out.Result.Sent) {
		t.Errorf("%q", out.Result.Sent)
	}
	if out.Result.Summary != "1 line|read x <go; echo done ended with exit code 0" || out.Result.Text != "done\n" {
		t.Errorf("%+v", out)
	}
}

func TestKillShell(t *testing.T) {
	b := tooltest.New(t, nil)
	ended := ends(b)
	b.Run(Bash, tooltest.Obj{"command": "trap '' TERM HUP INT; sleep 1000 & sleep 1000", "run_in_background": true})
	if got := b.Run(KillShell, tooltest.Obj{"shell_id": "sh1"}).Result; !strings.HasPrefix(got.Text, "Stopped sh1 (trap") {
		t.Errorf("%+v", got)
	}
	if out := <-ended; out.How != session.ToolCancelled || out.Result.Summary != "stopped|" {
		t.Errorf("%+v", out)
	}
}

// A command that takes too long, or that the user sends there, goes on in the background; one that the user stops ends.
func TestWaysOutOfTheForeground(t *testing.T) {
	b := tooltest.New(t, nil)
	ended := ends(b)
	run := func(begun func()) session.ToolResult {
		j, err := Bash.Prepare(b.W, []byte(`{"command":"echo begun; sleep 1000","timeout":600000}`))
		if err != nil {
			t.Fatal(err)
		}
		first := true
		return tooltest.Reported(j.Run(context.Background(), "c1", func(string) {
			if first {
				begun()
			}
			first = false
		})).Result
	}
	if got := run(func() { _ = b.W.Jobs.ToBackground(context.Background(), "c1") }); got.Job != "sh1" ||
		!strings.HasPrefix(got.Sent, "begun\n(the user sent it to the background: it goes on in the background as sh1)") {
		t.Errorf("%+v", got)
	}
	if err := b.W.Jobs.Stop(context.Background(), "c1"); err != nil {
		t.Error(err)
	}
	if out := <-ended; out.Result.Summary != "stopped by the user|echo begun; sleep 1000 stopped by the user" {
		t.Errorf("%+v", out)
	}
	if got := run(func() { _ = b.W.Jobs.Stop(context.Background(), "c1") }); got.Text != "begun\n" || !strings.Contains(got.Sent, "begun\n(the user stopped this command") {
		t.Errorf("%+v", got)
	}
	if err := b.W.Jobs.Stop(context.Background(), "c2"); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
	got := b.Run(Bash, tooltest.Obj{"command": "echo begun; sleep 1000", "timeout": 1}).Result
	if got.Job != "sh2" || !strings.Contains(got.Sent, "still running after 1ms") {
		t.Errorf("%+v", got)
	}
	b.W.Jobs.Close()
	if out := <-ended; out.Result.Summary != "ended with parley|echo begun; sleep 1000 ended with parley" {
		t.Errorf("%+v", out)
	}
}

// Only so many run in the background at the same time.
func TestJobsAreBounded(t *testing.T) {
	b := tooltest.New(t, nil)
	ended := ends(b)
	for range 16 {
		b.Run(Bash, tooltest.Obj{"command": "sleep 1000", "run_in_background": true})
	}
	got := b.Run(Bash, tooltest.Obj{"command": "sleep 1000", "run_in_background": true})
	if got.How != session.ToolFailed || !strings.Contains(got.Result.Text, "KillShell first: sh1, sh2,") {
		t.Errorf("%+v", got)
	}
	if got := b.Run(Bash, tooltest.Obj{"command": "echo x; sleep 1000", "timeout": 100}); got.How != session.ToolFailed || !strings.Contains(got.Result.Sent, "it took longer than 100ms") {
		t.Errorf("%+v", got)
	}
	b.W.Jobs.Close()
	for range 16 {
		<-ended
	}
}
