package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/human"
	"parley/session"
)

// modelsCommand is `parley models`.
func modelsCommand(a *app) *cobra.Command {
	var asJSON *bool
	cmd := &cobra.Command{
		Use: "models", Short: "List the models you can use, with limits, efforts and prices", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), lookupTime)
			defer cancel()
			client, err := newSignIn(a).client(ctx)
			if err != nil {
				return err
			}
			models, err := newCatalog(a, client, nil).Models(ctx)
			if err != nil {
				return err
			}
			if *asJSON {
				if models == nil {
					models = []session.Model{}
				}
				return a.out.json(models)
			}
			return pagesOf(a).list(modelList(models))
		},
	}
	asJSON = jsonFlag(cmd)
	return cmd
}

// modelList describes models in columns. A terminal gets what the service wants known about them, too, but not their names,
// which are the ids in other letters.
func modelList(models []session.Model) list {
	l := list{most: maxCell, plain: [][]string{{"MODEL", "NAME", "CONTEXT", "OUTPUT", "EFFORT", "CREDITS PER M IN/OUT", "NOTE"}},
		columns: []column{{head: "MODEL"}, {head: "CONTEXT"}, {head: "OUTPUT"}, {head: "EFFORT", wraps: true, style: quiet}, {head: "CREDITS/M IN/OUT"},
			{head: "NOTE", wraps: true, below: true, style: quiet}}}
	for _, m := range models {
		price := ""
		if m.Price != nil {
			price = fmt.Sprintf("%g/%g", m.Price.Input, m.Price.Output)
		}
		var notes []string
		if m.Default {
			notes = append(notes, "default")
		}
		if m.Preview {
			notes = append(notes, "preview")
		}
		more := slices.Concat(notes, m.Notes)
		if m.Unusable != "" {
			notes, more = append(notes, m.Unusable), append(more, m.Unusable)
		}
		context, output, efforts := tokenCount(m.ContextWindow), tokenCount(m.MaxOutput), strings.Join(m.Efforts, " ")
		l.plain = append(l.plain, []string{m.ID, m.Name, context, output, efforts, price, strings.Join(notes, ", ")})
		l.rows = append(l.rows, []string{m.ID, context, output, efforts, price, strings.Join(more, ", ")})
	}
	return l
}

// tokenCount returns a number of tokens in short, "" for one that is not known.
func tokenCount(n int64) string {
	if n == 0 {
		return ""
	}
	return human.Tokens(n)
}
