package guard

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"parley/session"
	"parley/session/toolview"
)

// Call is a tool call of the runtime, as its hook before the call or its permission request describes it.
type Call struct {
	ID    session.CallID
	Tool  string
	Input json.RawMessage
	// Agent is the child agent that calls, "" for the top level.
	Agent string
	// Dir is where commands of the agent begin, and Mode the permission mode; "" if unknown. Only the hook knows both.
	Dir  string
	Mode session.Mode
	// Client is the name of the tool of parley that is called, by which rules know it for all agents; "" for any other tool.
	Client string
	// Asked is the reason why parley's own hook made the runtime ask, "" if it did not.
	Asked string

	reason      string // why the runtime asks, in its words
	blocked     string // a path outside the session's directories
	suggestions []json.RawMessage
	reasonType  string
	description string
}

// ReadHook reads a hook callback of the runtime. event is the name of the hook. It reports false for a malformed one.
func ReadHook(raw json.RawMessage) (event string, c Call, ok bool) {
	var q struct {
		Input struct {
			Event string          `json:"hook_event_name"`
			ID    string          `json:"tool_use_id"`
			Tool  string          `json:"tool_name"`
			Input json.RawMessage `json:"tool_input"`
			Agent string          `json:"agent_id"`
			Dir   string          `json:"cwd"`
			Mode  session.Mode    `json:"permission_mode"`
		} `json:"input"`
	}
	if json.Unmarshal(raw, &q) != nil || q.Input.Tool == "" {
		return q.Input.Event, Call{}, false
	}
	in := q.Input
	return in.Event, Call{ID: session.CallID(in.ID), Tool: in.Tool, Input: in.Input, Agent: in.Agent, Dir: in.Dir, Mode: in.Mode}, true
}

// ReadRequest reads a permission request of the runtime and keeps nothing of raw. It reports false for a malformed one.
func ReadRequest(raw json.RawMessage) (Call, bool) {
	var q struct {
		ID          string            `json:"tool_use_id"`
		Tool        string            `json:"tool_name"`
		Input       json.RawMessage   `json:"input"`
		Agent       string            `json:"agent_id"`
		Blocked     string            `json:"blocked_path"`
		Suggestions []json.RawMessage `json:"permission_suggestions"`
		Reason      string            `json:"decision_reason"`
		ReasonType  string            `json:"decision_reason_type"`
		Description string            `json:"description"`
	}
	if json.Unmarshal(raw, &q) != nil || q.Tool == "" {
		return Call{}, false
	}
	c := Call{ID: session.CallID(q.ID), Tool: q.Tool, Input: slices.Clone(q.Input), Agent: q.Agent,
		reason: q.Reason, blocked: q.Blocked, reasonType: q.ReasonType, description: q.Description}
	for _, s := range q.Suggestions {
		c.suggestions = append(c.suggestions, slices.Clone(s))
	}
	return c, true
}

func (c Call) kind() toolview.Kind {
	if _, named := toolview.ClientTool(c.Tool); named && c.Client == "" { // another server has parley's name
		return toolview.MCP
	}
	return toolview.Describe(c.Tool, nil, "").Kind
}

// input is the part of a tool's input that rules are about.
type input struct {
	Command     string `json:"command"`
	Code        string `json:"code"`
	Description string `json:"description"`
	File        string `json:"file_path"`
	Notebook    string `json:"notebook_path"`
	Path        string `json:"path"`
}

// asks returns an ask for each file that a call or the runtime names, else one for the call itself. Tools that touch files
// of one kind share their rules; parley's read paths from the session's directory. It returns none for a malformed input.
func (g Guard) asks(c Call) []session.PermissionAsk {
	var in input
	if len(c.Input) > 0 && json.Unmarshal(c.Input, &in) != nil {
		return nil
	}
	tool := "Read"
	switch c.kind() {
	case toolview.Edit:
		tool = "Edit"
	case toolview.Read, toolview.Search:
	default:
		return []session.PermissionAsk{{Tool: cmp.Or(c.Client, c.Tool), Input: c.Input, Command: in.Command}}
	}
	var asks []session.PermissionAsk
	if c.Client != "" {
		in.File = g.Absolute(in.File, "")
	}
	for _, path := range []string{in.File, in.Notebook, in.Path, c.blocked} {
		ask := session.PermissionAsk{Tool: tool, Input: c.Input, Path: path}
		if path != "" && !slices.ContainsFunc(asks, func(a session.PermissionAsk) bool { return a.Path == path }) {
			asks = append(asks, ask)
		}
	}
	if len(asks) == 0 {
		asks = []session.PermissionAsk{{Tool: c.Tool, Input: c.Input}}
	}
	return asks
}

// purpose returns why the model runs a command, in its own words; "" if it does not say.
func (c Call) purpose() string {
	var in input
	if c.kind() != toolview.Command || json.Unmarshal(c.Input, &in) != nil {
		return ""
	}
	why := in.Description
	if why == "" {
		why = c.description
	}
	if why = strings.TrimSpace(why); why == strings.TrimSpace(in.Command) {
		return ""
	}
	return why
}
