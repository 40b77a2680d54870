//go:build unix

package cli

import (
	"regexp"
	"strings"
	"testing"
)

// TestAgentOnATerminal holds one conversation with the builtin agent that uses its children, its task list, prompts in
// mid-turn, commands in the background, a side question, and a summary of the conversation.
func TestAgentOnATerminal(t *testing.T) {
	t.Parallel()
	a := scripted(t, "agent", "builtin", []projectFile{{"greeting.txt", "good morning\n", 0o600}, {"notes.txt", "all is english\n", 0o600},
		{"build/out.txt", "x\n", 0o600}})
	a.differs = append(a.differs, difference{regexp.MustCompile(` +\d+s$`), ""}, difference{regexp.MustCompile(` ended( after \d+s)?(  +|$)`), " ended  "},
		difference{regexp.MustCompile(`( +\d+s)?  +(\d+ lines?.*|tab shows.*|in the background.*)$`), "  $2"})
	a.tm = a.start(100, 30, "--agent", "builtin", "--permission-mode", "bypassPermissions")
	a.tm.shows("parley")
	a.tm.send("ask two agents\r")
	a.tm.shows("Both have a few words.")
	a.compare("children")

	a.tm.send("work on it\r")
	a.tm.shows("running echo waiting")
	a.tm.send("with a song" + ctrlS)
	a.tm.until("the prompt to wait", func(s string) bool {
		return strings.Contains(s, "> with a song") && strings.Contains(s, "goes in at the agent's next step")
	})
	a.write("go", "")
	a.tm.shows("With a song, then.")
	a.compare("steered")

	a.tm.send("build it\r")
	a.tm.shows("It builds.")
	a.compare("in-background")
	a.write("built", "")
	a.tm.shows("The build is done.")
	a.compare("ended")

	a.tm.send("/btw what did we do\r")
	a.tm.shows("We read two files and built.")
	a.compare("aside")
	a.tm.send("\x1b")
	a.tm.until("the side question to close", func(s string) bool { return !strings.Contains(s, "We read two files") })

	a.tm.send("/compact\r")
	a.tm.shows("Summarized the conversation so far")
	a.tm.shows("/compact undo sends everything again")
	a.leave()
}

const ctrlS = "\x13"
