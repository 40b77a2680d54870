package sessions

import (
	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/human"
)

// reindexCommand is `parley sessions reindex`.
func (l Library) reindexCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "reindex", Short: "Make the index that searches use again", Args: command.NoArgs,
		Long: "Make the index that searches use again, from all sessions. parley does that by itself when it has to: the index only says which " +
			"sessions to read, and holds nothing that the sessions lack.",
	}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all, err := l.list(cmd.Context())
		if err != nil {
			return err
		}
		read, err := l.Manager().Reindex(cmd.Context(), all, func() { l.Err.Message("Waiting for another parley that reads the sessions for the index.") })
		switch {
		case err != nil:
			return err
		case *asJSON:
			return l.Out.JSON(struct {
				Sessions int `json:"sessions"`
			}{read})
		}
		return l.Out.Sentence("Indexed %s.", human.Count(read, "session", "sessions"))
	}
	return cmd
}
