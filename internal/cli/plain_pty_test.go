//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A chat in lines needs no terminal at all: it reads a pipe and writes one.
func TestPlainChatThroughPipes(t *testing.T) {
	w := newWorld(t)
	cmd := exec.Command(os.Args[0], "--demo", "--plain")
	cmd.Env = append([]string{asParley + "=1"}, w.env...)
	cmd.Dir = w.dir
	cmd.Stdin = strings.NewReader("hello\nn\nn\nn\n")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out.String(), errs.String())
	}
	for _, want := range []string{"note: parley ", "you: hello\n", "assistant: ", "note: done"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, out.String())
		}
	}
	if strings.ContainsAny(out.String(), "\x1b\r\a") {
		t.Errorf("it wrote a control character:\n%q", out.String())
	}
}

// A terminal that can show nothing but lines gets a chat in lines.
func TestADumbTerminalChatsInLines(t *testing.T) {
	w := newWorld(t).signIn(slowly)
	w.env = append(w.env, "TERM=dumb")
	tm := w.start(80, 24)
	tm.shows("List the commands with /help")
	tm.send("one\r")
	tm.shows("You said **one**")
	tm.send("/quit\r")
	tm.shows("parley -r ")
	tm.exit()
	if out := tm.output(); strings.Contains(out, "\x1b") {
		t.Errorf("a sequence was written: %q", out)
	}
}
