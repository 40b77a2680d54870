package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"parley/copilot/login"
	"parley/copilot/sim"
	"parley/copilot/sim/script"
)

// demo is a simulated GitHub and Copilot inside the process, with scratch directories.
type demo struct {
	// root holds everything; project is the working directory below it.
	root, project string
	sim           *sim.Server
}

// demoClock paces the demo; nil is the real time. Tests play the demo faster.
var demoClock sim.Clock

// startDemo starts the servers and fills the directories. The caller ends the demo.
func startDemo() (d *demo, err error) {
	d = &demo{}
	if d.root, err = os.MkdirTemp("", "parley-demo-"); err != nil {
		return nil, fmt.Errorf("make a scratch directory for the demo: %w", err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(d.root)
		}
	}()
	d.project = filepath.Join(d.root, "project")
	if err := os.CopyFS(d.project, script.DemoFiles()); err != nil {
		return nil, fmt.Errorf("fill the demo's scratch directory: %w", err)
	}
	if d.sim, err = sim.Start(sim.Options{Script: script.Demo(), Clock: demoClock}); err != nil {
		return nil, fmt.Errorf("start the simulated Copilot: %w", err)
	}
	return d, nil
}

// credential returns what the simulated GitHub accepts.
func (d *demo) credential() login.Credential {
	return login.Credential{Token: login.NewSecret(d.sim.Token()), Source: "the demo", Host: "github.com"}
}

// end stops the servers and removes the scratch directories.
func (d *demo) end() {
	d.sim.Close()
	os.RemoveAll(d.root)
}
