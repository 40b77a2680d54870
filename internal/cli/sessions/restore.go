package sessions

import (
	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/session/live"
)

// restoreCommand is `parley sessions restore`.
func (l Library) restoreCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore ID", Short: "Bring a deleted session back from the bin", Args: command.OneID,
		Long: "Bring a deleted session back from the bin, with all that belongs to it, to where it was. `parley sessions list is:deleted` lists the bin.",
		Example: `  parley sessions list is:deleted
  parley sessions restore 1b2c`,
	}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		binned, err := l.deleted(cmd.Context())
		if err != nil {
			return err
		}
		if len(binned) == 0 {
			return command.UsageError{Err: errNoBin, Next: "`parley sessions list` lists sessions."}
		}
		id, err := live.Match(binned, args[0])
		if err != nil {
			return err
		}
		if err := l.Manager().Restore(cmd.Context(), id); err != nil {
			return err
		}
		switch {
		case *asJSON:
			return l.Out.JSON(named{ID: id})
		case l.Out.Terminal() != nil:
			return l.Out.Sentence("It is back: `parley -r %s`", args[0])
		}
		return nil
	}
	return cmd
}
