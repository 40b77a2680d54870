package shell

import (
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/tool/tooltest"
)

// type runs BashInput on sh1 and returns what the model reads.
func typeTo(b *tooltest.Bench, in tooltest.Obj) (text string, failed bool) {
	in["bash_id"] = "sh1"
	in["wait"] = 60000
	out := b.Run(BashInput, in)
	if text = out.Result.Sent; text == "" {
		text = out.Result.Text
	}
	return text, out.How == session.ToolFailed
}

func TestACommandReadsWhatIsTyped(t *testing.T) {
	b := tooltest.New(t, nil)
	ended := ends(b)
	got := b.Run(Bash, tooltest.Obj{"command": "while read line; do echo \"got $line\"; done; echo over; exit 4", "input": true}).Result
	if got.Job != "sh1" || !got.Background {
		t.Fatalf("%+v", got)
	}
	for _, word := range []string{"one", "two"} {
		if text, failed := typeTo(b, tooltest.Obj{"text": word + "\n"}); failed || !strings.Contains(text, "got "+word+"\n") {
			t.Errorf("%q", text)
		}
	}
	if text, failed := typeTo(b, tooltest.Obj{"text": "three", "close": true}); failed || !strings.Contains(text, "over") {
		t.Errorf("%q", text)
	}
	if out := <-ended; out.Result.ExitCode == nil || *out.Result.ExitCode != 4 {
		t.Errorf("%+v", out)
	}
	if text, failed := typeTo(b, tooltest.Obj{"text": "more\n"}); !failed || !strings.Contains(text, "reads no more") {
		t.Errorf("%q", text)
	}
}

// Without the option a command has no input, as before.
func TestInputIsOnlyWhereItWasAskedFor(t *testing.T) {
	b := tooltest.New(t, nil)
	b.Run(Bash, tooltest.Obj{"command": "sleep 1000", "run_in_background": true})
	if text, failed := typeTo(b, tooltest.Obj{"text": "x\n"}); !failed || !strings.Contains(text, "started without input") {
		t.Errorf("%q", text)
	}
}

// A command that does not read keeps nobody waiting, and its input goes when it is stopped.
func TestACommandThatDoesNotRead(t *testing.T) {
	b := tooltest.New(t, nil)
	ended := ends(b)
	b.Run(Bash, tooltest.Obj{"command": "sleep 1000", "input": true})
	full := strings.Repeat("x", maxInput)
	said := ""
	for range 20 { // more than a pipe takes
		out := b.Run(BashInput, tooltest.Obj{"bash_id": "sh1", "text": full, "wait": 20})
		if said = out.Result.Sent + out.Result.Text; out.How == session.ToolFailed {
			break
		}
	}
	if !strings.Contains(said, "has not read the text before") {
		t.Errorf("%q", said)
	}
	b.Run(KillShell, tooltest.Obj{"shell_id": "sh1"})
	<-ended
}

func TestWhatCannotBeTyped(t *testing.T) {
	b := tooltest.New(t, nil)
	b.Run(Bash, tooltest.Obj{"command": "cat", "input": true})
	for want, in := range map[string]tooltest.Obj{
		"nothing to write": {"bash_id": "sh1"}, "There are: sh1": {"bash_id": "sh9", "text": "x"}, "at most": {"bash_id": "sh1", "text": strings.Repeat("x", maxInput+1)},
	} {
		if out := b.Run(BashInput, in); out.How != session.ToolFailed || !strings.Contains(out.Result.Text, want) {
			t.Errorf("%q: %+v", want, out.Result)
		}
	}
}
