package extensions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/session/extensions/inventory"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// listing lists items.
type listing struct {
	Command
	title string
	kinds []inventory.Kind // nil for all
	// hooks adds the last runs and the events, of which part is shown: "log", "events", "" for all.
	hooks bool
	part  string

	found
	loading bool
	editing string // the file that is open in the user's editor
	sure    string // what the next press of the same key does
	// next waits for changes on disk, nil: nothing does.
	next func(ctx context.Context) bool
}

// The words of groups.
var (
	plurals = map[inventory.Kind]string{inventory.Instructions: "instructions", inventory.Agent: "agents", inventory.Skill: "skills", inventory.Command: "commands",
		inventory.Hook: "hooks", inventory.Server: "MCP servers", inventory.Plugin: "plugins"}
	whose = map[inventory.Scope]string{inventory.Managed: "your administrator's", inventory.User: "yours", inventory.Project: "this project's",
		inventory.OfPlugin: "of plugins"}
)

// Options returns the texts of the list.
func (l *listing) Options() (o list.Options) {
	o = list.Options{Title: "Extensions", One: "extension", Heads: []string{"", "state", "whose", "tokens", ""}, Gives: []int{2, 3, 1},
		Keys: "enter use or switch · ctrl+x edit the file · esc back", Peeks: true, Drops: true, Stays: true, Clears: true, Prose: 4,
		None: "Nothing extends this agent here. docs/extensions.md says where parley looks"}
	if len(l.kinds) == 1 {
		o.None = "No " + plurals[l.kinds[0]] + " here. docs/extensions.md says where parley looks"
	}
	if l.title != "" {
		o.Title = l.title
	}
	if l.Keeper != nil && !l.hooks {
		o.Offers = offers
		defer func() { o.Keys = strings.Replace(o.Keys, " · esc back", " · tab more · esc back", 1) }()
	}
	switch {
	case l.hooks:
		o.One, o.Keys, o.Also = "row", "ctrl+x edit the file · esc back", "/hooks log shows the last runs, /hooks events what hooks can run at."
		o.Heads[2] = "when"
		if l.part == "log" {
			o.Title, o.None = "Last runs of hooks", "No hook has run in this session yet"
		} else if l.part == "events" {
			o.Title, o.Heads = "Events of hooks", []string{"", "", "agents", "", ""}
		}
		if o.Text = l.others(); o.Text != "" && !slices.ContainsFunc(l.items, func(i inventory.Item) bool { return i.Kind == inventory.Hook }) {
			o.Heads[2] = "agents"
		}
	case slices.Equal(l.kinds, kinds["mcp"]):
		o.One, o.Keys, o.Heads[3] = "server", "enter start or stop · ctrl+x edit the file · esc back", "tools"
		if slices.ContainsFunc(l.servers, waits) {
			o.Keys, o.Text = "ctrl+x edit the file · esc back", beforePrompt
		}
		if len(l.Rows()) == 0 {
			o.Text = "parley reads those of Claude Code, the Copilot CLI and this project, such as those in .mcp.json."
		}
		o.None = "No MCP servers yet"
	case slices.Equal(l.kinds, kinds["skills"]):
		o.One, o.Keys, o.None = "skill", "enter use · ctrl+x edit the file · esc back", "No skills or commands yet"
		if len(l.Rows()) == 0 {
			o.Text = "Put one into .claude/skills/NAME/SKILL.md or .claude/commands/NAME.md, here or in your home directory."
		}
	case l.kinds == nil && !l.loading:
		o.Right = l.sum()
	}
	if l.loading {
		o.Wait, o.Text = "Reading "+strings.ToLower(o.Title[:1])+o.Title[1:]+"…", ""
	}
	return o
}

// sum says what everything together costs.
func (l *listing) sum() string {
	n := 0
	for _, i := range l.items {
		if i.Kind != inventory.Plugin {
			n += i.Start
		}
	}
	if n == 0 {
		return ""
	}
	return human.Tokens(int64(n)) + " tokens per session"
}

// others says which agent runs the hooks, where that is not parley's own.
func (l *listing) others() string {
	switch {
	case l.Live.Hooks != nil || l.part == "events":
		return ""
	case l.reads().All:
		return "No hooks run here: builtin.hooks is off, or this is the demo. Below is what hooks can run at."
	}
	return "This agent runs its own hooks; claude.hook_events shows what Claude Code's do. Below is what hooks can run at, here and there."
}

