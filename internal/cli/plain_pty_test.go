//go:build unix

package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// A chat in lines needs no terminal at all: it reads a pipe and writes one.
func TestPlainChatThroughPipes(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t)
	o := w.runIn("hello\nn\nn\nn\n", "--demo", "--plain")
	if o.code != 0 {
		t.Fatalf("%+v", o)
	}
	for _, want := range []string{"note: parley ", "you: hello\n", "assistant: ", "note: done"} {
		if !strings.Contains(o.out, want) {
			t.Errorf("%q is missing in:\n%s", want, o.out)
		}
	}
	if strings.ContainsAny(o.out, "\x1b\r\a") {
		t.Errorf("it wrote a control character:\n%q", o.out)
	}
}

// A terminal that can show nothing but lines gets a chat in lines.
func TestADumbTerminalChatsInLines(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
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

// TestLinesOfferWhatWasOpen kills a chat in lines: the next one in the directory says that its session was open, and opens it.
func TestLinesOfferWhatWasOpen(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	w.env = append(w.env, "TERM=dumb")
	tm := w.start(80, 24)
	tm.shows("List the commands with /help")
	tm.send("before it was killed\r")
	tm.shows("You said **before it was killed**")
	data := filepath.Join(w.home, ".local", "share", "parley")
	tm.comes("session on disk", func() bool {
		return holds(filepath.Join(data, "composer"), "open:") && holds(filepath.Join(data, "sessions"), "turn_ended")
	})
	if err := tm.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	tm.exit()

	tm = w.start(80, 24)
	tm.shows("1 session was open here. Open it with /tabs")
	tm.send("/tabs\r")
	tm.shows("You said **before it was killed**")
	tm.send("/quit\r")
	tm.exit()

	tm = w.start(80, 24)
	tm.shows("List the commands with /help")
	tm.send("hello\r")
	if s := tm.shows("You said **hello**"); strings.Contains(s, "was open here") {
		t.Errorf("offered what the user has left:\n%s", s)
	}
	tm.send("/quit\r")
	tm.exit()
}
