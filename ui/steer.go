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
func (cur *current) steers() bool { return cur.session != nil && cur.opts.Manager.Steers(cur.agent()) }

// submitted sends what was written, into the running turn if that was asked for and the agent can do that.
func (ps *prompts) submitted(a input.Submitted) tea.Cmd {
	steer := a.Steer && ps.conv.Running() != nil
	if steer && !ps.current.steers() {
		cmd := ps.post(a.Prompt, false)
		ps.notices.Info(ps.current.agent() + " takes nothing in while it works: it is queued")
		return cmd
	}
	return ps.post(a.Prompt, steer)
}

// again sends the last prompt once more, if its turn ended in a way that trying again may help.
func (ps *prompts) again() tea.Cmd {
	p := chat.FailedPrompt(ps.conv.Transcript())
	if p == nil {
		return nil
	}
	q := *p
	q.ID = ""
	ps.input.Reset()
	return ps.dispatch(&chat.Outgoing{Prompt: q, Draft: chat.DraftOf(q)}, chat.Files{})
}

// openQueue opens the picker of the prompts that wait.
func (ps *prompts) openQueue() tea.Cmd {
	ps.covers.open(ps.queueList(), "")
	return nil
}

// queueList returns the list of the prompts that wait.
func (ps *prompts) queueList() lists.Queue {
	return lists.Queue{Prompts: ps.conv.Transcript().Queue, Steered: ps.current.steered()}
}

// steered returns the waiting prompts that the running turn takes at its next step.
func (cur *current) steered() map[session.PromptID]bool {
	if cur.conv.Running() == nil || !cur.steers() {
		return nil
	}
	return cur.steering
}

// takeBack takes a waiting prompt into the composer, in front of what is written there.
func (ps *prompts) takeBack(id session.PromptID) tea.Cmd {
	p, ok := ps.current.session.Unqueue(id)
	if !ok {
		ps.notices.Warn("it is on its way already")
		return nil
	}
	return ps.reclaim(p)
}

// dropQueued drops a waiting prompt; the up key of the composer still finds its words.
func (ps *prompts) dropQueued(id session.PromptID) tea.Cmd {
	if _, ok := ps.current.session.Unqueue(id); !ok {
		ps.notices.Warn("it is on its way already")
	}
	return nil
}

// warm lets the agent prepare: a prompt is about to be written.
func (cur *current) warm() {
	if cur.session == nil || cur.opening != nil || cur.conv.Running() != nil {
		return
	}
	if w, ok := any(cur.session).(interface{ Warm() }); ok {
		w.Warm()
	}
}
