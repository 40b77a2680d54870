package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/nearest"
)

// rootFlags are the flags that are not configuration keys.
type rootFlags struct {
	answer bool // -p
	cont   bool
	resume bool
	demo   bool
	plain  bool
	print  printFlags
}

// namedElsewhere has what parley does for the commands that people know from other programs.
var namedElsewhere = map[string]string{
	"login": "parley auth login", "logout": "gh auth logout", "status": "parley auth status", "whoami": "parley auth status",
	"usage": "parley auth status", "resume": "parley -r", "continue": "parley -c", "list": "parley sessions list",
	"install": "parley runtimes install", "update": "parley version", "upgrade": "parley version", "run": "parley -p WORDS",
	"init": "/init", "mcp": "/mcp",
}

// misspelt returns an error if words are nothing but the name of a command, misspelt or of another program, which would else
// begin a chat and be paid for.
func misspelt(root *cobra.Command, words []string) error {
	if len(words) != 1 || root.ArgsLenAtDash() >= 0 {
		return nil
	}
	if way := namedElsewhere[words[0]]; way != "" {
		return command.UsageError{Err: fmt.Errorf("parley has no command %q", words[0]),
			Next: fmt.Sprintf("Use `%s`. `parley -- %s` sends it as a prompt.", way, words[0])}
	}
	var names []string
	for _, sub := range root.Commands() {
		if len(sub.Name()) > 3 {
			names = append(names, sub.Name())
		}
	}
	near := nearest.Of(words[0], names)
	if near == "" || near[0] != words[0][0] {
		return nil
	}
	return command.UsageError{Err: fmt.Errorf("parley has no command %q", words[0]),
		Next: fmt.Sprintf("Did you mean `parley %s`? `parley -- %s` sends it as a prompt.", near, words[0])}
}
