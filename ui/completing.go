package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/compose"
	"parley/ui/style"
)

// completing offers what the word at the cursor may become: a command, what may follow it, a file.
type completing struct {
	*compose.Completion
	m *Model
	// picked says that the last key put a file in: a colon typed now begins its lines.
	picked bool
	// inside is the directory that the last key went into: enter takes it then, and does not send.
	inside string
}

func newCompleting(m *Model) *completing {
	c := &completing{m: m}
	c.Completion = compose.NewCompletion(m.composer.Composer, c)
	return c
}

// Candidates answers from what is at hand; files are looked for in the background.
func (c *completing) Candidates(r compose.Request, limit int) []compose.Candidate {
	var all []compose.Candidate
	switch r.What {
	case compose.CompleteCommand:
		if !strings.HasPrefix(r.Query, "/") {
			all = c.m.commandCandidates(r.Query)
		}
	case compose.CompleteArgument:
		all = c.m.argumentCandidates(r.Command, r.Query)
	case compose.CompleteFile:
		all = c.m.files.candidates(r.Query)
	}
	return all[:min(len(all), limit)]
}

// commandCandidates are the commands that begin with what is written, its very name first.
func (m *Model) commandCandidates(query string) []compose.Candidate {
	var all []compose.Candidate
	for _, c := range commands {
		if !strings.HasPrefix(c.Name, query) || c.when != nil && !c.when(m) {
			continue
		}
		one := compose.Candidate{Text: c.Name, Label: c.Usage(), Detail: c.Help}
		if c.Name == query {
			all = slices.Insert(all, 0, one)
			continue
		}
		all = append(all, one)
	}
	for _, c := range m.agentCommands() {
		if _, ours := findCommand(c.Name); ours || !strings.HasPrefix(c.Name, query) {
			continue
		}
		all = append(all, compose.Candidate{Text: c.Name, Label: strings.TrimSpace("/" + c.Name + " " + c.Arguments), Detail: c.About})
	}
	return all
}

// agentCommands are the slash commands that the agent itself understands.
func (m *Model) agentCommands() []session.SlashCommand {
	if m.opts.Manager == nil {
		return nil
	}
	return m.opts.Manager.Commands(m.agent(), m.dir())
}

// isAgentCommand reports whether the agent itself understands a slash command.
func (m *Model) isAgentCommand(name string) bool {
	_, known := m.knownToAgent(name)
	return known
}

func (m *Model) knownToAgent(name string) (session.SlashCommand, bool) {
	for _, c := range m.agentCommands() {
		if c.Name == name {
			return c, true
		}
	}
	return session.SlashCommand{}, false
}

// argumentCandidates are what may follow a command: those that begin with what is written first, then those that hold it.
func (m *Model) argumentCandidates(command, query string) []compose.Candidate {
	var begin, within []compose.Candidate
	query = strings.ToLower(query)
	for _, c := range m.arguments(command) {
		switch at := strings.Index(strings.ToLower(c.Text), query); {
		case at == 0:
			begin = append(begin, c)
		case at > 0:
			within = append(within, c)
		}
	}
	return append(begin, within...)
}

// arguments are all that may follow a command, as far as it is known here.
func (m *Model) arguments(command string) (all []compose.Candidate) {
	switch command {
	case "model":
		for _, mod := range m.models {
			if mod.Unusable == "" {
				all = append(all, compose.Candidate{Text: mod.ID, Detail: strings.TrimSpace(window(mod.ContextWindow) + "  " + price(mod.Price))})
			}
		}
	case "effort":
		if mod := m.model(m.settings().Model); mod != nil {
			for _, e := range mod.Efforts {
				all = append(all, compose.Candidate{Text: e})
			}
		}
	case "mode":
		for _, mode := range session.Modes {
			if m.unsupported(mode) == "" {
				all = append(all, compose.Candidate{Text: string(mode), Detail: modeAbout[mode]})
			}
		}
	case "agent":
		for _, a := range m.agents {
			if a.Missing == "" {
				all = append(all, compose.Candidate{Text: a.Name, Detail: a.About})
			}
		}
	case "install":
		if m.install.cancel != nil {
			all = append(all, compose.Candidate{Text: "stop", Detail: "stop the installation"})
		}
	}
	return all
}

// modeAbout says what may happen in a permission mode.
var modeAbout = map[session.Mode]string{
	session.ModeDefault:     "asks before edits and commands",
	session.ModeAcceptEdits: "edits below this directory run, commands ask",
	session.ModePlan:        "nothing is changed",
	session.ModeBypass:      "nothing is asked",
}

