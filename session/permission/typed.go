package permission

import (
	"encoding/json"

	"parley/session"
	"parley/session/toolview"
)

// typing is the tool of the builtin agent that writes to the input of a running command.
const typing = "BashInput"

// typed returns what a call writes to the input of a running command. That may be a shell, so the rules that deny and ask about
// command lines hold for the text; none that allows does, because another program may read it.
func typed(kind toolview.Kind, ask session.PermissionAsk) (text string, ok bool) {
	if kind != toolview.Other || ask.Tool != typing {
		return "", false
	}
	var in struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(ask.Input, &in) != nil {
		return string(ask.Input), true // nothing that a rule could be sure about
	}
	return in.Text, in.Text != ""
}
