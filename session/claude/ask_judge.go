package claude

import (
	"encoding/json"
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission"
	"parley/session/toolview"
)

// judgement is what parley itself says of a call that the runtime asks about.
type judgement struct {
	// ruled says that the user has allowed it for the session.
	ruled bool
	// rules are what the session can be offered. suggestions are the runtime's own rules behind them, which it is told of
	// if the user takes them; for commands and files there are none, because parley applies those rules itself.
	rules       []session.Rule
	suggestions []json.RawMessage
	// reason says why it is always asked, "" otherwise.
	reason string
}

// judge compares a call with the rules of the session. It may look at the disk; no lock is held.
func (c *conversation) judge(raw json.RawMessage) judgement {
	var q canUseTool
	if json.Unmarshal(raw, &q) != nil || q.Tool == "AskUserQuestion" || q.Tool == "ExitPlanMode" {
		return judgement{}
	}
	c.mu.Lock()
	rules := slices.Clone(c.rules)
	c.mu.Unlock()
	p := c.policy(rules)
	// What the runtime asks about for a reason of safety, or because the user's own settings or hooks say so, is always
	// asked.
	free := q.ReasonType != "safetyCheck" && q.ReasonType != "rule" && q.ReasonType != "hook"
	kind := toolview.Describe(q.Tool, nil, "").Kind
	switch kind {
	case toolview.Command, toolview.Edit, toolview.Read, toolview.Search:
		return judgeOurs(p, kind, q, free && len(q.Suggestions) > 0)
	}
	j := judgement{suggestions: narrowest(q.Tool, cloneAll(q.Suggestions))}
	j.ruled = free && p.Ruled(kind, session.PermissionAsk{Tool: q.Tool})
	j.rules = suggestedRules(q.Tool, j.suggestions)
	return j
}

// judgeOurs is about commands and files, whose rules are parley's own: those of the runtime say less exactly what they
// allow. Where the runtime has nothing to suggest, it would ask again whatever it remembered, and so does parley.
func judgeOurs(p permission.Policy, kind toolview.Kind, q canUseTool, free bool) judgement {
	asks := asksOf(kind, q)
	var j judgement
	for _, ask := range asks {
		if kind == toolview.Edit && j.reason == "" {
			j.reason = p.Guarded(ask.Path)
		}
	}
	if !free || len(asks) == 0 || kind == toolview.Command && q.Tool != "Bash" {
		return j
	}
	j.ruled = !slices.ContainsFunc(asks, func(a session.PermissionAsk) bool { return !p.Ruled(kind, a) })
	if len(asks) == 1 {
		j.rules = p.SuggestRules(kind, asks[0])
	}
	return j
}

// asksOf returns what a call does, for each file that it and the runtime name. Tools that do the same kind of thing to
// files share their rules.
func asksOf(kind toolview.Kind, q canUseTool) []session.PermissionAsk {
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

// policy is what parley's own rules say here. The runtime's commands begin where the last one ended, so no base is known.
func (c *conversation) policy(rules []session.Rule) permission.Policy {
	return permission.Policy{Mode: session.ModeDefault, Dirs: append([]string{c.o.Dir}, c.o.Dirs...), Rules: rules, Home: c.a.o.Home}.
		OnDisk(c.a.o.Environ)
}

func cloneAll(list []json.RawMessage) []json.RawMessage {
	out := make([]json.RawMessage, len(list))
	for i, raw := range list {
		out[i] = json.RawMessage(strings.Clone(string(raw)))
	}
	return out
}
