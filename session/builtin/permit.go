package builtin

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/builtin/files"
	"parley/session/builtin/hook"
	"parley/session/builtin/tool"
	"parley/session/permission"
	"parley/session/toolview"
)

// The texts that the model reads of the user's decision about a call.
const (
	refusedNote = "The user refused this call. Do not try to do the same in another way; ask what they want instead."
	refusedSay  = "The user refused this call and says: "
	// ruledOut is the result of a call that a rule without a reason denies.
	ruledOut = "Refused: a rule of the user denies this call. Go on without it; do not try to do the same in another way."
)

// prepare prepares a call with the input that hooks left it, and asks about it. Without a job it returns the outcome of a call that may
// not run.
func prepare(ctx context.Context, l *loop, t *tool.Tool, h *hook.Call, id session.CallID) (*tool.Job, tool.Outcome) {
	for {
		j, err := t.Prepare(l.ws, h.Input)
		if ctx.Err() != nil {
			return nil, tool.Cancelled
		}
		if err != nil {
			return nil, tool.Failed("%s", err)
		}
		j.Ask.Tool, j.Ask.Input = t.Name, h.Input
		if refused, ok := permit(ctx, l, t.Kind, id, j, h); !ok {
			return nil, refused
		}
		if !h.Again() {
			return j, tool.Outcome{}
		}
	}
}

// permit asks the policy and, if required, the user. It returns false and the outcome of a call that may not run. It
// reads the file that a call would change after the policy has ruled, so that the user sees the change.
func permit(ctx context.Context, l *loop, kind toolview.Kind, id session.CallID, j *tool.Job, h *hook.Call) (tool.Outcome, bool) {
	policy := l.c.policy(ctx, l.ws)
	if j.Own {
		kind = toolview.Ask // which passes in every mode
	}
	d := decideAll(policy, kind, j.Ask, placesOf(j))
	if d.Ruling == permission.Deny {
		return denied(d), false
	}
	var problem error
	if j.Look != nil {
		if problem = j.Look(ctx); ctx.Err() != nil {
			return tool.Cancelled, false
		}
		// An error would reveal what is there to a model that may not read it.
		if problem != nil && (d.Ruling == permission.Allow || mayRead(policy, j)) {
			return tool.Failed("%s", problem), false
		}
	}
	if problem == nil && j.Look != nil { // it may have found more files
		if d = decideAll(policy, kind, j.Ask, placesOf(j)); d.Ruling == permission.Deny {
			return denied(d), false
		}
	}
	changes := append(pathsOf(j.More), j.Ask.Path, j.Place.Path, j.Place.Real)
	if d = h.Weigh(policy, d, kind, changes); d.Ruling == permission.Allow {
		j.Instead = d.Run
		return tool.Outcome{}, true
	}
	if out, done := h.Requested(ctx, policy, d, kind, changes); out != nil {
		return *out, false
	} else if done {
		return tool.Outcome{}, true
	}
	if problem == nil {
		j.Ask.Rules = policy.SuggestRules(judged(kind), j.Ask, pathsOf(j.More)...)
	}
	j.Ask.Caution, j.Ask.Dangerous = d.Care.Why, d.Care.Danger
	j.Ask.Parts, j.Ask.Reason = d.Parts, reasonOf(l, policy, d, kind, j, problem)
	if refused, ok := askPermission(ctx, l, kind, id, j, h.Asks()); !ok {
		return refused, false
	}
	if problem != nil {
		return j.WithMessage(tool.Failed("%s", problem)), false
	}
	return tool.Outcome{}, true
}

// denied returns the outcome of a call that the policy denies.
func denied(d permission.Decision) tool.Outcome {
	text := d.Reason
	if text == "" {
		text = ruledOut
	}
	return tool.Outcome{How: session.ToolDenied, Result: session.ToolResult{Text: text}}
}

// judged returns the kind of call by which the policy judges a tool. A search counts as a read of the place where it begins,
// because it leaves out the files below that may not be read; see [tool.Searched]. A child may start like a plan:
// what it does is judged call by call.
func judged(kind toolview.Kind) toolview.Kind {
	switch kind {
	case toolview.Search:
		return toolview.Read
	case toolview.Agent:
		return toolview.Plan
	}
	return kind
}

// placesOf returns the files of a call, the first of which is [tool.Job.Place].
func placesOf(j *tool.Job) []tool.Place { return append([]tool.Place{j.Place}, j.More...) }

