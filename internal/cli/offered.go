package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"parley/config"
	"parley/internal/cli/completion"
	"parley/session"
	"parley/session/catalog"
	"parley/session/live"
)

// offerTime bounds what a shell waits for sessions.
const offerTime = 2 * time.Second

// offered returns what completions read. It sends nothing.
func offered(a *app) completion.Sources {
	stored := func(cmd *cobra.Command, list func(context.Context, *live.Manager) []session.Meta) []session.Meta {
		if a.load(cmd.Flags(), false) != nil {
			return nil
		}
		ctx, cancel := context.WithTimeout(context.Background(), offerTime)
		defer cancel()
		return list(ctx, library{app: a}.manager())
	}
	return completion.Sources{
		Models: func() []session.Model {
			paths, err := config.FindPaths(a.getenv)
			if err != nil {
				return nil
			}
			return catalog.Stored(paths.ModelList())
		},
		Sessions: func(cmd *cobra.Command) []session.Meta {
			return stored(cmd, func(ctx context.Context, m *live.Manager) []session.Meta { return m.Listing(ctx).Sessions })
		},
		Deleted: func(cmd *cobra.Command) (all []session.Meta) {
			return stored(cmd, func(ctx context.Context, m *live.Manager) []session.Meta { all, _ = m.Deleted(ctx); return all })
		},
	}
}
