package sim

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	service "parley/copilot/sim"
	"parley/copilot/sim/script"
	"parley/internal/cli/command"
	"parley/internal/cli/output"
)

// Command is `parley sim`: it prints the addresses to out and each request to messages, until a signal.
func Command(out, messages *output.Stream) *cobra.Command {
	var addr, scriptFile string
	var strict bool
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "Serve a simulated GitHub and Copilot on this machine, for demos and tests",
		Long: `Serve a simulated GitHub and Copilot on a loopback address. No request leaves the machine.

Once it listens it prints three lines, PARLEY_GITHUB_API_URL=..., PARLEY_COPILOT_API_URL=... and GH_TOKEN=..., to stdout,
then logs each request to stderr and runs until it is interrupted. With these lines in its environment another parley
talks to it.`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o := service.Options{Addr: addr, Log: messages, Strict: strict}
			if scriptFile != "" {
				s, err := readScript(scriptFile)
				if err != nil {
					return command.UsageError{Err: err}
				}
				o.Script = s
			}
			ctx, stop := command.UntilSignal(cmd.Context())
			defer stop()
			srv, err := service.Start(o)
			if err != nil {
				return command.UsageError{Err: err}
			}
			fmt.Fprintf(out, "PARLEY_GITHUB_API_URL=%s\nPARLEY_COPILOT_API_URL=%s\nGH_TOKEN=%s\n",
				srv.GitHubURL(), srv.CopilotURL(), srv.Token())
			<-ctx.Done()
			if err := srv.Close(); err != nil {
				return err
			}
			return context.Cause(ctx)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "", "`ADDRESS` loopback address to listen at, such as 127.0.0.1:8080")
	cmd.Flags().StringVar(&scriptFile, "script", "", "`FILE` what the simulated model says; see docs/sim.md")
	cmd.Flags().BoolVar(&strict, "strict", false, "refuse also what only some of Copilot's backends refuse")
	return cmd
}

func readScript(name string) (*script.Script, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return script.Parse(f, name)
}
