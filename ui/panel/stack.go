package panel

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Owner carries out what panels ask for. Its methods are called on the event loop.
type Owner interface {
	// CarryOut carries out an effect of a panel within the call; from is zero for work that outlived its panel.
	CarryOut(from ID, e Effect) tea.Cmd
	// Unused handles a key that the top panel passed.
	Unused(k tea.KeyPressMsg) tea.Cmd
}

// Stack is the panels that are open, the chat at the bottom. The event loop owns it.
type Stack struct {
	ctx     context.Context
	owner   Owner
	open    []entry
	last    ID
	pressed ID // the panel in which the pointer was pressed, until it is released
	changed bool
}

// entry is an open panel.
type entry struct {
	Panel
	id     ID
	of     string // the feature, "" for a part of one
	ctx    context.Context
	cancel context.CancelFunc
}

// NewStack returns a stack with the panel at the bottom, which is never closed but by Close. ctx ends what panels run.
func NewStack(ctx context.Context, owner Owner, bottom Panel) *Stack {
	s := &Stack{ctx: ctx, owner: owner}
	s.add(bottom, "")
	return s
}

// Top returns the panel that has the keyboard.
func (s *Stack) Top() Panel { return s.open[len(s.open)-1].Panel }

// Covered reports whether something covers the bottom panel.
func (s *Stack) Covered() bool { return len(s.open) > 1 }

// Changed reports whether a frame is due since it was called last.
func (s *Stack) Changed() bool {
	c := s.changed
	s.changed = false
	return c
}

// Route passes a message to the panels that it is for.
func (s *Stack) Route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg:
		return s.input(msg)
	case result:
		if e, is := msg.msg.(Effect); is && msg.to == 0 {
			return s.Do(0, e)
		}
		return s.deliver(msg.to, msg.msg)
	}
	return s.Tell(msg)
}

// Tell passes a message to all panels, from the bottom up.
func (s *Stack) Tell(msg tea.Msg) tea.Cmd {
	var ids [8]ID // a panel may close itself or others meanwhile
	all := ids[:0]
	for i := range s.open {
		all = append(all, s.open[i].id)
	}
	var cmds tea.Cmd
	for _, id := range all {
		cmds = join(cmds, s.deliver(id, msg))
	}
	return cmds
}

// deliver passes a message to one panel, and drops it if the panel is closed.
func (s *Stack) deliver(to ID, msg tea.Msg) tea.Cmd {
	i := s.find(to)
	if i < 0 {
		return nil
	}
	cmd, _ := s.give(i, msg)
	return cmd
}

// input passes what the user does to the top panel. What that passes has one meaning for all panels.
func (s *Stack) input(msg tea.Msg) tea.Cmd {
	i := len(s.open) - 1
	if !s.points(s.open[i].id, msg) {
		return nil
	}
	cmd, passed := s.give(i, msg)
	if !passed {
		return cmd
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		k := tea.KeyPressMsg{Code: tea.KeyDown}
		if msg.Button == tea.MouseWheelUp {
			k.Code = tea.KeyUp
		}
		cmd, _ = s.give(i, k)
	case tea.KeyPressMsg:
		if name := msg.String(); i > 0 && (name == "esc" || name == "ctrl+c") {
			return join(cmd, s.Back())
		}
		return join(cmd, s.owner.Unused(msg))
	}
	return cmd
}

// points reports whether a message of the pointer is for a panel: a drag stays with the panel in which it began.
func (s *Stack) points(top ID, msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		s.pressed = top
	case tea.MouseMotionMsg:
		return s.pressed == top || msg.Button == tea.MouseNone
	case tea.MouseReleaseMsg:
		ours := s.pressed == top
		s.pressed = 0
		return ours
	case tea.MouseWheelMsg:
		return msg.Button == tea.MouseWheelUp || msg.Button == tea.MouseWheelDown
	}
	return true
}

