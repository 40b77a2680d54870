package sessions

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/internal/human"
	"parley/session"
	"parley/session/query"
	"parley/session/words"
)

// searchCommand is `parley sessions search`.
func (l Library) searchCommand() *cobra.Command {
	var most int
	cmd := &cobra.Command{
		Use: "search WORDS", Short: "Find sessions by the words of their prompts, answers and tool calls", Args: cobra.MinimumNArgs(1),
		Long: "Find sessions by words: each has to be in the session's title, directory, prompts, answers or tool calls, whatever its case. Newest first, with a " +
			"passage that has one of them. Sessions that have them only inside of longer words come if no other does.\n\n" + filterHelp,
		Example: `  parley sessions search jitter
  parley sessions search '"upload test"' agent:claude after:2w
  parley sessions search upload jitter --json`,
	}
	asJSON := command.JSONFlag(cmd)
	cmd.Flags().IntVar(&most, "limit", 50, "stop after `N` sessions")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		asked, err := l.query(args)
		if err != nil {
			return err
		}
		if len(asked.Terms) == 0 || most < 1 {
			return command.Usagef("give at least one word, and a limit above 0; `parley sessions list` lists sessions by filters alone")
		}
		found, err := l.search(cmd.Context(), asked, most)
		switch {
		case err != nil:
			return err
		case *asJSON:
			return l.Out.JSON(found)
		case len(found) == 0 && l.Out.Terminal() != nil:
			return l.Out.Sentence("No session has these words.")
		}
		return l.Out.List(foundList(found, time.Now()))
	}
	return cmd
}

// found is a session that has the words.
type found struct {
	session.Meta
	Passages []string `json:"passages"`
}

// filterHelp describes the filters.
const filterHelp = "Filters narrow that down: agent:NAME, model:NAME, branch:NAME, tag:NAME, dir:PATH (dir:. is this directory and those below it), is:pinned, " +
	"is:archived, is:deleted (the bin), and before:WHEN and after:WHEN by the last change, where WHEN is a date (YYYY-MM-DD or YYYY-MM), today, yesterday, or an age such as 7d " +
	"or 2w. Several words in quotes are a phrase."

// query reads words and filters.
func (l Library) query(args []string) (query.Query, error) {
	here, _ := l.Dir() // without one, filters that need it report that
	q, err := query.Parse(query.Line(args), query.Place{Now: time.Now(), Dir: here, Home: l.Home})
	if err != nil {
		return q, command.Usagef("%w", err)
	}
	return q, nil
}

// search looks into the sessions that pass the filters, the newest first.
func (l Library) search(ctx context.Context, asked query.Query, most int) ([]found, error) {
	metas, err := l.asked(ctx, asked)
	if err != nil {
		return nil, err
	}
	metas = slices.DeleteFunc(metas, func(m session.Meta) bool { return !asked.Passes(&m) })
	q := words.New(asked.Terms)
	m, all := l.Manager(), []found{}
	likely, rest, err := m.Narrow(ctx, q, metas)
	if err != nil {
		l.Err.Message("The search reads each session: "+session.ProblemOf(err, time.Now()).What, "`parley sessions reindex` makes the index again.")
	}
	for _, some := range [][]session.Meta{likely, rest} { // the rest may have letters within a word
		for _, meta := range some {
			if len(all) == most || ctx.Err() != nil {
				break
			}
			hit, ok := m.Find(ctx, q, meta)
			if !ok {
				continue
			}
			f := found{Meta: meta, Passages: []string{}}
			for _, p := range hit.Passages {
				f.Passages = append(f.Passages, p.Text)
			}
			all = append(all, f)
		}
		if len(all) > 0 {
			break
		}
	}
	return all, ctx.Err()
}

// foundList describes what was found in columns.
func foundList(all []found, now time.Time) output.List {
	l := output.List{Most: output.MaxCell, Plain: [][]string{}, Columns: []output.Column{{Head: "ID"}, {Head: "AGE", Style: output.Quiet}, {Head: "TITLE", Wraps: true},
		{Head: "PASSAGE", Wraps: true, Style: output.Quiet}}}
	metas := make([]session.Meta, len(all))
	for i, f := range all {
		metas[i] = f.Meta
	}
	ids := ShortIDs(metas)
	for i, f := range all {
		passage := ""
		if len(f.Passages) > 0 {
			passage = f.Passages[0]
		}
		l.Rows = append(l.Rows, []string{ids[i], human.Ago(now.Sub(f.Updated)), f.Headline(), passage})
		l.Plain = append(l.Plain, []string{string(f.ID), f.Updated.UTC().Format(time.RFC3339), f.Headline(), passage})
	}
	return l
}
