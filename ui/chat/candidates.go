package chat

import (
	"slices"
	"strings"

	"parley/session"
	"parley/ui/core"
	"parley/ui/features"
	"parley/ui/install"
	"parley/ui/textarea"

	"parley/ui/keymap"
	"parley/ui/models"
	"parley/ui/transcript"
)

// fieldChat answers what the field asks of the chat.
type fieldChat struct {
	conv    *transcript.Model
	current *current
	choices *choices
	install *install.Model
	offered func() []keymap.Slash // the commands that can do something now
}

// Dir returns the directory of the session.
func (f *fieldChat) Dir() string { return f.current.dir() }

// Running reports whether a turn runs.
func (f *fieldChat) Running() bool { return f.conv.Running() != nil }

// Queued reports whether prompts wait.
func (f *fieldChat) Queued() bool { return len(f.conv.Transcript().Queue) > 0 }

// Complete reports whether a command is run when it is chosen: parley's own, and those of the agent that need no arguments.
func (f *fieldChat) Complete(command string) bool {
	if _, ours := features.Find(command); ours {
		return true
	}
	known, ok := f.current.knownToAgent(command)
	return ok && known.Bare()
}

// Commands returns the commands whose names begin with a query, an exact match first.
func (f *fieldChat) Commands(query string) []textarea.Candidate {
	var all []textarea.Candidate
	for _, c := range f.offered() {
		if !strings.HasPrefix(c.Name, query) {
			continue
		}
		one := textarea.Candidate{Text: c.Name, Label: c.Usage(), Detail: c.Help}
		if c.Name == query {
			all = slices.Insert(all, 0, one)
			continue
		}
		all = append(all, one)
	}
	for _, c := range f.current.agentCommands() {
		if _, ours := features.Find(c.Name); ours || !strings.HasPrefix(c.Name, query) {
			continue
		}
		all = append(all, textarea.Candidate{Text: c.Name, Label: strings.TrimSpace("/" + c.Name + " " + c.Arguments), Detail: c.About})
	}
	return all
}

// Arguments returns what may follow a command.
func (f *fieldChat) Arguments(command string) (all []textarea.Candidate) {
	switch command {
	case "model":
		for _, mod := range f.choices.models {
			if mod.Unusable == "" {
				all = append(all, textarea.Candidate{Text: mod.ID, Detail: strings.TrimSpace(models.Window(mod.ContextWindow) + "  " + core.ModelPrice(mod, f.choices.byTokens()))})
			}
		}
	case "effort":
		if mod := f.choices.model(f.current.settings().Model); mod != nil {
			for _, e := range mod.Efforts {
				all = append(all, textarea.Candidate{Text: e})
			}
		}
	case "mode":
		for _, mode := range session.Modes {
			if f.current.unsupported(mode) == "" {
				all = append(all, textarea.Candidate{Text: string(mode), Detail: core.ModeAbout(mode)})
			}
		}
	case "agent":
		for _, a := range f.current.agents {
			if a.Missing == "" {
				all = append(all, textarea.Candidate{Text: a.Name, Detail: a.About})
			}
		}
	case "install":
		if f.install.Running() {
			all = append(all, textarea.Candidate{Text: "stop", Detail: "stop the installation"})
		}
	}
	return all
}
