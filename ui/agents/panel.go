package agents

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parley/session"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// agentList lists the custom agents that can lead the session, and the files that cannot be used.
type agentList struct {
	Command
	all     session.Customs
	loading bool
	editing string // the file that is open in the user's editor
}

// The beginnings of the ids of rows that are not agents.
const (
	rowNone    = "\x00none"
	rowMake    = "\x00make"
	rowProblem = "\x00problem/"
)

// promptShown is the most bytes of an agent's prompt that the preview shows.
const promptShown = 1500

// Options returns the texts of the list.
func (l *agentList) Options() list.Options {
	o := list.Options{Title: "Custom agents", One: "agent", Keys: "enter choose · ctrl+x edit the file · esc back", Peeks: true, Drops: true, Prose: 2, Stays: true}
	if l.loading {
		o.Wait = "looking for agents…"
	}
	if l.all.Untrusted > 0 {
		o.Text = strconv.Itoa(l.all.Untrusted) + " more in this project. They can be used once you trust it: /trust"
	}
	return o
}

// Rows returns the agents, then what a new one is made with, then files that cannot be used.
func (l *agentList) Rows() []list.Row {
	if l.loading {
		return nil
	}
	now := l.Leads()
	rows := []list.Row{{ID: rowNone, Cells: []string{"none", "", "default agent"}, Mark: now == "", About: []string{"The session's agent with all its tools."}}}
	for _, a := range l.all.Agents {
		if a.Unlisted {
			continue
		}
		rows = append(rows, list.Row{ID: a.Path, Cells: []string{style.VisibleLine(a.Name), string(a.Origin), style.VisibleLine(a.About)}, Also: style.VisibleLine(a.Title),
			Mark: now == a.Name || now == a.Path, About: l.about(a)})
	}
	rows = append(rows, list.Row{ID: rowMake, Cells: []string{"new…", "", "create one from a template"}, About: []string{
		"Type a name behind /agents new. The file opens in your editor.", "Agents in .github/agents and .claude/agents of a project, and in ~/.copilot/agents and ~/.claude/agents, are found too."}})
	for i, p := range l.all.Problems {
		kind := "ignored in part"
		if p.Unused {
			kind = "can't be used"
		}
		rows = append(rows, list.Row{ID: rowProblem + strconv.Itoa(i), Group: "Problems", Cells: []string{"! " + style.VisibleLine(filepath.Base(p.Path)), "", style.VisibleLine(p.What)},
			About: []string{style.VisibleLine(l.short(p.Path)), line(p.Line) + style.VisibleLine(p.What) + ".", kind + ". Enter opens the file in your editor."}})
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
func (l *agentList) about(a session.CustomAgent) []string {
	tools := "all tools"
	if a.Tools != nil {
		tools = cmp.Or(strings.Join(a.Tools, ", "), "none")
	}
	if len(a.Denied) > 0 {
		tools += ", but not " + strings.Join(a.Denied, ", ")
	}
	rows := []string{style.VisibleLine(a.About), "Tools: " + style.VisibleLine(tools)}
	if a.Model != "" {
		rows = append(rows, "Model: "+style.VisibleLine(strings.TrimSpace(a.Model+" "+a.Effort)))
	}
	if a.Hidden {
		rows = append(rows, "Only you start it; agents do not.")
	}
	rows = append(rows, "File: "+style.VisibleLine(l.short(a.Path)), "")
	text := a.Prompt
	if len(text) > promptShown {
		text = strings.ToValidUTF8(text[:promptShown], "") + "…"
	}
	for _, row := range strings.Split(text, "\n") {
		rows = append(rows, style.Visible(row))
	}
	return rows
}

func (l *agentList) short(path string) string { return style.ShortPath(path, l.Look.Home) }

// Choose lets an agent lead the session, begins to make one, or opens a file that cannot be used.
func (l *agentList) Choose(id string) panel.Effect {
	switch {
	case id == rowNone:
		return panel.All{panel.Pop{}, panel.SetCustom{}}
	case id == rowMake:
		return panel.All{panel.Pop{}, l.create("")}
	case strings.HasPrefix(id, rowProblem):
		return l.edit(l.file(id))
	}
	if i := slices.IndexFunc(l.all.Agents, func(a session.CustomAgent) bool { return a.Path == id }); i >= 0 {
		return panel.All{panel.Pop{}, panel.SetCustom{Agent: l.all.Agents[i]}}
	}
	return nil
}

// Do opens the file of an agent.
func (l *agentList) Do(a list.Action) panel.Effect {
	if dropped, is := a.(list.Dropped); is {
		if path := l.file(dropped.Row.ID); path != "" {
			return l.edit(path)
		}
	}
	return nil
}

// file returns the file of a row, "" if it has none.
func (l *agentList) file(id string) string {
	if n, is := strings.CutPrefix(id, rowProblem); is {
		if i, err := strconv.Atoi(n); err == nil && i >= 0 && i < len(l.all.Problems) {
			return l.all.Problems[i].Path
		}
		return ""
	}
	if strings.HasPrefix(id, "\x00") {
		return ""
	}
	return id
}
