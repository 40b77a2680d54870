package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
)

// modelsCommand is `parley models`.
func modelsCommand(a *app) *cobra.Command {
	var asJSON *bool
	cmd := &cobra.Command{
		Use: "models", Short: "List the models you can use, with limits, efforts and prices", Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), command.LookupTime)
			defer cancel()
			client, err := a.signIn().Client(ctx)
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
				return a.out.JSON(models)
			}
			return a.out.List(modelList(models))
		},
	}
	asJSON = command.JSONFlag(cmd)
	return cmd
}

// modelList describes models in the columns of the list on the screen. A terminal gets what the service wants known about them, too,
// but not their names, which are the ids in other letters. A pipe gets new columns behind those that scripts know.
func modelList(models []session.Model) output.List {
	l := output.List{Most: output.MaxCell, Plain: [][]string{{"MODEL", "NAME", "CONTEXT", "OUTPUT", "EFFORT", "CREDITS PER M IN/OUT", "NOTE", "PER PROMPT", "FOR"}},
		Columns: []output.Column{{Head: "MODEL"}, {Head: "EFFORT", Wraps: true, Style: output.Quiet}, {Head: "WINDOW"}, {Head: "REPLY"}, {Head: "PER 1M IN / OUT"},
			{Head: "PER PROMPT"}, {Head: "FOR", Wraps: true, Below: true}, {Head: "NOTE", Wraps: true, Below: true, Style: output.Quiet}}}
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
		perTokens, perPrompt := core.TokenPrice(m), core.PromptPrice(m)
		if perPrompt == perTokens { // both say that it is included
			perPrompt = ""
		}
		context, answer, efforts := tokenCount(m.ContextWindow), tokenCount(m.MaxOutput), strings.Join(m.Efforts, " ")
		l.Plain = append(l.Plain, []string{m.ID, m.Name, context, answer, efforts, price, strings.Join(notes, ", "), core.PromptPrice(m), m.Purpose})
		l.Rows = append(l.Rows, []string{m.ID, efforts, context, answer, perTokens, perPrompt, m.Purpose, strings.Join(more, ", ")})
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
