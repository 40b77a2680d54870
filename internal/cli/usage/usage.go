package usage

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/session/spending"
	"parley/session/store"
	"parley/ui/style"
)

// Options are the parts of a run that the command needs.
type Options struct {
	Out *output.Stream
	// Report reads what the sessions cost. It reads files.
	Report func(ctx context.Context) (spending.Report, error)
	// Store returns the stored sessions.
	Store func() *store.Store
	// Home returns the user's home directory.
	Home func() string
}

// Command makes `parley usage`.
func Command(o Options) *cobra.Command {
	cmd := &cobra.Command{Use: "usage", Short: "Show what your sessions cost: today, week, month, by model, agent, directory", Args: command.NoArgs}
	asJSON := command.JSONFlag(cmd)
	each := cmd.Flags().Bool("prompts", false, "list each prompt of the last 30 days with what it cost, the newest first")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *each {
			return prompts(cmd.Context(), o, *asJSON)
		}
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

// prompts prints what each prompt cost.
func prompts(ctx context.Context, o Options, asJSON bool) error {
	y, m, d := time.Now().AddDate(0, 0, -29).Date()
	all, err := o.Store().Charges(ctx, time.Date(y, m, d, 0, 0, 0, 0, time.Local))
	if err != nil {
		return err
	}
	if asJSON {
		return o.Out.JSON(append([]spending.Charge{}, all...))
	}
	l := output.List{Most: output.MaxCell, Plain: [][]string{},
		Columns: []output.Column{{Head: "WHEN"}, {Head: "CREDITS"}, {Head: "SUBAGENTS"}, {Head: "MODEL"}, {Head: "PROMPT", Wraps: true}}}
	for _, c := range all {
		exact := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
		l.Rows = append(l.Rows, []string{c.At.Local().Format("2 Jan 15:04"), fmt.Sprintf("%.2f", c.Credits), fmt.Sprintf("%.2f", c.Subagents), style.ShortModel(c.Model), c.Prompt})
		l.Plain = append(l.Plain, []string{c.At.Format(time.RFC3339), exact(c.Credits), exact(c.Subagents), c.Model, c.Prompt})
	}
	return o.Out.List(l)
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
