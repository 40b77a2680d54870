package command

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/internal/nearest"
)

// LookupTime bounds what a command that only informs waits for the network.
const LookupTime = 30 * time.Second

// NoArgs refuses arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// Group makes a command that only holds others.
func Group(name, short string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, RunE: RunGroup}
}

// RunGroup runs a command that only holds others: it prints its help.
func RunGroup(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return UnknownCommand(cmd, args[0])
	}
	return cmd.Help()
}

// UnknownCommand returns the error for a word that is not a command of a group. It suggests the nearest one.
func UnknownCommand(cmd *cobra.Command, word string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, append(sub.Aliases, sub.Name())...)
	}
	what := fmt.Sprintf("no command %q", word)
	if cmd.HasParent() {
		what = cmd.CommandPath() + " has " + what
	}
	e := UsageError{Err: errors.New(what), Next: "See `" + cmd.CommandPath() + " --help`."}
	if near := nearest.Of(word, names); near != "" {
		e.Next = fmt.Sprintf("Did you mean `%s %s`?", cmd.CommandPath(), near)
	}
	return e
}

// UnknownFlag returns the error for flags of a command that cannot be read. It suggests the nearest flag.
func UnknownFlag(cmd *cobra.Command, err error) error {
	e := UsageError{Err: err}
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) || len(missing.GetSpecifiedName()) < 2 {
		return e
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := nearest.Of(missing.GetSpecifiedName(), names); near != "" {
		e.Next = fmt.Sprintf("Did you mean `--%s`? See `%s --help`.", near, cmd.CommandPath())
	}
	return e
}

// OneID wants one argument.
func OneID(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return UsageError{fmt.Errorf("%s takes one session id", cmd.CommandPath()), "`parley sessions list` shows them; the start of one is enough."}
	}
	return nil
}

// JSONFlag adds --json to a command that prints facts.
func JSONFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("json", false, "print JSON; docs/headless.md lists the fields")
}
