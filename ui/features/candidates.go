package features

import (
	"slices"
	"strings"

	"parley/session"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/models"
	"parley/ui/textarea"
)

// Candidates returns the commands that can do something now and whose names begin with a query, an exact match first.
func Candidates(s *State, query string) (all []textarea.Candidate) {
	for _, c := range Offered(s) {
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
	return all
}

// Siblings returns the commands that do what those of another program do whose names begin with a query.
func Siblings(s *State, query string) (all []textarea.Candidate) {
	for _, a := range keymap.Aliases {
		i := slices.IndexFunc(a.Names, func(name string) bool { return strings.HasPrefix(name, query) })
		f, known := Find(a.To)
		if i < 0 || !known || f.When != nil && !f.When(s) {
			continue
		}
		text, label := f.Name, strings.TrimSpace("/"+f.Name+" "+a.Args)
		if a.Args != "" { // only its own name has them
			text = a.Names[i]
		}
		if slices.ContainsFunc(all, func(c textarea.Candidate) bool { return c.Label == label }) {
			continue
		}
		all = append(all, textarea.Candidate{Text: text, Label: label, Detail: f.Help + " (/" + a.Names[i] + " elsewhere)"})
	}
	return all
}

// Arguments returns what may follow a command.
func Arguments(s *State, command string) (all []textarea.Candidate) {
	switch command {
	case "model":
		for _, m := range s.Models.All {
			if m.Unusable == "" {
				all = append(all, textarea.Candidate{Text: m.ID, Detail: strings.TrimSpace(models.Window(m.ContextWindow) + "  " + core.ModelPrice(m, s.Models.ByTokens))})
			}
		}
	case "effort":
		if m := session.FindModel(s.Models.All, s.Settings.Model); m != nil {
			for _, e := range m.Efforts {
				all = append(all, textarea.Candidate{Text: e})
			}
		}
	case "mode":
		for _, mode := range session.Modes {
			if s.Problem(mode) == "" {
				all = append(all, textarea.Candidate{Text: string(mode), Detail: core.ModeAbout(mode)})
			}
		}
	case "agent":
		for _, a := range s.Agents {
			if a.Missing == "" {
				all = append(all, textarea.Candidate{Text: a.Name, Detail: a.About})
			}
		}
	case "add-dir":
		for _, start := range []string{"../", "~/"} {
			all = append(all, textarea.Candidate{Text: start, More: true})
		}
		for _, dir := range s.dirs().Dirs {
			all = append(all, textarea.Candidate{Text: "rm " + dir, Detail: "take it back"})
		}
	case "install":
		if s.Install.Running() {
			all = append(all, textarea.Candidate{Text: "stop", Detail: "stop the installation"})
		}
	}
	return all
}
