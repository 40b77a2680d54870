package sessions

import (
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/session"
	"parley/session/export"
	"parley/ui/md/cells"
)

func (l Library) exportCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "export ID", Short: "Print a session as markdown source, HTML or JSON", Args: command.OneID,
		Long: `Print a session as markdown source, as one page of HTML that needs no other file, or as JSON. What looks like a secret is
replaced by ***.`,
		Example: `  parley sessions export 1f0c --format html >talk.html
  parley sessions export 1f0c --format json --reasoning=false --tool-output=false`}
	asJSON := command.JSONFlag(cmd)
	flags, asked := cmd.Flags(), export.Options{}
	flags.StringVar(&asked.Format, "format", "md", "`FORMAT`: "+strings.Join(export.Formats, ", "))
	flags.BoolVar(&asked.Reasoning, "reasoning", false, "include the reasoning, which JSON does by itself")
	flags.BoolVar(&asked.Output, "tool-output", true, "include the results of calls")
	flags.BoolVar(&asked.Secrets, "secrets", false, "leave what looks like a secret readable")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *asJSON && !flags.Changed("format") {
			asked.Format = "json"
		}
		if !slices.Contains(export.Formats, asked.Format) {
			return command.Usagef("--format is one of %s", strings.Join(export.Formats, ", "))
		}
		if !flags.Changed("reasoning") {
			asked.Reasoning = export.NewOptions(asked.Format).Reasoning
		}
		meta, events, err := l.read(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		var t *session.Transcript
		escaped := func(b []byte) []byte { return b }
		if asked.Format == "json" {
			escaped = cells.VisibleJSON
		} else {
			t = session.Fold(events)
		}
		return l.printPieces(export.Pieces(meta, t, events, asked), escaped)
	}
	return cmd
}

// printPieces prints a session as it comes, because sessions may be very long.
func (l Library) printPieces(pieces iter.Seq2[string, error], escaped func([]byte) []byte) error {
	for piece, err := range pieces {
		if err == nil {
			_, err = l.Out.Write(escaped([]byte(piece)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