// give passes a message to a panel and carries out its effect. It reports whether the panel passed it.
func (s *Stack) give(i int, msg tea.Msg) (cmd tea.Cmd, passed bool) {
	e := s.open[i]
	effect, c := e.Update(msg)
	cmd = bound(e.ctx, e.id, c)
	if _, passed = effect.(Pass); passed {
		return cmd, true
	}
	s.changed = s.changed || i == len(s.open)-1
	return join(cmd, s.Do(e.id, effect)), false
}

// Do carries out an effect of a panel; from is zero for one of no panel.
func (s *Stack) Do(from ID, e Effect) tea.Cmd {
	switch e := e.(type) {
	case nil, Pass:
		return nil
	case All:
		var cmds tea.Cmd
		for _, one := range e {
			cmds = join(cmds, s.Do(from, one))
		}
		return cmds
	case Push:
		return s.push(e)
	case Pop:
		if i := s.find(from); i > 0 {
			return s.pop(len(s.open) - i)
		}
		return nil
	case Clear:
		return s.pop(len(s.open) - 1)
	case Start:
		if i := s.find(from); i >= 0 {
			return bound(s.open[i].ctx, from, e.Cmd)
		}
		return nil
	case Then:
		return s.Do(from, e.Do())
	case Tell:
		return s.Tell(e.Msg)
	case Run:
		return bound(s.ctx, 0, func(ctx context.Context) tea.Msg { return e.Work(ctx) })
	}
	return s.owner.CarryOut(from, e)
}

// Back closes the top panel, unless it is the bottom.
func (s *Stack) Back() tea.Cmd { return s.pop(1) }

// Drawn reports to the top panel that a frame of it was made.
func (s *Stack) Drawn() tea.Cmd {
	e := s.open[len(s.open)-1]
	effect, c := e.Update(Drawn{})
	return join(bound(e.ctx, e.id, c), s.Do(e.id, effect))
}

// push opens a panel. A feature that is open is closed instead, with what stands on it; below others it comes to the top.
func (s *Stack) push(p Push) tea.Cmd {
	if i := s.feature(p.Of); i > 0 {
		above := len(s.open) - 1 - i
		return join(s.Do(0, p.Panel.Close()), s.pop(max(1, above)))
	}
	cmd, _ := s.give(len(s.open)-1, Covered{})
	s.add(p.Panel, p.Of)
	return join(cmd, bound(s.open[len(s.open)-1].ctx, s.last, p.Start))
}

func (s *Stack) add(p Panel, of string) {
	s.last++
	ctx, cancel := context.WithCancel(s.ctx)
	s.open = append(s.open, entry{p, s.last, of, ctx, cancel})
	s.changed = true
}

// pop closes the n top panels, but never the bottom.
func (s *Stack) pop(n int) tea.Cmd {
	var cmds tea.Cmd
	closed := false
	for ; n > 0 && len(s.open) > 1; n-- {
		closed = true
		i := len(s.open) - 1
		e := s.open[i]
		s.open[i] = entry{}
		s.open = s.open[:i]
		e.cancel()
		cmds = join(cmds, s.Do(0, e.Close()))
	}
	if closed {
		cmd, _ := s.give(len(s.open)-1, Uncovered{})
		cmds = join(cmds, cmd)
		s.changed = true
	}
	return cmds
}

// Close closes all panels at the end of the program. It returns what must not be lost, from the top down.
func (s *Stack) Close() (left []Effect) {
	for i := len(s.open) - 1; i >= 0; i-- {
		s.open[i].cancel()
		if e := s.open[i].Close(); e != nil {
			left = append(left, e)
		}
	}
	return left
}

// find returns the index of a panel, -1 if it is closed.
func (s *Stack) find(id ID) int {
	for i := range s.open {
		if s.open[i].id == id {
			return i
		}
	}
	return -1
}

// feature returns the index of a feature's panel, -1 if it is not open.
func (s *Stack) feature(of string) int {
	for i := range s.open {
		if of != "" && s.open[i].of == of {
			return i
		}
	}
	return -1
}

// join returns both commands as one. It makes nothing if one of them is nil, which most are.
func join(a, b tea.Cmd) tea.Cmd {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return tea.Batch(a, b)
}
