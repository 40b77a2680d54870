package mapper

import (
	"cmp"
	"strings"

	"parley/session"
	"parley/session/copilot/protocol"
)

// PromptText returns the text of a prompt of the user, and false for every other event.
func PromptText(e protocol.Event) (string, bool) {
	if e.Type != "user.message" || e.Agent != "" {
		return "", false
	}
	d := decode[userMessage](e)
	text := strings.TrimSpace(d.Content)
	return text, text != "" && isPrompt(d.Source) && !d.Continuation
}

// AnswerText returns the text of an answer at the top level, "" for every other event.
func AnswerText(e protocol.Event) string {
	if e.Type != "assistant.message" || e.Agent != "" {
		return ""
	}
	if d := decode[assistantMessage](e); d.ParentCall == "" {
		return d.Content
	}
	return ""
}

// ForeignPrompt returns the turn that a prompt of another program began, and false for every other event.
func ForeignPrompt(id session.ID, e protocol.Event) (session.TurnStarted, bool) {
	if _, ok := PromptText(e); !ok {
		return session.TurnStarted{}, false
	}
	d := decode[userMessage](e)
	if _, ours := sourceID(d.Source); ours || d.Delivery == "steering" {
		return session.TurnStarted{}, false
	}
	turn := cmp.Or(d.MessageID, e.ID)
	return session.TurnStarted{Head: session.Head{Session: id, Turn: session.TurnID(turn), At: e.Timestamp}}, true
}

// FirstPrompt returns the beginning of a prompt as a description of its session.
func FirstPrompt(text string) string {
	const longest = 200
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > longest {
		return strings.TrimSpace(string(r[:longest-1])) + "…"
	}
	return text
}

// ChosenModel returns the model that an event says the session uses from now on, empty if it says none.
func ChosenModel(e protocol.Event) string {
	if e.Agent != "" || !stateTypes[e.Type] {
		return ""
	}
	d := decode[sessionData](e)
	if d.NewModel != "" {
		return d.NewModel
	}
	return d.Model
}

// TodoCall returns the id of the call of a tool that changes the task list, empty for every other event.
func TodoCall(e protocol.Event) string {
	if e.Type != "tool.execution_start" || e.Agent != "" {
		return ""
	}
	if d := decode[toolStart](e); todoTools[d.Name] {
		return d.Call
	}
	return ""
}

// After returns the id of the event that begins the turn after a turn, empty if that is the last. found is false if there is no
// such turn, answered is false if the model has said nothing in it.
func After(id session.ID, events []protocol.Event, turn session.TurnID) (event string, found, answered bool) {
	m := newStored(id)
	final := finalRounds(events)
	for i, e := range events {
		if m.turn.over && endsTurn[e.Type] {
			m.endStored()
		}
		for _, made := range m.Map(e, e.Timestamp) {
			switch made := made.(type) {
			case session.TurnStarted:
				if found {
					return e.ID, found, answered
				}
				found = made.Turn == turn
			case session.PartReplaced, session.ToolStarted:
				answered = answered || found && made.Header().Turn == turn
			}
		}
		m.turn.over = m.turn.over || final[i]
	}
	return "", found, answered
}
