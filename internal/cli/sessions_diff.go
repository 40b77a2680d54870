package cli

import (
	"github.com/spf13/cobra"
)

// diffCommand is `parley sessions diff`.
func (l library) diffCommand() *cobra.Command {
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
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if stat && *asJSON {
			return usagef("use either --stat or --json, not both")
		}
		f, err := l.changed(cmd, args, scope)
		if err != nil {
			return err
		}
		changes := f.scope.Select(f.All)
		switch {
		case *asJSON:
			return f.PrintJSON(cmd.Context(), changes)
		case len(changes) == 0 && l.app.out.Terminal() != nil:
			return l.app.out.Sentence("%s", f.nothing())
		case stat:
			return f.PrintStat(cmd.Context(), changes)
		}
		return f.PrintPatch(cmd.Context(), changes)
	}
	return cmd
}
