package rewind

import (
	"path/filepath"
	"strings"

	"parley/internal/human"
	"parley/session/changes"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// The ids of what goes back.
const (
	both = "both"
	chat = "conversation"
	only = "files"
	fork = "fork"
)

// parts lists what can go back. It stands for one prompt and the plan for its files.
type parts struct {
	look    *style.Look
	point   point
	plan    changes.Plan
	stopped bool   // a turn was
	forks   bool   // a copy can end with the prompt's own turn
	copies  bool   // the agent's sessions can be copied, or the conversation begins anew
	dir     string // to shorten paths
	choose  func(id string) panel.Effect
}

// goes returns the files that go back, and those that stay with the reason.
func (l parts) goes() (back int, stay []string) {
	for _, f := range l.plan.Files {
		switch {
		case f.Refused != "":
			stay = append(stay, l.name(f.Path)+": "+f.Refused)
		case len(f.Lost) > 0:
			stay = append(stay, l.name(f.Path)+": it was changed since by "+f.Lost[0].By+".")
		default:
			back++
		}
	}
	return back, stay
}

func (l parts) name(path string) string {
	if rel, err := filepath.Rel(l.dir, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return style.VisibleLine(path)
}

// mostStay is how many files that stay are named.
const mostStay = 5

// Options returns the texts of the list: what goes and what cannot.
func (l parts) Options() list.Options {
	text := "“" + l.look.Measure.Clip(promptWords(l.point), 60) + "” comes back into the field. This session stays as it is: "
	if l.point.after == "" {
		text += "a new one begins."
	} else {
		text += "the conversation goes on in a copy."
	}
	if l.stopped {
		text = "The turn was stopped. " + text
	}
	if n := l.point.skipped; n > 0 {
		text += " Before it, " + human.Count(n, "prompt without an answer goes too.", "prompts without an answer go too.")
	}
	_, stay := l.goes()
	for i, s := range stay {
		if i == mostStay {
			text += " " + human.Count(len(stay)-i, "more file stays.", "more files stay.")
			break
		}
		text += " Stays: " + style.VisibleLine(s)
	}
	return list.Options{Title: "What goes back?", One: "choice", Text: text, Keys: "enter choose · esc back", Sure: true}
}

// Rows returns what can go back.
func (l parts) Rows() []list.Row {
	back, stay := l.goes()
	files := human.Count(back, "file goes back", "files go back")
	if n := len(stay); n > 0 {
		files += ", " + human.Count(n, "stays", "stay")
	}
	no := ""
	if !l.copies {
		no = "this agent's sessions can't be copied"
	}
	rows := []list.Row{{ID: chat, Cells: []string{"Conversation only", "files stay as they are"}, Off: no}}
	if back > 0 {
		rows = append([]list.Row{{ID: both, Cells: []string{"Conversation and files", files}, Off: no}}, rows...)
		rows = append(rows, list.Row{ID: only, Cells: []string{"Files only", files}})
	}
	if l.forks {
		rows = append(rows, list.Row{ID: fork, Cells: []string{"Nothing: fork after its answer", "go on in a copy that ends there"}})
	}
	return rows
}

// Choose takes a part back.
func (l parts) Choose(id string) panel.Effect { return l.choose(id) }

// left says in a sentence what stayed of a step, "" for nothing.
func (l parts) left(out changes.Outcome) string {
	var all []string
	for path, why := range out.Left {
		all = append(all, l.name(path)+": "+why)
	}
	if len(all) == 0 {
		return ""
	}
	if len(all) == 1 {
		return "One file stays. " + strings.TrimSpace(all[0])
	}
	return human.Count(len(all), "file stays", "files stay") + "; /changes shows why"
}
