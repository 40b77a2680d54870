package guard

import (
	"encoding/json"
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission"
	"parley/session/toolview"
)

// Guard decides by parley's rules what the runtime may do in a session without asking the user. Its methods may read the
// disk. It is safe for concurrent use.
type Guard struct {
	// Dirs are the directories of the session, the working directory first.
	Dirs []string
	// Home is the user's home directory, Environ the environment of the runtime's commands.
	Home    string
	Environ []string
	// Kept is the runtime's directory, "" if there is none.
	Kept string
}

// Judgement is the result of parley's rules for a call.
type Judgement struct {
	// Ruled means that the user has allowed it for the session.
	Ruled bool
	// Rules are the rules to offer. Suggestions are the runtime's rules behind them, which it gets with the user's grant;
	// there are none for commands and files, whose rules parley applies itself.
	Rules       []session.Rule
	Suggestions []json.RawMessage
	// Reason is why the call is always asked, "" otherwise.
	Reason string
}

// call is the part of the runtime's request that decides whether the user is asked.
type call struct {
	Tool        string            `json:"tool_name"`
	Input       json.RawMessage   `json:"input"`
	Blocked     string            `json:"blocked_path"`
	Suggestions []json.RawMessage `json:"permission_suggestions"`
	ReasonType  string            `json:"decision_reason_type"`
}

// Judge applies the rules of the session to a request of the runtime. No rule covers a malformed request.
func (g Guard) Judge(raw json.RawMessage, rules []permission.Rule) Judgement {
	var q call
	if json.Unmarshal(raw, &q) != nil || q.Tool == "AskUserQuestion" || q.Tool == "ExitPlanMode" {
		return Judgement{}
	}
	p := g.policy(rules)
	// A request for safety, or by the user's settings or hooks, is always asked.
	free := q.ReasonType != "safetyCheck" && q.ReasonType != "rule" && q.ReasonType != "hook"
	kind := toolview.Describe(q.Tool, nil, "").Kind
	switch kind {
	case toolview.Command, toolview.Edit, toolview.Read, toolview.Search:
		return judgeOurs(p, kind, q, free && len(q.Suggestions) > 0)
	}
	j := Judgement{Suggestions: narrowest(q.Tool, cloneAll(q.Suggestions))}
	j.Ruled = free && p.Ruled(kind, session.PermissionAsk{Tool: q.Tool, Input: q.Input})
	j.Rules = suggestedRules(q.Tool, j.Suggestions)
	return j
}

// judgeOurs judges commands and files by parley's rules, which are more exact than the runtime's. Without a suggestion the
// runtime would ask again after any grant, and so does parley.
func judgeOurs(p permission.Policy, kind toolview.Kind, q call, free bool) Judgement {
	asks := asksOf(kind, q)
	var j Judgement
	for _, ask := range asks {
		if kind == toolview.Edit && j.Reason == "" {
			j.Reason = p.Guarded(ask.Path)
		}
	}
	if !free || len(asks) == 0 || kind == toolview.Command && q.Tool != "Bash" {
		return j
	}
	j.Ruled = !slices.ContainsFunc(asks, func(a session.PermissionAsk) bool { return !p.Ruled(kind, a) })
	if len(asks) == 1 {
		j.Rules = p.SuggestRules(kind, asks[0])
	}
	return j
}

// asksOf returns an ask for the command of a call, or for each file that it or the runtime names. Tools of one kind share
// their rules.
func asksOf(kind toolview.Kind, q call) []session.PermissionAsk {
	var in struct {
		Command  string `json:"command"`
		File     string `json:"file_path"`
		Notebook string `json:"notebook_path"`
		Path     string `json:"path"`
	}
	if json.Unmarshal(q.Input, &in) != nil {
		return nil
	}
	if kind == toolview.Command {
		return []session.PermissionAsk{{Tool: q.Tool, Command: in.Command}}
	}
	tool := "Read"
	if kind == toolview.Edit {
		tool = "Edit"
	}
	var asks []session.PermissionAsk
	for _, path := range []string{in.File, in.Notebook, in.Path, q.Blocked} {
		ask := session.PermissionAsk{Tool: tool, Path: path}
		if path != "" && !slices.ContainsFunc(asks, func(a session.PermissionAsk) bool { return a.Path == path }) {
			asks = append(asks, ask)
		}
	}
	return asks
}

// policy returns parley's policy of the session. The runtime runs commands where the last one ended, so the base is unknown.
func (g Guard) policy(rules []permission.Rule) permission.Policy {
	return permission.Policy{Mode: session.ModeDefault, Dirs: g.Dirs, Rules: rules, Home: g.Home}.OnDisk(g.Environ)
}

func cloneAll(list []json.RawMessage) []json.RawMessage {
	out := make([]json.RawMessage, len(list))
	for i, raw := range list {
		out[i] = json.RawMessage(strings.Clone(string(raw)))
	}
	return out
}
