package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// group makes a command that only holds others.
func group(name, short string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, RunE: runGroup}
}

// runGroup runs a command that only holds others: it prints its help.
func runGroup(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	return cmd.Help()
}

// unknownCommand returns the error for a word that is not a command of a group. It suggests the nearest one.
func unknownCommand(cmd *cobra.Command, word string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, append(sub.Aliases, sub.Name())...)
	}
	e := usageError{err: fmt.Errorf("%s has no command %q", cmd.CommandPath(), word)}
	if near := nearest.Of(word, names); near != "" {
		e.next = fmt.Sprintf("Did you mean `%s %s`?", cmd.CommandPath(), near)
	}
	return e
}

// unknownFlag returns the error for flags of a command that cannot be read. It suggests the nearest flag.
func unknownFlag(cmd *cobra.Command, err error) error {
	e := usageError{err: err}
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) || len(missing.GetSpecifiedName()) < 2 {
		return e
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := nearest.Of(missing.GetSpecifiedName(), names); near != "" {
		e.next = fmt.Sprintf("Did you mean `--%s`? See `%s --help`.", near, cmd.CommandPath())
	}
	return e
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
		return usageError{err: fmt.Errorf("parley has no command %q", words[0]),
			next: fmt.Sprintf("Use `%s`. `parley -- %s` sends it as a prompt.", way, words[0])}
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
	return usageError{err: fmt.Errorf("parley has no command %q", words[0]),
		next: fmt.Sprintf("Did you mean `parley %s`? `parley -- %s` sends it as a prompt.", near, words[0])}
}

// oneID wants one argument.
func oneID(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageError{fmt.Errorf("%s takes one session id", cmd.CommandPath()), "`parley sessions list` shows them; the start of one is enough."}
	}
	return nil
}

// jsonFlag adds --json to a command that prints facts.
func jsonFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("json", false, "print JSON; docs/headless.md lists the fields")
}
