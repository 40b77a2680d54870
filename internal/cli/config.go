package cli

import (
	"github.com/spf13/cobra"

	"parley/config"
)

// configCommand is `parley config`.
func configCommand(a *app) *cobra.Command {
	cmd := group("config", "Show the effective settings and where each comes from")
	cmd.AddCommand(
		&cobra.Command{
			Use: "path", Short: "Print the configuration file's path, whether or not it exists", Args: noArgs,
			RunE: func(*cobra.Command, []string) error {
				return a.out.line("%s", a.file)
			},
		},
		&cobra.Command{
			Use: "show", Short: "Print the effective configuration and where each value comes from", Args: noArgs,
			RunE: func(*cobra.Command, []string) error {
				_, err := a.out.Write(a.cfg.Show())
				return err
			},
		},
		&cobra.Command{
			Use: "schema", Short: "Print the JSON schema of the configuration file", Args: noArgs,
			RunE: func(*cobra.Command, []string) error {
				_, err := a.out.Write(config.Schema())
				return err
			},
		},
	)
	return cmd
}
