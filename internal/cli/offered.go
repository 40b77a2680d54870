package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"parley/config"
	"parley/internal/cli/completion"
	"parley/session"
	"parley/session/catalog"
)

// offerTime bounds what a shell waits for sessions.
const offerTime = 2 * time.Second

// offered returns what completions read. It sends nothing.
func offered(a *app) completion.Sources {
	return completion.Sources{
		Models: func() []session.Model {
			paths, err := config.FindPaths(a.getenv)
			if err != nil {
				return nil
			}
			return catalog.Stored(paths.ModelList())
		},
		Sessions: func(cmd *cobra.Command) []session.Meta {
			if a.load(cmd.Flags(), false) != nil {
				return nil
			}
			ctx, cancel := context.WithTimeout(context.Background(), offerTime)
			defer cancel()
			return library{app: a}.manager().Listing(ctx).Sessions
		},
	}
}
