package cli

import (
	"errors"

	"parley/session"
	"parley/session/foreign"
	"parley/session/trust"
)

// foreignOf returns the agents for the sessions of programs that parley does not drive, the same for the whole run.
func foreignOf(a *app) []session.Agent {
	if a.others == nil {
		for _, p := range foreign.All(foreign.Options{Home: a.getenv("HOME"), Getenv: a.getenv, Dir: a.trustedDir, Temp: a.paths.Temp()}) {
			a.others = append(a.others, p)
		}
	}
	return a.others
}

// trustedDir returns the working directory, and an error unless the user has agreed to what it brings, for whichever agent that was.
func (a *app) trustedDir() (string, error) {
	dir, err := a.workingDir()
	if err != nil {
		return "", err
	}
	_, claude := a.decisions()
	_, copilot := a.copilotDecisions()
	for _, said := range []*trust.Store{a.instructed(), claude, copilot} {
		if a.trusted(said)(dir) {
			return dir, nil
		}
	}
	return "", errors.New("the directory is not trusted")
}
