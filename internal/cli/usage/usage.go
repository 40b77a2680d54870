package usage

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/session/spending"
	"parley/ui/style"
)

// Options are the parts of a run that the command needs.
type Options struct {
	Out *output.Stream
	// Report reads what the sessions cost. It reads files.
	Report func(ctx context.Context) (spending.Report, error)
	// Home returns the user's home directory.
	Home func() string
}

// Command makes `parley usage`.
func Command(o Options) *cobra.Command {
	cmd := &cobra.Command{Use: "usage", Short: "Show what your sessions cost: today, week, month, by model, agent, directory", Args: command.NoArgs}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		r, err := o.Report(cmd.Context())
		if err != nil {
			return err
		}
		if *asJSON {
			return o.Out.JSON(r)
		}
		return o.Out.List(listOf(r, o.Home()))
	}
	return cmd
}

// listOf describes what sessions cost in rows, with a chart of the days where there is a terminal.
func listOf(r spending.Report, home string) output.List {
	l := output.List{Most: output.MaxCell, Plain: [][]string{}, Columns: []output.Column{{Head: "SPENT"}, {Head: "ON", Wraps: true}, {Head: "CREDITS"}}}
	add := func(of, name string, credits float64) {
		l.Rows = append(l.Rows, []string{of, name, fmt.Sprintf("%.2f", credits)})
		l.Plain = append(l.Plain, []string{of, name, strconv.FormatFloat(credits, 'f', -1, 64)})
	}
	add("today", "", r.Today)
	add("7 days", "", r.Week)
	add("30 days", "", r.Month)
	l.Rows[2][1] = spending.Chart(r.Days)
	if r.Subagents > 0 {
		add("of it", "subagents", r.Subagents)
	}
	for _, s := range r.Models {
		add("model", cmp.Or(s.Name, "unknown"), s.Credits)
	}
	for _, s := range r.Agents {
		add("agent", s.Name, s.Credits)
	}
	for _, s := range r.Dirs {
		add("directory", style.ShortPath(s.Name, home), s.Credits)
	}
	return l
}
