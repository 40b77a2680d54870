package cli

import (
	"strings"
	"testing"

	"parley/internal/cli/command"
)

// TestHelpOfNoCommand refuses words that name no command, and suggests the nearest one.
func TestHelpOfNoCommand(t *testing.T) {
	w := newWorld(t)
	for words, want := range map[string]string{
		"nonsense":        "parley: no command \"nonsense\"\nSee `parley --help`.\n",
		"modls":           "parley: no command \"modls\"\nDid you mean `parley models`?\n",
		"sessions ls":     "parley: parley sessions has no command \"ls\"\n",
		"completion fihs": "Did you mean `parley completion fish`?\n",
	} {
		o := w.run(append([]string{"help"}, strings.Fields(words)...)...)
		if o.code != int(command.ExitUsage) || o.out != "" || !strings.Contains(o.err, want) {
			t.Errorf("help %s: %+v", words, o)
		}
	}
	for _, words := range []string{"", "models", "sessions undo", "help"} {
		if o := w.run(append([]string{"help"}, strings.Fields(words)...)...); o.code != 0 || !strings.Contains(o.out, "Usage\n") {
			t.Errorf("help %s: %+v", words, o)
		}
	}
}
