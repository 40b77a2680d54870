package cli

import "parley/session/extensions/switches"

// switchPlaces returns where what extends agents is switched.
func switchPlaces(a *app) switches.Places {
	p := switches.Places{Config: a.paths.Config}
	p.Claude, p.Copilot = a.runtimeHomes()
	own, _ := a.decisions()
	p.ClaudeFile = own()
	return p
}
