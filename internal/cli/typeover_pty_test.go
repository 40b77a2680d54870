//go:build unix

package cli

import (
	"strings"
	"testing"
)

// TestSentencesOverAQuestionOnATerminal types and pastes whole sentences over a question that has the keyboard, on a real
// terminal: all of it is text, and the command never runs.
func TestSentencesOverAQuestionOnATerminal(t *testing.T) {
	w := newWorld(t).signIn(slowly)
	tm := w.start(80, 24)
	tm.shows("parley")
	tm.send("bash please\r")
	for _, text := range []string{"yes do it", "please go on", "go ahead", "stop that", "all of them", "try again", "edit the rule", "YES", "nothing else"} {
		tm.shows("❯ n no")
		tm.send(text)
		tm.shows("> " + text)
		tm.send("\x15")
	}
	tm.shows("❯ n no")
	tm.send("\x1b[200~yes\ry\rp\r\x1b[201~")
	tm.shows("> yes")
	tm.send("\x15\x15\x15\x15\x15\x15")
	tm.shows("❯ n no")
	tm.send("m")
	tm.shows("tell the agent why not")
	tm.send("typed over\r")
	tm.shows("says: typed over")
	if strings.Contains(tm.output(), "printed-42") {
		t.Error("the command ran")
	}
	tm.send("/quit\r")
	if code := tm.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
}
