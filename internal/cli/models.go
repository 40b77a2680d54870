package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/human"
	"parley/session"
)

// modelsCommand is `parley models`.
func modelsCommand(a *app) *cobra.Command {
	var asJSON bool
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
			if asJSON {
				if models == nil {
					models = []session.Model{}
				}
				return a.out.json(models)
			}
			return pagesOf(a).list(modelList(models))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// modelList describes models in columns.
func modelList(models []session.Model) list {
	l := list{most: maxCell, plainHead: true,
		head: []string{"MODEL", "NAME", "CONTEXT", "OUTPUT", "EFFORT", "CREDITS PER M IN/OUT", "NOTE"}}
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
		if m.Unusable != "" {
			notes = append(notes, m.Unusable)
		}
		l.rows = append(l.rows, []string{m.ID, m.Name, tokenCount(m.ContextWindow), tokenCount(m.MaxOutput),
			strings.Join(m.Efforts, " "), price, strings.Join(notes, ", ")})
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
