package cli

import (
	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/cli/manual"
)

// manCommand is `parley man`.
func manCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page, in roff", Args: command.NoArgs,
		Example: `  parley man | man -l -  read it`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return manual.WritePage(a.out, cmd.Root())
		},
	}
}
