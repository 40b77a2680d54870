package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/input"
	"parley/ui/lists"
)

// This file is what the user says while the agent works: into the running turn, or into the queue.

// steers reports whether the session's agent takes prompts into a running turn.
func (m *Model) steers() bool { return m.session != nil && m.opts.Manager.Steers(m.agent()) }

// submitted sends what was written, into the running turn if that was asked for and the agent can do that.
func (m *Model) submitted(a input.Submitted) tea.Cmd {
	steer := a.Steer && m.conv.Running() != nil
	if steer && !m.steers() {
		cmd := m.post(a.Prompt, false)
		m.notices.Info(m.agent() + " takes nothing in while it works: it is queued")
		return cmd
	}
	return m.post(a.Prompt, steer)
}

// again sends the last prompt once more, if its turn ended in a way that trying again may help.
func (m *Model) again() tea.Cmd {
	p := chat.FailedPrompt(m.conv.Transcript())
	if p == nil {
		return nil
	}
	q := *p
	q.ID = ""
	m.input.Reset()
	return m.dispatch(&chat.Outgoing{Prompt: q, Draft: chat.DraftOf(q)}, chat.Files{})
}

// openQueue opens the picker of the prompts that wait.
func (m *Model) openQueue() tea.Cmd {
	m.open(m.queueList(), "")
	return nil
}

// queueList returns the list of the prompts that wait.
func (m *Model) queueList() lists.Queue {
	return lists.Queue{Prompts: m.conv.Transcript().Queue, Steered: m.steered()}
}

// steered returns the waiting prompts that the running turn takes at its next step.
func (m *Model) steered() map[session.PromptID]bool {
	if m.conv.Running() == nil || !m.steers() {
		return nil
	}
	return m.steering
}

// takeBack takes a waiting prompt into the composer, in front of what is written there.
func (m *Model) takeBack(id session.PromptID) tea.Cmd {
	p, ok := m.session.Unqueue(id)
	if !ok {
		m.notices.Warn("it is on its way already")
		return nil
	}
	return m.reclaim(p)
}

// dropQueued drops a waiting prompt; the up key of the composer still finds its words.
func (m *Model) dropQueued(id session.PromptID) tea.Cmd {
	if _, ok := m.session.Unqueue(id); !ok {
		m.notices.Warn("it is on its way already")
	}
	return nil
}

// warm lets the agent prepare: a prompt is about to be written.
func (m *Model) warm() {
	if m.session == nil || m.opening != nil || m.conv.Running() != nil {
		return
	}
	if w, ok := any(m.session).(interface{ Warm() }); ok {
		w.Warm()
	}
}