// pathsOf returns the paths of places as the model gave them.
func pathsOf(places []tool.Place) []string {
	var out []string
	for _, p := range places {
		if p.Path != "" {
			out = append(out, p.Path)
		}
	}
	return out
}

// decideAll rules on a call by each of its files; the strictest ruling holds, and of several the first.
func decideAll(p permission.Policy, kind toolview.Kind, ask session.PermissionAsk, at []tool.Place) permission.Decision {
	d := decide(p, kind, ask, at[0])
	for _, place := range at[1:] {
		if d.Ruling == permission.Deny {
			break
		}
		ask.Path = place.Path
		if next := decide(p, kind, ask, place); next.Ruling == permission.Deny || d.Ruling == permission.Allow {
			d = next
		}
	}
	return d
}

// decide rules on a call by the path as written and by where it leads; the stricter ruling holds.
func decide(p permission.Policy, kind toolview.Kind, ask session.PermissionAsk, at tool.Place) permission.Decision {
	kind = judged(kind)
	d := p.Decide(kind, ask)
	if d.Ruling == permission.Deny || at.Real == "" || at.Real == ask.Path {
		return d
	}
	ask.Path = at.Real
	there := realDirs(p).Decide(kind, ask)
	if there.Ruling == permission.Deny || d.Ruling == permission.Allow {
		return there
	}
	return d
}

// realDirs returns p with the links in its directories resolved.
func realDirs(p permission.Policy) permission.Policy {
	p.Dirs = slices.Clone(p.Dirs)
	for i, dir := range p.Dirs {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			p.Dirs[i] = real
		}
	}
	return p
}

// reasonOf returns what the user should know about a call: where its path leads, why the policy asks, who runs such a file,
// and why the call would fail anyway.
func reasonOf(l *loop, p permission.Policy, d permission.Decision, kind toolview.Kind, j *tool.Job, problem error) string {
	var reasons []string
	for _, place := range placesOf(j) {
		reasons = append(reasons, l.ws.Leads(place))
	}
	reasons = append(reasons, d.Reason)
	if kind == toolview.Edit {
		for i, place := range placesOf(j) {
			path := place.Path
			if i == 0 {
				path = j.Ask.Path
			}
			guarded := p.Guarded(path)
			if guarded == "" && place.Real != "" {
				guarded = p.Guarded(place.Real)
			}
			reasons = append(reasons, guarded)
		}
	}
	reasons = append(reasons, p.Locked)
	if problem != nil {
		reasons = append(reasons, "This call will fail: "+problem.Error())
	}
	var said string
	for _, r := range reasons {
		if r != "" && !strings.Contains(said, r) {
			said = strings.TrimPrefix(said+" "+r, " ")
		}
	}
	return said
}

// mayRead reports whether the model may read, without asking, what the call would change.
func mayRead(p permission.Policy, j *tool.Job) bool {
	return decideAll(p, files.Read.Kind, session.PermissionAsk{Tool: files.Read.Name, Path: j.Ask.Path}, placesOf(j)).Ruling == permission.Allow
}

// askPermission asks the user about a call. It returns false and the outcome of a call that they refuse. hooked means that a hook wants
// it asked.
func askPermission(ctx context.Context, l *loop, kind toolview.Kind, id session.CallID, j *tool.Job, hooked bool) (tool.Outcome, bool) {
	l.c.hooks.Notify("permission_prompt", "parley needs your permission to use "+j.Ask.Tool)
	v := putToUser(ctx, l, session.Asked{Kind: session.AskPermission, Call: id, Permission: &j.Ask}, askedFor{kind, placesOf(j), l.ws, hooked})
	if v.How == session.SettledCancelled {
		return tool.Cancelled, false
	}
	if v.Answer.Decision == session.Allow {
		j.Message = v.Answer.Message
		if v.Ruling != nil { // a rule, in the user's place
			j.Instead = v.Ruling.Run
		}
		return tool.Outcome{}, true
	}
	text := refusedNote
	switch {
	case v.Ruling != nil:
		return denied(*v.Ruling), false
	case v.How == session.SettledUnattended:
		text = v.Answer.Message
	case v.Answer.Message != "":
		text = refusedSay + v.Answer.Message
	}
	return tool.Outcome{How: session.ToolDenied, Result: session.ToolResult{Text: text}}, false
}
