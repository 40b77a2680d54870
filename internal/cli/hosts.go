package cli

import (
	"context"

	hosting "parley/internal/cli/host"
	"parley/session"
	"parley/session/host"
)

// hostOptions returns what the commands about sessions in hosts need.
func hostOptions(a *app, f *rootFlags) hosting.Options {
	return hosting.Options{Out: a.out, Program: programVersion(), Home: func() string { return a.getenv("HOME") }, Data: func() string { return a.paths.Data }, Dirs: outliving{a}.dirs,
		Attach: func(ctx context.Context, id session.ID) error {
			f.attach = id
			return talk(ctx, a, *f, nil)
		},
		Serve: func(ctx context.Context, p host.Place) error { return serveSessions(ctx, a, p) }}
}
