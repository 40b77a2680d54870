package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
)

// commandsMsg says that an agent has said which commands it has, or that it has not, while a command was waiting.
type commandsMsg struct {
	text string // what was written
	err  error
}

// commandsToCome returns what waits until the agent has said which commands it has, nil if there is nothing to wait for.
func (cur *current) commandsToCome() func(context.Context) error {
	if cur.session == nil {
		return nil
	}
	return cur.opts.Manager.AwaitCommands(cur.agent(), cur.dir())
}

// awaitCommands keeps a command that may be the agent's in the composer until the agent has said which it has.
func (m *Model) awaitCommands(text string, wait func(context.Context) error) tea.Cmd {
	m.current.warm()
	m.notices.AddFor(chat.CommandsTimeout, "waiting for the agent to start: it says which commands it has", false)
	ctx := m.work.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, chat.CommandsTimeout)
		defer cancel()
		return commandsMsg{text, wait(ctx)}
	}
}

// gotCommands runs the command that waited, unless something else was written meanwhile.
func (m *Model) gotCommands(msg commandsMsg) tea.Cmd {
	m.notices.Clear() // it does not wait any more
	if m.input.Value() != msg.text {
		return nil
	}
	if msg.err != nil {
		p := session.ProblemOf(msg.err, m.look.Now())
		m.notices.Warn("the agent did not say which commands it has: " + p.What)
		return nil
	}
	return m.enter(false)
}
