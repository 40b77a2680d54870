package ui

import (
	"time"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/style"
	"parley/ui/transcript"
)

// current is the session that is shown.
type current struct {
	opts *Options
	look *style.Look
	conv *transcript.Model

	session *live.Session
	opening *chat.Opening       // of a session that is loaded while its end is shown, nil for none
	agents  []session.AgentInfo // as they were when they were looked at last
	version string              // of the session's agent, as it was when the session was shown

	steering map[session.PromptID]bool // prompts sent for the running turn
	stopping bool                      // the turn has been interrupted
	heard    time.Time                 // of the newest event
}

// agentCommands returns the slash commands that the agent understands.
func (cur *current) agentCommands() []session.SlashCommand {
	if cur.opts.Manager == nil {
		return nil
	}
	return cur.opts.Manager.Commands(cur.agent(), cur.dir())
}

// isAgentCommand reports whether the agent understands a slash command.
func (cur *current) isAgentCommand(name string) bool {
	_, known := cur.knownToAgent(name)
	return known
}

// knownToAgent returns a slash command that the agent understands.
func (cur *current) knownToAgent(name string) (session.SlashCommand, bool) {
	for _, c := range cur.agentCommands() {
		if c.Name == name {
			return c, true
		}
	}
	return session.SlashCommand{}, false
}