// Rows returns the items, for hooks followed by their runs, newest first, and the events.
func (l *listing) Rows() (rows []list.Row) {
	seen := map[string]int{}
	for _, i := range l.items {
		if l.part == "" && (l.kinds == nil || slices.Contains(l.kinds, i.Kind)) {
			row := l.row(i)
			if seen[row.ID]++; seen[row.ID] > 1 {
				row.ID += fmt.Sprint("#", seen[row.ID])
			}
			rows = append(rows, row)
		}
	}
	if !l.hooks {
		return rows
	}
	if len(rows) == 0 && l.part == "" && l.Live.Hooks != nil && !l.loading {
		rows = append(rows, list.Row{ID: "none", Group: "hooks", Cells: []string{"none yet", "", "", "", ""},
			About: []string{"parley reads those of ~/.claude/settings.json, ~/.copilot/hooks and this project's .claude and .github/hooks; see docs/hooks.md."}})
	}
	if l.part != "events" {
		rows = append(rows, l.history()...)
	}
	if l.part != "log" || l.Live.Hooks == nil {
		rows = append(rows, events(l.part != "events")...)
	}
	return rows
}

// row returns the row of an item.
func (l *listing) row(i inventory.Item) list.Row {
	state, cost, say := "on", "", i.About
	switch {
	case i.Why == inventory.NotAgreed:
		state, say = "off", "until you agree: /trust"
	case !i.On:
		state, say = "off", i.Why
	case i.Start > 0:
		cost = human.Tokens(int64(i.Start))
	}
	name, is := i.Name, whose[i.Scope]
	group := is
	if l.kinds == nil {
		group = plurals[i.Kind]
	} else {
		is = ""
	}
	switch i.Kind {
	case inventory.Skill, inventory.Command:
		switch {
		case i.Typed:
			name = "/" + name
			if i.On && i.Start == 0 {
				state = "you only"
			}
		case i.On:
			state = "model only"
		}
	case inventory.Hook:
		if name, say = i.Runs, i.Why; i.About == "prompt" {
			name = "asks a model: " + name
		}
		switch {
		case name == "": // a file that cannot be read
			name = i.Name
		case l.kinds != nil:
			is = i.Name
		case i.On:
			say = "at " + i.Name
		}
	case inventory.Server:
		if s := l.server(i); s != nil {
			switch state = string(s.State); {
			case s.Why == "":
				if say = i.Runs; i.Agents != "" {
					say = "of the agent " + i.Agents + ": " + say
				}
			case say == state: // the preview has the reason
				say = ""
			}
			if s.Tools > 0 && l.kinds != nil {
				cost = human.Number(s.Tools)
			}
		}
	}
	return list.Row{ID: i.ID(), Group: group, Also: i.ID() + " " + plurals[i.Kind], About: l.about(i),
		Cells: []string{style.VisibleLine(name), state, style.VisibleLine(is), cost, style.VisibleLine(say)}}
}

// about returns the preview of an item.
func (l *listing) about(i inventory.Item) (rows []string) {
	add := func(before, text string) {
		if text != "" {
			rows = append(rows, before+style.VisibleLine(text))
		}
	}
	switch i.Kind {
	case inventory.Hook:
		add("", i.Runs)
		add("Runs at ", i.Name)
	case inventory.Server:
		add("", i.Runs)
		add("Of the agent ", i.Agents)
	default:
		add("", i.About)
		add("Runs: ", i.Runs)
	}
	for _, note := range append([]string{i.Why}, i.Notes...) {
		if note != "" {
			add("", strings.ToUpper(note[:1])+note[1:]+".")
		}
	}
	if i.Start > 0 {
		add("About ", human.Tokens(int64(i.Start))+" tokens in each session.")
	}
	if i.Used > 0 {
		add("About ", human.Tokens(int64(i.Used))+" tokens when it is used.")
	}
	if i.From != "" {
		add("File: ", style.ShortPath(i.From, l.Look.Home))
	}
	if i.Kind == inventory.Server {
		add("Resources, to be mentioned in a prompt: ", l.mentions(i.Name))
	}
	return rows
}

