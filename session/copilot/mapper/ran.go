package mapper

import (
	"encoding/json"
	"strings"

	"parley/session"
	"parley/session/copilot/protocol"
)

// lines holds the command lines about which permission was asked: those that run. The calls have what the model wrote.
type lines struct {
	asked   map[string]permitted // by request
	allowed map[session.CallID]string
}

// permitted is the command line of a permission request.
type permitted struct {
	call session.CallID
	line string
}

func newLines() lines {
	return lines{asked: map[string]permitted{}, allowed: map[session.CallID]string{}}
}

// permission takes a permission request or its answer.
func (l lines) permission(e protocol.Event) {
	d := decode[permissionData](e)
	if e.Type == "permission.requested" {
		if p := d.Permission; p.Kind == "shell" && d.Request != "" {
			l.asked[d.Request] = permitted{call: session.CallID(p.Call), line: p.Line}
		}
		return
	}
	p, ok := l.asked[d.Request]
	delete(l.asked, d.Request)
	if ok && strings.HasPrefix(d.Result.Kind, "approved") {
		l.allowed[p.call] = p.line
	}
}

// take returns the command line that ran in place of the one that the model wrote, empty if that ran itself, and forgets it.
func (l lines) take(t *toolCall) string {
	line := l.allowed[t.ID]
	delete(l.allowed, t.ID)
	if line == t.With.line || t.With.line == "" {
		return ""
	}
	return line
}

// lineOf returns the command line of a call's input, empty for none.
func lineOf(input json.RawMessage) string {
	var in struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(input, &in) != nil {
		return ""
	}
	return in.Command
}