// update brings the list in line with what is written, and has files looked for.
func (c *completing) update() tea.Cmd {
	c.Update()
	if c.Request().What != compose.CompleteFile {
		return nil
	}
	return c.m.findFiles(c.Request().Query)
}

// completionKey handles a key of the open completion.
func (m *Model) completionKey(s string) (cmd tea.Cmd, used bool) {
	c := m.completing
	picked, inside := c.picked, c.inside
	c.picked, c.inside = false, ""
	if s == ":" && picked {
		m.composer.Backspace() // the blank behind the file, whose lines are said now
		return nil, false
	}
	if !c.Open() {
		return nil, false
	}
	switch s {
	case "up", "ctrl+p":
		c.inside = inside
		c.Move(-1)
	case "down", "ctrl+n":
		c.inside = inside
		c.Move(1)
	case "esc":
		c.Close()
	case "tab":
		return m.takeCandidate(false), true
	case "enter":
		return m.enterCandidate(inside)
	default:
		return nil, false
	}
	return nil, true
}

// enterCandidate does what enter means: a command runs, an argument and a file are put in; what is written in full
// already is left to be sent.
func (m *Model) enterCandidate(inside string) (cmd tea.Cmd, used bool) {
	c := m.completing
	all, at := c.List()
	r := c.Request()
	switch r.What {
	case compose.CompleteCommand:
		if !strings.HasPrefix(m.composer.Value(), "/"+r.Query) || strings.TrimSpace(m.composer.Value()) != "/"+r.Query {
			return nil, false // something else is written behind it
		}
		if found, known := findCommand(all[at].Text); known {
			return tea.Batch(m.setComposer(""), found.run(m, "")), true
		}
		if c, known := m.knownToAgent(all[at].Text); known && c.Arguments == "" {
			m.setComposer("/" + c.Name)
			return m.submit(), true
		}
	case compose.CompleteArgument:
		if r.Query == "" || strings.EqualFold(all[at].Text, r.Query) {
			return nil, false
		}
		m.takeCandidate(false)
		return m.submit(), true
	default:
		if all[at].Text == r.Query && (inside == "" || r.Query != inside) {
			return nil, false
		}
	}
	return m.takeCandidate(true), true
}

// takeCandidate puts the selected candidate in. A directory goes on to what is in it, unless that is done.
func (m *Model) takeCandidate(done bool) tea.Cmd {
	file := m.completing.Request().What == compose.CompleteFile
	got, ok := m.completing.Accept()
	if !ok {
		return nil
	}
	if got.More && done {
		end := " "
		if strings.ContainsAny(got.Text, " \t") {
			end = `" ` // fileWord left the quotes open
		}
		m.composer.Insert(end)
	}
	m.completing.picked = file && !got.More
	if m.completing.inside = ""; file && got.More && !done {
		m.completing.inside = got.Text
	}
	return m.changed()
}

// rows lays out at most limit rows of the list, the selected one among them.
func (c *completing) rows(l *style.Look, limit int) []string {
	all, at := c.List()
	if limit <= 0 {
		return nil
	}
	if said := c.m.noFiles(); said != "" {
		return []string{"    " + l.Theme.Dim.Of(said)}
	}
	from := max(0, min(at-limit/2, len(all)-limit))
	all = all[from:min(len(all), from+limit)]
	wide := 0
	label := func(k compose.Candidate) string {
		if k.Label != "" {
			return style.Visible(style.OneLine(k.Label))
		}
		return style.Visible(style.OneLine(k.Text))
	}
	for _, k := range all {
		wide = max(wide, l.Measure.Width(label(k)))
	}
	wide = min(wide, l.Width-8)
	rows := make([]string, 0, len(all))
	for i, k := range all {
		s, st := "  ", style.Style("")
		if from+i == at {
			s, st = "❯ ", l.Theme.Chosen
		}
		text := label(k)
		if c.Request().What == compose.CompleteFile {
			text = l.Measure.ClipLeft(text, wide)
		}
		row := "  " + st.Of(s+l.Measure.Pad(text, wide))
		if k.Detail != "" {
			row += "  " + l.Theme.Dim.Of(l.Measure.Clip(style.Visible(style.OneLine(k.Detail)), l.Width-wide-8))
		}
		rows = append(rows, row)
	}
	return rows
}
