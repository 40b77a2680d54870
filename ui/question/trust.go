package question

import (
	"slices"

	"parley/session"
	"parley/ui/style"
)

// Directory is what a directory would bring into a session of an agent: settings, hooks, servers, plugins.
type Directory struct {
	Agent, Dir string
	Items      []session.RepositoryItem
}

// Trust returns the question whether to load what a directory brings. It is summoned: a user who begins to type at once
// must not answer it.
func Trust(d Directory, home string) *Question {
	later := Choice{Key: "l", Label: "Decide later", Short: "Later", Do: DecideLate}
	title, detail := "Load this project's settings?", "Nothing loads until you agree. Items that run commands show the command."
	if !slices.ContainsFunc(d.Items, func(it session.RepositoryItem) bool { return it.Kind != "instructions" }) {
		title, detail = "Use this project's instructions?", "The model reads nothing of them by itself until you say yes."
	}
	return &Question{Summoned: true, Title: title, Directory: &d, Decline: &later,
		Detail: detail,
		Body:   d.Rows(home),
		Choices: []Choice{later, {Key: "y", Label: "Yes, load all of it", Short: "Yes", Do: Load},
			{Key: "n", Label: "No, and don't ask about this list again", Short: "No", Do: Refuse}},
	}
}

// Rows lists the items by kind, with the command lines that would run, as visible text.
func (d *Directory) Rows(home string) []string {
	var rows []string
	done := map[string]bool{}
	for _, it := range d.Items {
		if done[it.Kind] {
			continue
		}
		done[it.Kind] = true
		rows = append(rows, style.Visible(style.OneLine(it.Kind)))
		for _, same := range d.Items {
			if same.Kind != it.Kind {
				continue
			}
			row := "  " + style.Visible(style.OneLine(same.Name))
			if path := style.Visible(style.OneLine(shortened(same.Path, d.Dir, home))); path != "" && path != same.Name {
				row += "  (" + path + ")"
			}
			rows = append(rows, row)
			if same.Runs != "" {
				rows = append(rows, "    runs: "+style.Visible(style.OneLine(same.Runs)))
			}
		}
	}
	return rows
}

// TrustOutcome describes the result of a decision: err is that of storing it, draft means that nothing was sent in the
// session yet. The text is not visible yet.
func TrustOutcome(err error, yes, draft bool) string {
	switch {
	case err != nil:
		return "your decision could not be kept, and nothing is loaded: " + style.OneLine(err.Error())
	case !yes:
		return "nothing of this directory is loaded; you will not be asked again about this list"
	case draft:
		return "this directory is trusted: it is loaded with the first prompt"
	}
	return "this directory is trusted: it is loaded with the next prompt"
}
