package sessions

import (
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/session/live"
)

// restoreCommand is `parley sessions restore`.
func (l Library) restoreCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore ID", Short: "Bring a deleted session back from the bin", Args: command.OneID,
		Long: "Bring a deleted session back from the bin, with all that belongs to it, to where it was. `parley sessions list is:deleted` lists the bin. " +
			"Of several with one id, say which by ID@TIME, the time when it was deleted, or the beginning of that.",
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
		m, err := live.Match(binned, args[0])
		if err != nil {
			return err
		}
		if err := l.Manager().RestoreFrom(cmd.Context(), m.ID, m.Deleted); err != nil {
			return err
		}
		short, _, _ := strings.Cut(args[0], "@")
		switch {
		case *asJSON:
			return l.Out.JSON(named{ID: m.ID})
		case l.Out.Terminal() != nil:
			return l.Out.Sentence("It is back: `parley -r %s`", short)
		}
		return nil
	}
	return cmd
}
