package extensions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// RunHooks lists the hooks of a session with their last runs and the events, or only a part: "log", "events". keeper is nil where the
// agent runs no hooks itself.
func RunHooks(look *style.Look, keeper session.HookKeeper, agent, args string) panel.Effect {
	part := strings.TrimSpace(args)
	if !slices.Contains([]string{"", "log", "events"}, part) {
		return panel.Notice{Text: "Write /hooks, /hooks log for the last runs, or /hooks events for what hooks can run at", Warn: true}
	}
	l := &hookList{look: look, keeper: keeper, agent: agent, part: part, loading: keeper != nil && part != "events"}
	push := panel.Push{Panel: list.Open(look, l, ""), Of: "hooks"}
	if l.loading {
		push.Start = l.find()
	}
	return push
}

// hookList lists hooks, their runs, and events.
type hookList struct {
	look    *style.Look
	keeper  session.HookKeeper
	agent   string
	part    string
	report  session.HookReport
	loading bool
	editing string // the file that is open in the user's editor
}

// whose says of a scope whose hooks are in it.
var whose = map[string]string{"managed": "your administrator's", "user": "yours", "project": "this project's"}

// Options returns the texts of the list.
func (l *hookList) Options() list.Options {
	o := list.Options{Title: "Hooks", One: "row", Heads: []string{"", "when", "state", ""}, Gives: []int{1, 2}, Keys: "ctrl+x edit the file · esc back",
		Peeks: true, Drops: true, Stays: true, Prose: 3, Also: "/hooks log shows the last runs, /hooks events what hooks can run at."}
	switch l.part {
	case "log":
		o.Title, o.None = "Last runs of hooks", "No hook has run in this session yet"
	case "events":
		o.Title, o.Heads = "Events of hooks", []string{"", "agents", "", ""}
	}
	switch {
	case l.loading:
		o.Wait = "Reading hooks…"
	case l.keeper == nil && l.part != "events":
		o.Heads = []string{"", "agents", "", ""}
		o.Text = "This agent runs its own hooks; claude.hook_events shows what Claude Code's do. Below is what hooks can run at, here and there."
		if l.agent == "builtin" {
			o.Text = "No hooks run here: builtin.hooks is off, or this is the demo. Below is what hooks can run at."
		}
	}
	return o
}

// Rows returns the hooks, then what is wrong with files, the runs, newest first, and the events.
func (l *hookList) Rows() []list.Row {
	var rows []list.Row
	if l.part == "" {
		rows = append(rows, l.hooks()...)
	}
	if l.part != "events" {
		rows = append(rows, l.runs()...)
	}
	if l.part == "events" || l.part == "" || l.keeper == nil {
		rows = append(rows, events(l.part != "events")...)
	}
	return rows
}

// hooks returns the rows of hooks and faults.
func (l *hookList) hooks() (rows []list.Row) {
	for i, h := range l.report.Hooks {
		when, state := h.Event, "on"
		if h.Matcher != "" && h.Matcher != "*" {
			when += " " + h.Matcher
		}
		if h.Why != "" {
			state = "off"
		}
		about := []string{style.VisibleLine(h.Runs), "Runs at " + style.VisibleLine(when) + ", for at most " + human.Spent(h.Timeout) + "."}
		if h.Why != "" {
			about = append(about, style.VisibleLine(strings.ToUpper(h.Why[:1])+h.Why[1:])+".")
		}
		rows = append(rows, list.Row{ID: fmt.Sprint("hook ", i), Group: whose[h.Scope], Cells: []string{named(h.Kind, h.Runs), style.VisibleLine(when), state, style.VisibleLine(h.Why)},
			About: append(about, "File: "+l.path(h.From))})
	}
	for i, f := range l.report.Faults {
		rows = append(rows, list.Row{ID: fmt.Sprint("fault ", i), Group: "cannot be used", Cells: []string{style.VisibleLine(f), "", "", ""}, About: []string{style.VisibleLine(f)}})
	}
	if len(rows) == 0 && l.keeper != nil && !l.loading {
		rows = append(rows, list.Row{ID: "none", Group: "hooks", Cells: []string{"none yet", "", "", ""},
			About: []string{"parley reads those of ~/.claude/settings.json, ~/.copilot/hooks and this project's .claude and .github/hooks; see docs/hooks.md."}})
	}
	return rows
}

