package session

import "testing"

// A command runs at once unless it says that something has to follow.
func TestBareCommands(t *testing.T) {
	for arguments, want := range map[string]bool{"": true, "[file]": true, "<optional custom summarization instructions>": true, "<name>": false, "[a] <b>": false} {
		if got := (SlashCommand{Arguments: arguments}).Bare(); got != want {
			t.Errorf("%q: %v", arguments, got)
		}
	}
}
