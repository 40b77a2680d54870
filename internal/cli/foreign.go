package cli

import (
	"parley/session"
	"parley/session/foreign"
	"parley/session/trust"
)

// foreignOf returns the agents for the sessions of programs that parley does not drive, the same for the whole run.
func foreignOf(a *app) []session.Agent {
	if a.others == nil {
		_, claude := a.decisions()
		_, copilot := a.copilotDecisions()
		for _, p := range foreign.All(foreign.Options{Home: a.getenv("HOME"), Getenv: a.getenv, Temp: a.paths.Temp(),
			Dir: func() (string, error) { return trust.Agreed(a.workingDir, a.instructed(), claude, copilot) }}) {
			a.others = append(a.others, p)
		}
	}
	return a.others
}
