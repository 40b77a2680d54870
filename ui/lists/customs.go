package lists

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parley/session"
	"parley/ui/picker"
	"parley/ui/style"
)

// Customs lists the custom agents that can hold the session, and the files that cannot be used.
type Customs struct {
	All     session.Customs
	Now     string // the one that holds it, as in [session.Settings]
	Loading bool
	Home    string
}

type (
	// SetCustom lets a custom agent hold the session, none for an empty one.
	SetCustom struct{ Agent session.CustomAgent }
	// NewCustom begins to make one.
	NewCustom struct{}
	// OpenCustom opens the file of one in the user's editor.
	OpenCustom struct{ Path string }
)

func (SetCustom) action()  {}
func (NewCustom) action()  {}
func (OpenCustom) action() {}

// The beginnings of the ids of rows that are not agents.
const (
	rowNone    = "\x00none"
	rowMake    = "\x00make"
	rowProblem = "\x00problem/"
)

// promptShown is how much of an agent's prompt the preview shows, in bytes.
const promptShown = 1500

// Options returns the texts of the list.
func (l Customs) Options() picker.Options {
	o := picker.Options{Title: "Custom agents", Keys: "enter chooses · ctrl+x edits the file · esc goes back", Peeks: true, Drops: true, Prose: 2}
	if l.Loading {
		o.Wait = "looking for agents…"
	}
	if l.All.Untrusted > 0 {
		o.Text = strconv.Itoa(l.All.Untrusted) + " more in this project. They can be used once you trust it: /trust"
	}
	return o
}

// Rows returns the agents, then what a new one is made with, then files that cannot be used.
func (l Customs) Rows() []picker.Row {
	if l.Loading {
		return nil
	}
	rows := []picker.Row{{ID: rowNone, Cells: []string{"none", "", "the agent as it is"}, Mark: l.Now == "", About: []string{"The session's agent with all its tools."}}}
	for _, a := range l.All.Agents {
		if a.Unlisted {
			continue
		}
		rows = append(rows, picker.Row{ID: a.Path, Cells: []string{visible(a.Name), string(a.Origin), visible(a.About)}, Also: visible(a.Title),
			Mark: l.Now == a.Name || l.Now == a.Path, About: l.about(a)})
	}
	rows = append(rows, picker.Row{ID: rowMake, Cells: []string{"new…", "", "create one from a template"}, About: []string{
		"Type a name behind /agents new. The file opens in your editor.", "Agents in .github/agents and .claude/agents of a project, and in ~/.copilot/agents and ~/.claude/agents, are found too."}})
	for i, p := range l.All.Problems {
		kind := "ignored in part"
		if p.Unused {
			kind = "can't be used"
		}
		rows = append(rows, picker.Row{ID: rowProblem + strconv.Itoa(i), Group: "Problems", Cells: []string{"! " + visible(filepath.Base(p.Path)), "", visible(p.What)},
			About: []string{visible(l.short(p.Path)), line(p.Line) + visible(p.What) + ".", kind + ". Enter opens the file in your editor."}})
	}
	return rows
}

func line(n int) string {
	if n == 0 {
		return ""
	}
	return "Line " + strconv.Itoa(n) + ": "
}

// about returns the preview of an agent.
func (l Customs) about(a session.CustomAgent) []string {
	tools := "all tools"
	if a.Tools != nil {
		tools = cmp.Or(strings.Join(a.Tools, ", "), "none")
	}
	if len(a.Denied) > 0 {
		tools += ", but not " + strings.Join(a.Denied, ", ")
	}
	rows := []string{visible(a.About), "Tools: " + visible(tools)}
	if a.Model != "" {
		rows = append(rows, "Model: "+visible(strings.TrimSpace(a.Model+" "+a.Effort)))
	}
	if a.Hidden {
		rows = append(rows, "Only you start it; agents do not.")
	}
	rows = append(rows, "File: "+visible(l.short(a.Path)), "")
	text := a.Prompt
	if len(text) > promptShown {
		text = strings.ToValidUTF8(text[:promptShown], "") + "…"
	}
	for _, row := range strings.Split(text, "\n") {
		rows = append(rows, style.Visible(row))
	}
	return rows
}

func (l Customs) short(path string) string { return style.ShortPath(path, l.Home) }

// Choose returns the choice of a row.
func (l Customs) Choose(id string) Action {
	switch {
	case id == rowNone:
		return SetCustom{}
	case id == rowMake:
		return NewCustom{}
	case strings.HasPrefix(id, rowProblem):
		return OpenCustom{l.File(id)}
	}
	if i := slices.IndexFunc(l.All.Agents, func(a session.CustomAgent) bool { return a.Path == id }); i >= 0 {
		return SetCustom{l.All.Agents[i]}
	}
	return nil
}

// File returns the file of a row, "" if it has none.
func (l Customs) File(id string) string {
	if n, is := strings.CutPrefix(id, rowProblem); is {
		if i, err := strconv.Atoi(n); err == nil && i >= 0 && i < len(l.All.Problems) {
			return l.All.Problems[i].Path
		}
		return ""
	}
	if strings.HasPrefix(id, "\x00") {
		return ""
	}
	return id
}
