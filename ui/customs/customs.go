package customs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/nearest"
	"parley/session"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/picker"
	"parley/ui/style"
)

// Screen is what the command needs of the program around it. Its methods return at once and are called on the event loop.
type Screen interface {
	// Customs returns a function that reads the custom agents for the session's agent and directory, nil if the agent takes none.
	Customs() func(ctx context.Context) session.Customs
	// Held returns the custom agent that holds the session, as in [session.Settings]. Hold lets another hold it; one without a
	// name means none.
	Held() string
	Hold(a session.CustomAgent)
	// Open covers the screen with a list, filtered by some words. Refresh replaces what is in the open list, if it is one of the
	// same kind, and reports whether it was. Opened returns the open list, nil if there is none.
	Open(l lists.List, filter string)
	Refresh(l lists.List) bool
	Opened() (lists.List, *picker.Picker)
	// Write puts a text into the field, if nothing is written there.
	Write(text string) tea.Cmd
	// Edit opens a file in the user's editor. done returns the message that follows.
	Edit(path string, done func(error) tea.Msg) tea.Cmd
}

// Options are what a Model works with.
type Options struct {
	// Context ends what runs in the background.
	Context context.Context
	Screen  Screen
	Notices *notice.Model
	// Create makes the file of a new agent and returns its path; nil: none can be made.
	Create func(name string) (path string, err error)
	// Home is the user's home directory, to shorten paths.
	Home string
}

// Model is the command. The event loop owns it; files are read and made in the background.
type Model struct{ Options }

// New returns the command.
func New(o Options) *Model { return &Model{o} }

// Msg is the result of a command of a Model. The root routes it to Update.
type Msg interface{ customs() }

// foundMsg carries the custom agents. Of a named one, nothing is listed.
type foundMsg struct {
	all  session.Customs
	name string
}

// madeMsg carries the file of a new agent, editedMsg that of one whose editor has ended.
type madeMsg struct {
	path string
	err  error
}

type editedMsg struct {
	path string
	err  error
}

func (foundMsg) customs()  {}
func (madeMsg) customs()   {}
func (editedMsg) customs() {}

// Run opens the list, or carries out what is written behind the command: a name, none, or new with a name.
func (m *Model) Run(args string) tea.Cmd {
	if m.Screen.Customs() == nil {
		m.Notices.Info("this agent has no custom agents")
		return nil
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(args), " ")
	switch {
	case word == "":
		m.Screen.Open(lists.Customs{Loading: true, Home: m.Home}, "")
		return m.find("")
	case word == "none" && rest == "":
		m.Screen.Hold(session.CustomAgent{})
		return nil
	case word == "new":
		return m.make(strings.TrimSpace(rest))
	}
	return m.find(strings.TrimSpace(args))
}

// find reads the custom agents in the background.
func (m *Model) find(name string) tea.Cmd {
	find := m.Screen.Customs()
	if find == nil {
		return nil
	}
	return func() tea.Msg { return foundMsg{find(m.Context), name} }
}

// make makes the file of a new agent and opens it.
func (m *Model) make(name string) tea.Cmd {
	switch {
	case m.Create == nil:
		m.Notices.Info("agents can't be created here")
		return nil
	case name == "":
		m.Notices.Info("type a name: /agents new reviewer")
		return m.Screen.Write("/agents new ")
	}
	return func() tea.Msg {
		path, err := m.Create(name)
		return madeMsg{path, err}
	}
}

// Update handles the result of a command.
func (m *Model) Update(msg Msg) tea.Cmd {
	switch msg := msg.(type) {
	case foundMsg:
		return m.found(msg)
	case madeMsg:
		if msg.err != nil {
			m.Notices.Warn(msg.err.Error())
			return nil
		}
		return m.edit(msg.path)
	case editedMsg:
		if msg.err != nil {
			m.Notices.Warn("Couldn't edit " + style.Visible(style.ShortPath(msg.path, m.Home)) + ": " + style.Visible(msg.err.Error()))
			return nil
		}
		if of, _ := m.Screen.Opened(); of == nil {
			m.Screen.Open(lists.Customs{Loading: true, Home: m.Home}, "")
		}
		return m.find("")
	}
	return nil
}

// edit opens a file in the user's editor, and lists the agents again after it.
func (m *Model) edit(path string) tea.Cmd {
	return m.Screen.Edit(path, func(err error) tea.Msg { return editedMsg{path, err} })
}

// found shows the custom agents, or chooses the named one.
func (m *Model) found(msg foundMsg) tea.Cmd {
	if msg.name == "" {
		l := lists.Customs{All: msg.all, Now: m.Screen.Held(), Home: m.Home}
		m.Screen.Refresh(l)
		if of, o := m.Screen.Opened(); of != nil && o != nil {
			if _, ours := of.(lists.Customs); ours {
				o.Text = l.Options().Text
			}
		}
		return nil
	}
	if a := msg.all.Named(msg.name); a != nil {
		m.Screen.Hold(*a)
		return nil
	}
	for _, p := range msg.all.Problems {
		if p.Unused && strings.HasPrefix(strings.ToLower(filepath.Base(p.Path)), strings.ToLower(msg.name)+".") {
			p.Path = filepath.Base(p.Path)
			m.Notices.Warn(style.Visible(style.OneLine(p.Text())))
			return nil
		}
	}
	var names []string
	for _, a := range msg.all.Agents {
		names = append(names, a.Name)
	}
	what := fmt.Sprintf("no custom agent %q", msg.name)
	switch near := nearest.Of(msg.name, names); {
	case near != "":
		what += fmt.Sprintf("; did you mean %s?", near)
	case msg.all.Untrusted > 0:
		what += "; those of this project can be used once you trust it: /trust"
	}
	m.Notices.Warn(style.Visible(style.OneLine(what)))
	return m.Screen.Write("/agents " + msg.name)
}

// Handles carries out what came of the command's list, and reports whether it is that list and whether it closes.
func (m *Model) Handles(a picker.Action) (cmd tea.Cmd, closes, own bool) {
	of, _ := m.Screen.Opened()
	l, own := of.(lists.Customs)
	if !own {
		return nil, false, false
	}
	switch a := a.(type) {
	case picker.Picked:
		switch c := l.Choose(a.Row.ID).(type) {
		case lists.SetCustom:
			m.Screen.Hold(c.Agent)
			return nil, true, true
		case lists.NewCustom:
			return m.make(""), true, true
		case lists.OpenCustom:
			return m.edit(c.Path), false, true
		}
	case picker.Dropped:
		if path := l.File(a.Row.ID); path != "" {
			return m.edit(path), false, true
		}
	case picker.Closed:
		return nil, true, true
	}
	return nil, false, true
}
