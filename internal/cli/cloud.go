package cli

import (
	"context"
	"os"

	service "parley/copilot/cloud"
	"parley/copilot/login"
	"parley/internal/git"
	"parley/session/catalog"
	"parley/session/cloud"
)

// newCloud makes GitHub's cloud agent for a login. Without a service it knows what this machine keeps, and sends nothing.
func newCloud(a *app, login func() login.Credential, s cloud.Service) *cloud.Agent {
	here, err := os.Getwd()
	if err != nil {
		here = "" // it was removed
	}
	return cloud.New(cloud.Options{
		Service: s, Dir: a.paths.Tasks(), Cache: a.paths.TaskCache(), Here: here, Unlisted: !a.cfg.Cloud.List,
		Repository: func(ctx context.Context, dir string) string {
			return git.RepositoryAt(git.Remotes(ctx, dir), login().Host)
		},
		Error: catalog.Error, Log: a.log, Missing: func() string { return service.Missing(login()) },
	})
}
