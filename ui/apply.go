package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/core"
	"parley/ui/panel"
	"parley/ui/style"
)

// apply lets a setting hold for what is shown. What the screen does not know, the chat may.
func (m *Model) apply(e panel.Apply) tea.Cmd {
	a, on := &m.opts.Appearance, e.Value == "on"
	switch e.Key {
	case "theme":
		return m.wear(e.Value)
	case "ui.mouse":
		m.painter.SetMouse(on)
	case "ui.diff_split":
		m.look.Split = on
		return m.stack.Tell(panel.Restyled{})
	case "ui.notify":
		a.Notify = e.Value
	case "ui.notify_after":
		d, err := time.ParseDuration(e.Value)
		if err != nil {
			return nil
		}
		if a.NotifyAfter = d; d == 0 {
			a.NotifyAfter = -1 // every turn
		}
		m.terminal.watch.Least = a.NotifyAfter
	case "ui.progress":
		a.Progress = e.Value
	case "ui.title":
		a.NoTitle = !on
	default:
		return m.inChat(m.chat.CarryOut(e))
	}
	m.terminal.watch.Terminal = a.Terminal(m.opts.Getenv)
	return nil
}

// wear changes the theme by its name, on the background that the terminal reported.
func (m *Model) wear(name string) tea.Cmd {
	if own := m.opts.Getenv("GLAMOUR_STYLE"); own != "" && (name == "" || name == "auto") {
		name = own
	}
	fixed, dark, words, err := style.ParseTheme(name)
	if err != nil {
		m.notices.Warn("The theme can't be used: " + err.Error())
		return nil
	}
	tm := m.terminal
	tm.fixedTheme = fixed
	epoch := m.look.Theme.Epoch
	m.look.Theme = core.StartTheme(name, m.opts.Profile, fixed, dark, tm.light, words)
	m.look.Theme.Epoch = epoch + 1
	if tm.background != nil {
		tm.setBackground(tm.background)
	}
	return m.stack.Tell(panel.Restyled{})
}
