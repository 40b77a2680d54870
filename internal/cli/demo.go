package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"parley/config"
	"parley/copilot/copilottest"
	"parley/copilot/copilottest/script"
)

// startDemo turns this run into the demo: a simulated GitHub and Copilot inside the process, a scratch directory to work
// in, and parley's own files in another, so that nothing of the user's is read or written. end removes all of it.
func (a *app) startDemo() (end func(), err error) {
	root, err := os.MkdirTemp("", "parley-demo-")
	if err != nil {
		return nil, fmt.Errorf("make a scratch directory for the demo: %w", err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(root)
		}
	}()
	project := filepath.Join(root, "project")
	if err := os.CopyFS(project, script.DemoFiles()); err != nil {
		return nil, fmt.Errorf("fill the demo's scratch directory: %w", err)
	}
	sim, err := copilottest.Start(copilottest.Options{Script: script.Demo()})
	if err != nil {
		return nil, fmt.Errorf("start the simulated Copilot: %w", err)
	}
	own := filepath.Join(root, "parley")
	a.dir = project
	a.paths = config.Paths{
		Config: filepath.Join(own, "config"), Data: filepath.Join(own, "data"),
		State: filepath.Join(own, "state"), Cache: filepath.Join(own, "cache"),
	}
	a.cfg.Agent = "builtin"
	a.cfg.Model, a.cfg.Effort, a.cfg.AddDirs = "", "", nil
	a.cfg.GitHubHost, a.cfg.GitHubAPIURL, a.cfg.CopilotAPIURL = "github.com", sim.GitHubURL(), sim.CopilotURL()
	a.demoToken = sim.Token()
	return func() {
		sim.Close()
		os.RemoveAll(root)
	}, nil
}
