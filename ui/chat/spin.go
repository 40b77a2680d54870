package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/status"
)

// spinMsg is due when the spinner turns.
type spinMsg struct{}

// spin turns the spinner, and the clock beside it, while a turn runs.
type spin struct {
	*parts
	status.Spinner

	current *current
}

// keep starts the timer if a turn runs and there is none.
func (s *spin) keep() tea.Cmd {
	if !s.Start(s.conv.Running() != nil) {
		return nil
	}
	return s.later()
}

// later returns the command that turns the spinner next.
func (s *spin) later() tea.Cmd {
	return s.work.after(s.Delay(s.watch.Focused() && len(s.conv.Transcript().Asks) == 0), spinMsg{})
}

// sends returns the key that sends what runs to the background now, "" for none: while something is written it does something else.
func (s *spin) sends() string {
	if s.current.opening != nil || s.current.session == nil || !s.input.Empty() || !s.current.session.Controls().Background {
		return ""
	}
	return s.keys.Key(keymap.Background)
}

// turn moves the spinner on.
func (s *spin) turn() tea.Cmd {
	if !s.Turn(s.conv.Running() != nil) {
		return nil
	}
	s.conv.Tick(s.sends())
	s.screen.touch()
	return s.later()
}