// server returns the live server of an item, nil for none.
func (l *listing) server(i inventory.Item) *session.Server {
	for at := range l.servers {
		if s := &l.servers[at]; i.Kind == inventory.Server && s.Name == i.Name && s.From == i.From {
			return s
		}
	}
	return nil
}

// item returns the item of a row.
func (l *listing) item(id string) *inventory.Item {
	n := 1
	if at := strings.LastIndexByte(id, '#'); at >= 0 {
		if _, err := fmt.Sscanf(id[at:], "#%d", &n); err == nil {
			id = id[:at]
		}
	}
	for at := range l.items {
		if l.items[at].ID() == id {
			if n--; n == 0 {
				return &l.items[at]
			}
		}
	}
	return nil
}

// foundMsg carries what was read.
type foundMsg struct{ found }

// find returns the command that reads what is listed, with settled once no server is starting.
func (l *listing) find(settled bool) panel.Cmd {
	c := l.Command
	return func(ctx context.Context) tea.Msg { return foundMsg{c.read(ctx, settled)} }
}

// changedMsg reports that something has changed on disk.
type changedMsg struct{}

// follow waits until something has changed on disk.
func (l *listing) follow(ctx context.Context) tea.Msg {
	if !l.next(ctx) {
		return nil
	}
	return changedMsg{}
}

// Update takes what was read, and waits for servers that are starting and for changes on disk.
func (l *listing) Update(p *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case changedMsg:
		return nil, panel.Batch(l.find(false), l.follow)
	case foundMsg:
		l.found, l.loading = msg.found, false
		p.Set(l)
		for _, s := range l.servers {
			if s.State == session.ServerStarting || s.Page != "" {
				return nil, l.find(true)
			}
		}
		return nil, nil
	case panel.Edited:
		if msg.Err != nil {
			return panel.Notice{Text: "Couldn't edit " + style.VisibleLine(style.ShortPath(l.editing, l.Look.Home)) + ": " + msg.Err.Error(), Warn: true}, nil
		}
		return panel.Notice{Text: "It is read again with the next prompt"}, l.find(false)
	}
	return panel.Pass{}, nil
}

// Choose uses a skill or an agent, starts or ends a server, and opens the file of anything else.
func (l *listing) Choose(id string) panel.Effect {
	i := l.item(id)
	switch {
	case i == nil || l.hooks:
		return nil
	case i.Why == inventory.OffHere:
		return l.switchHere(*i)
	case i.Kind == inventory.Server && l.server(*i) != nil:
		return l.toggle(*l.server(*i))
	case i.Kind == inventory.Skill || i.Kind == inventory.Command || i.Kind == inventory.Agent:
		return l.use(*i)
	}
	return l.edit(*i)
}

// use writes the name of a skill or a command into the field, for its arguments, or lets an agent lead the session.
func (l *listing) use(i inventory.Item) panel.Effect {
	switch {
	case !i.On:
		return panel.Notice{Text: style.VisibleLine(i.Name + " is off: " + i.Why), Warn: true}
	case i.Kind == inventory.Agent:
		return panel.All{panel.Pop{}, panel.Command{Name: "agents", Args: i.Name}}
	case !i.Typed:
		return panel.Notice{Text: style.VisibleLine("Only the model uses " + i.Name + "; ask for what it does")}
	}
	return panel.All{panel.Pop{}, panel.Write{Text: "/" + i.Name + " "}}
}

// Do opens the file of an item.
func (l *listing) Do(a list.Action) panel.Effect {
	if acted, is := a.(list.Acted); is {
		return l.act(acted)
	}
	dropped, is := a.(list.Dropped)
	if !is {
		return nil
	}
	var at int
	if n, _ := fmt.Sscanf(dropped.Row.ID, "run %d", &at); n == 1 && at < len(l.runs) {
		return l.edit(inventory.Item{From: l.runs[at].From})
	}
	if i := l.item(dropped.Row.ID); i != nil {
		return l.edit(*i)
	}
	return nil
}

// edit opens the file of an item, unless an administrator decides about it.
func (l *listing) edit(i inventory.Item) panel.Effect {
	switch {
	case i.From == "":
		return nil
	case i.Fixed():
		return panel.Notice{Text: "Your administrator decides about that: " + style.VisibleLine(i.From)}
	}
	l.editing = i.From
	return panel.EditFile{Path: i.From}
}