// named returns what a hook runs, with its kind where that is not a command.
func named(kind, runs string) string {
	runs = style.VisibleLine(runs)
	if kind == "prompt" {
		return "asks a model: " + runs
	}
	return runs
}

func (l *hookList) path(file string) string {
	return style.VisibleLine(style.ShortPath(file, l.look.Home))
}

// took returns how long a run took: most take a few milliseconds.
func took(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return human.Spent(d)
}

// runs returns the rows of the last runs.
func (l *hookList) runs() (rows []list.Row) {
	for i, r := range slices.Backward(l.report.Runs) {
		about := []string{style.VisibleLine(r.Runs), r.Event + ", " + human.Ago(l.look.Now().Sub(r.At)) + ", took " + took(r.Took) + ": " + style.VisibleLine(r.Outcome) + "."}
		if r.Said != "" {
			for line := range strings.Lines(r.Said) {
				about = append(about, style.VisibleLine(line))
			}
		}
		rows = append(rows, list.Row{ID: fmt.Sprint("run ", i), Group: "last runs", Cells: []string{style.VisibleLine(r.Runs), style.VisibleLine(r.Event),
			took(r.Took), style.VisibleLine(r.Outcome)}, About: append(about, "File: "+l.path(r.From))})
	}
	return rows
}

// events returns the rows of the events. all means that they stand below something else.
func events(below bool) (rows []list.Row) {
	for i, e := range session.HookEvents {
		var agents []string
		if e.Builtin {
			agents = append(agents, "parley")
		}
		if e.Claude {
			agents = append(agents, "Claude")
		}
		about := []string{strings.ToUpper(e.About[:1]) + e.About[1:] + "."}
		if e.Copilot != "" {
			agents = append(agents, "Copilot")
			about = append(about, "Copilot calls it "+e.Copilot+".")
		}
		if e.Matched != "" {
			about = append(about, "A matcher is compared with: "+e.Matched+".")
		}
		about = append(about, "Runs with "+human.And(agents)+". Claude Code and Copilot run their hooks themselves.")
		row := list.Row{ID: fmt.Sprint("event ", i), Cells: []string{e.Name, strings.Join(agents, " "), "", e.About}, About: about}
		if below {
			row.Group = "events, and which agents have them"
		}
		rows = append(rows, row)
	}
	return rows
}

// hooksMsg carries what is known of the hooks.
type hooksMsg struct{ report session.HookReport }

// find returns the command that reads the hooks.
func (l *hookList) find() panel.Cmd {
	keeper := l.keeper
	return func(ctx context.Context) tea.Msg { return hooksMsg{keeper.Hooks(ctx)} }
}

// Update takes the hooks.
func (l *hookList) Update(p *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case hooksMsg:
		l.report, l.loading = msg.report, false
		p.Set(l)
		return nil, nil
	case panel.Edited:
		if msg.Err != nil {
			return panel.Notice{Text: "Couldn't edit " + l.path(l.editing) + ": " + msg.Err.Error(), Warn: true}, nil
		}
		return panel.Notice{Text: "Hooks are read again with the next prompt"}, l.find()
	}
	return panel.Pass{}, nil
}

// Choose chooses nothing.
func (l *hookList) Choose(string) panel.Effect { return nil }

// Do opens the file that describes a hook.
func (l *hookList) Do(a list.Action) panel.Effect {
	dropped, is := a.(list.Dropped)
	if !is {
		return nil
	}
	var i int
	file := ""
	if n, _ := fmt.Sscanf(dropped.Row.ID, "hook %d", &i); n == 1 && i < len(l.report.Hooks) {
		file = l.report.Hooks[i].From
	} else if n, _ := fmt.Sscanf(dropped.Row.ID, "run %d", &i); n == 1 && i < len(l.report.Runs) {
		file = l.report.Runs[i].From
	}
	if file == "" {
		return nil
	}
	l.editing = file
	return panel.EditFile{Path: file}
}
