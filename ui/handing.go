package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/compose"
	"parley/ui/delegate"
	"parley/ui/input"
	"parley/ui/question"
)

// handing does for work that is handed over to a service what only the root can.
type handing struct {
	*reader
	prompts  *prompts
	sessions *sessions
}

// Session returns the session that is shown.
func (h *handing) Session() *live.Session {
	if h.current.opening != nil {
		return nil
	}
	return h.current.session
}

// Dir returns the directory of the session.
func (h *handing) Dir() string { return h.current.dir() }

// Agent returns the name of the session's agent.
func (h *handing) Agent() string { return h.current.agent() }

// Show covers the chat with a panel.
func (h *handing) Show(p delegate.Panel) {
	if h.covers.hand = p; p == nil {
		h.notices.Release()
		_ = h.asks.Reset() // nothing is held behind a panel
	}
	h.screen.touch()
}

// Touch requests a frame.
func (h *handing) Touch() { h.screen.touch() }

// Edit opens a text in the user's editor.
func (h *handing) Edit(text string) tea.Cmd { return h.screen.editText(text, nil) }

// Submit sends what was written.
func (h *handing) Submit(a input.Submitted) tea.Cmd { return h.prompts.submitted(a) }

// Send sends a prompt.
func (h *handing) Send(p session.Prompt, images []string) tea.Cmd {
	return h.prompts.dispatch(&chat.Outgoing{Prompt: p, Draft: chat.DraftOf(p)}, chat.Files{Mentions: compose.Mentions(p.Text), Images: images})
}

// Hold stores a draft.
func (h *handing) Hold(draft string) int {
	defer h.prompts.drafts.save()
	return h.prompts.drafts.keeper.Hold(h.prompts.drafts.key, draft)
}

// Release removes a stored draft.
func (h *handing) Release(ticket int) { h.prompts.drafts.keeper.Release(ticket) }

// PutBack puts a prompt into the field.
func (h *handing) PutBack(p input.Prompt) {
	h.input.PutBack(p.Draft, chat.KeptAttachments(p.Attachments))
	h.prompts.drafts.save()
}

// Reply answers a question of the agent.
func (h *handing) Reply(q *question.Question, a session.Answer) { h.asks.Reply(q, a) }

// Interrupt stops the running turn.
func (h *handing) Interrupt() { h.current.interrupt() }

// Open shows another session.
func (h *handing) Open(s *live.Session) tea.Cmd { return h.sessions.change(s, "") }

// Beside keeps a session open that is not shown.
func (h *handing) Beside(s *live.Session, over bool) {
	if over {
		delete(h.sessions.beside, s)
		return
	}
	h.sessions.beside[s] = true
}
