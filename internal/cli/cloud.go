package cli

import (
	"context"
	"os"

	"parley/internal/gitdir"
	"parley/session/catalog"
	"parley/session/cloud"
)

// newCloud makes GitHub's cloud agent. Without a service it knows what this machine keeps, and sends nothing. host is
// the GitHub host of the login.
func newCloud(a *app, host string, s cloud.Service) *cloud.Agent {
	here, err := os.Getwd()
	if err != nil {
		here = "" // it was removed
	}
	return cloud.New(cloud.Options{
		Service: s, Dir: a.paths.Tasks(), Cache: a.paths.TaskCache(), Here: here, Unlisted: !a.cfg.Cloud.List,
		Repository: func(ctx context.Context, dir string) string {
			return gitdir.RepositoryAt(gitdir.Remotes(ctx, dir), host)
		},
		Error: catalog.Error, Log: a.log,
	})
}
