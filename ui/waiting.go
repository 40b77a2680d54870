package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
)

// commandsMsg reports that the agent's commands are known, or never will be, while a command waited for that.
type commandsMsg struct {
	text string // what was written
	err  error
}

// awaitCommands leaves a command that may be the agent's in the field until the agent's commands are known.
func (ps *prompts) awaitCommands(text string, wait func(context.Context) error) tea.Cmd {
	ps.current.warm()
	ps.notices.AddFor(chat.CommandsTimeout, "waiting for the agent to start: it says which commands it has", false)
	ctx := ps.work.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, chat.CommandsTimeout)
		defer cancel()
		return commandsMsg{text, wait(ctx)}
	}
}

// gotCommands reports whether the command that waited is to run now: the commands are known, and the field has not changed.
func (ps *prompts) gotCommands(msg commandsMsg) bool {
	ps.notices.Clear() // it does not wait any more
	if ps.input.Value() != msg.text {
		return false
	}
	if msg.err != nil {
		ps.notices.Warn("the agent did not say which commands it has: " + session.ProblemOf(msg.err, ps.look.Now()).What)
		return false
	}
	return true
}
