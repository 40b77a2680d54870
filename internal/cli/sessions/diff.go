package sessions

import (
	"github.com/spf13/cobra"

	"parley/internal/cli/command"
)

// diffCommand is `parley sessions diff`.
func (l Library) diffCommand() *cobra.Command {
	var scope fileScope
	var stat bool
	cmd := &cobra.Command{
		Use: "diff [ID] [PATH...]", Short: "Print what a session changed in files",
		Long: "Print what a session changed in files and was not undone, as git would: `git apply -R` takes the patch back. Without an id it " +
			"is the newest session of this directory. Names are relative to the session's directory.",
		Example: `  parley sessions diff  the newest session of this directory
  parley sessions diff 1b2c --turn 3  what the third turn changed
  parley sessions diff --stat  the files, with their numbers of lines
  parley sessions diff 1b2c src  only files below src`,
	}
	scope.flag(cmd)
	cmd.Flags().BoolVar(&stat, "stat", false, "print the files with their numbers of lines, and whether you accepted the changes")
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if stat && *asJSON {
			return command.Usagef("use either --stat or --json, not both")
		}
		f, err := l.changed(cmd, args, scope)
		if err != nil {
			return err
		}
		changes := f.scope.Select(f.All)
		switch {
		case *asJSON:
			return f.PrintJSON(cmd.Context(), changes)
		case len(changes) == 0 && l.Out.Terminal() != nil:
			return l.Out.Sentence("%s", f.nothing())
		case stat:
			return f.PrintStat(cmd.Context(), changes)
		}
		return f.PrintPatch(cmd.Context(), changes)
	}
	return cmd
}
