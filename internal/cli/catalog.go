package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"parley/config"
	"parley/copilot"
	"parley/internal/cli/command"
	modelcmd "parley/internal/cli/models"
	"parley/session"
	"parley/session/catalog"
)

// newCatalog returns the catalog of a client's login, which is stored for the next start.
func newCatalog(a *app, client *copilot.Client, aliases func(agent string) []string) *catalog.Catalog {
	return catalog.New(client, catalog.Options{
		Path: a.paths.ModelList(), Service: a.cfg.GitHubAPIURL + " " + a.cfg.CopilotAPIURL,
		EffortForAnyModel: a.asked.Effort == "", Aliases: aliases, Log: a.log,
	})
}

// modelOptions returns the parts of a run for the commands of models.
func modelOptions(a *app) modelcmd.Options {
	return modelcmd.Options{Out: a.out, Catalog: func(ctx context.Context) (modelcmd.Catalog, error) {
		client, err := a.signIn().Client(ctx)
		if err != nil {
			return nil, err
		}
		return newCatalog(a, client, nil), nil
	}}
}

// aliasesOf returns the names of models that an agent knows besides those of the service.
func aliasesOf(agents []session.Agent, name string) []string {
	i := slices.IndexFunc(agents, func(a session.Agent) bool { return a.Name() == name })
	if i < 0 {
		return nil
	}
	if a, ok := agents[i].(session.ModelAliaser); ok {
		return a.ModelAliases()
	}
	return nil
}

// usageOf returns a usage error that lists the valid values; nil for nil.
func usageOf(cfg *config.Config, wrong *catalog.Wrong) error {
	if wrong == nil {
		return nil
	}
	text := cfg.SourceOf(wrong.Key) + ": " + wrong.What
	if wrong.Terms != "" {
		return command.UsageError{Err: errors.New(text), Next: "`parley models accept " + wrong.Terms + "` shows them."}
	}
	if len(wrong.Good) > 0 {
		text += "; choose one of " + strings.Join(wrong.Good, ", ")
	}
	return command.Usagef("%s (`parley models` refreshes the list)", text)
}
