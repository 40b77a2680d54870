package models

import (
	"context"
	"errors"
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

// Catalog lists the models of a login, and agrees to their terms.
type Catalog interface {
	session.TermsAccepter
	// Models returns the models, the default first. Errors are of package session.
	Models(ctx context.Context) ([]session.Model, error)
}

// Options are the parts of a run that the commands need.
type Options struct {
	Out *output.Stream
	// Catalog returns the catalog of the login.
	Catalog func(ctx context.Context) (Catalog, error)
}

// Command makes `parley models`.
func Command(o Options) *cobra.Command {
	var asJSON *bool
	cmd := &cobra.Command{
		Use: "models", Short: "List the models you can use, with limits, efforts and prices", Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), command.LookupTime)
			defer cancel()
			models, _, err := o.models(ctx)
			if err != nil {
				return err
			}
			if *asJSON {
				if models == nil {
					models = []session.Model{}
				}
				return o.Out.JSON(models)
			}
			return o.Out.List(rows(models))
		},
	}
	asJSON = command.JSONFlag(cmd)
	cmd.AddCommand(o.accept())
	return cmd
}

// models asks for the models of the login.
func (o Options) models(ctx context.Context) ([]session.Model, Catalog, error) {
	c, err := o.Catalog(ctx)
	if err != nil {
		return nil, nil, err
	}
	models, err := c.Models(ctx)
	return models, c, err
}

// accept is `parley models accept`.
func (o Options) accept() *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use: "accept MODEL", Short: "Show the terms of a model, and agree to them with --yes", Args: cobra.ExactArgs(1),
		Long: "Some models have terms that an account agrees to once, before the first prompt. This prints them; with --yes it agrees.",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), command.LookupTime)
			defer cancel()
			models, c, err := o.models(ctx)
			if err != nil {
				return err
			}
			m := session.ListedModel(models, args[0])
			switch {
			case m == nil:
				return command.UsageError{Err: fmt.Errorf("no model %q", args[0]), Next: "`parley models` lists them."}
			case m.Terms == "":
				return o.Out.Line("%s needs no yes.", m.ID)
			case !yes:
				if err := o.Out.Line("%s", m.Terms); err != nil {
					return err
				}
				return command.UsageError{Err: errors.New(m.ID + " needs your yes to its terms"), Next: "`parley models accept --yes " + m.ID + "` agrees to them."}
			}
			if err := c.AcceptTerms(ctx, m.ID); err != nil {
				return err
			}
			return o.Out.Line("%s can be used now.", m.ID)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to the terms")
	return cmd
}

// rows describes models in the columns of the list on the screen. A terminal gets what the service wants known about them, too,
// but not their names, which are the ids in other letters. A pipe gets new columns behind those that scripts know.
func rows(models []session.Model) output.List {
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
