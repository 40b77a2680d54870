package sessions

import (
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
)

// renameCommand is `parley sessions rename`.
func (l Library) renameCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "rename ID TITLE", Short: "Give a session a title", Args: cobra.MinimumNArgs(2),
		Example: `  parley sessions rename 1b2c Why the upload test flakes`,
	}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := l.find(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		title := strings.Join(args[1:], " ")
		kept, open, err := l.Rename(cmd.Context(), id, title)
		if !open {
			kept, err = l.Manager().Rename(cmd.Context(), id, title)
		}
		switch {
		case err != nil:
			return err
		case *asJSON:
			return l.Out.JSON(struct {
				named
				Title string `json:"title"`
			}{named{id}, kept})
		case l.Out.Terminal() != nil:
			return l.Out.Sentence("Renamed to %s.", kept)
		}
		return nil
	}
	return cmd
}
