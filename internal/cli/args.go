package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/nearest"
	"parley/session"
)

// rootFlags are the flags that are not configuration keys.
type rootFlags struct {
	answer bool // -p
	cont   bool
	resume bool
	demo   bool
	plain  bool
	detach bool
	attach session.ID // to show, of `parley attach`
	tree   string     // of --worktree: a name, newTree for one of ours, "" for none
	// scratch means that --scratch was given: the session begins in a folder of its own.
	scratch bool
	print   printFlags
}

// namedElsewhere has what parley does for the commands that people know from other programs, as next steps.
var namedElsewhere = map[string]string{
	"login":    "`parley auth login` signs in.",
	"signin":   "`parley auth login` signs in.",
	"logout":   "`parley auth logout` signs out.",
	"signout":  "`parley auth logout` signs out.",
	"whoami":   "`parley auth status` shows the sign-in and the plan.",
	"status":   "`parley auth status` shows the sign-in and the plan.",
	"cost":     "`parley usage` adds up what sessions cost, `parley auth status` shows what is left of the plan.",
	"resume":   "`parley -r` picks a session to resume.",
	"continue": "`parley -c` continues the newest session of this directory.",
	"list":     "`parley sessions list` lists past sessions.",
	"ls":       "`parley sessions list` lists past sessions.",
	"settings": "`parley config show` prints the settings and where each comes from.",
	"install":  "`parley runtimes install claude` installs Claude Code, `parley runtimes install copilot` Copilot.",
	"update":   "`parley version` prints the version; to update, get a newer release or build parley again.",
	"upgrade":  "`parley version` prints the version; to update, get a newer release or build parley again.",
	"run":      "`parley -p WORDS` answers and exits.",
	"exec":     "`parley -p WORDS` answers and exits.",
	"chat":     "`parley` starts a chat.",
	"init":     "Start a chat with `parley` and type /init.",
	"mcp":      "parley finds the MCP servers of Claude Code and the Copilot CLI; /mcp in a chat shows them.",
}

// misspelt returns an error if words are nothing but the name of a command, misspelt or of another program, which would else
// begin a chat and be paid for. Any other word is a prompt.
func misspelt(root *cobra.Command, words []string) error {
	if len(words) != 1 || root.ArgsLenAtDash() >= 0 {
		return nil
	}
	refuse := func(next string) error {
		return command.UsageError{Err: fmt.Errorf("no command %q", words[0]),
			Next: fmt.Sprintf("%s `parley -- %s` sends it as a prompt.", next, words[0])}
	}
	if next := namedElsewhere[words[0]]; next != "" {
		return refuse(next)
	}
	var names []string
	for _, sub := range root.Commands() {
		if len(sub.Name()) > 3 {
			names = append(names, sub.Name())
		}
	}
	near := nearest.Slip(words[0], names)
	if near == "" || near[0] != words[0][0] {
		return nil
	}
	return refuse(fmt.Sprintf("Did you mean `parley %s`?", near))
}
