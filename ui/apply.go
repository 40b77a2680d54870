package ui

import (
	"context"
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

// wear changes the theme by its name, on the background that the terminal reported. It may be a file, which is read in the
// background; of several wishes the last one counts.
func (m *Model) wear(name string) tea.Cmd {
	if own := m.opts.Getenv("GLAMOUR_STYLE"); own != "" && (name == "" || name == "auto") {
		name = own
	}
	m.wishes++
	wish := m.wishes
	return m.stack.Do(panel.Bottom, panel.Run{Work: func(context.Context) panel.Effect {
		fixed, dark, words, err := style.ParseTheme(name)
		return panel.Then{Do: func() panel.Effect {
			switch {
			case wish != m.wishes:
				return nil
			case err != nil:
				return panel.Notice{Text: "The theme can't be used: " + err.Error(), Warn: true}
			}
			m.worn(core.StartTheme(name, m.opts.Profile, fixed, dark, m.terminal.light, words), fixed)
			return panel.Tell{Msg: panel.Restyled{}}
		}}
	}})
}

// worn shows a theme. fixed means that it says itself which background it is for.
func (m *Model) worn(theme style.Theme, fixed bool) {
	theme.Epoch = m.look.Theme.Epoch + 1
	m.look.Theme, m.terminal.fixedTheme = theme, fixed
	if m.terminal.background != nil {
		m.terminal.setBackground(m.terminal.background)
	}
}
