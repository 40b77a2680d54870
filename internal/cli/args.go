package cli

import "github.com/spf13/cobra"

// rootFlags are the flags that are not configuration keys.
type rootFlags struct {
	print  bool
	cont   bool
	resume bool
	demo   bool
	plain  bool
	output string
}

// outputFormats are the values of --output-format.
var outputFormats = []string{"text", "json", "stream-json"}

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// group makes a command that only holds others. By itself it prints its help.
func group(name, short string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("%s has no command %q", cmd.CommandPath(), args[0])
			}
			return cmd.Help()
		},
	}
}

// oneID wants one argument.
func oneID(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("%s takes one session id; see parley sessions list", cmd.CommandPath())
	}
	return nil
}
