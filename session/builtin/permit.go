package builtin

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission"
	"parley/session/toolview"
)

// The texts that the model reads of the user's decision about a call.
const (
	refusedNote = "The user refused this call. Do not try to do the same in another way; ask what they want instead."
	refusedSay  = "The user refused this call and says: "
	allowedSay  = "The user allowed this call and says: "
	// ruledOut is the result of a call that a rule without a reason denies.
	ruledOut = "Refused: a rule of the user denies this call. Go on without it; do not try to do the same in another way."
)

// permit asks the policy and, if required, the user. It returns false and the outcome of a call that may not run. It
// reads the file that a call would change after the policy has ruled, so that the user sees the change.
func (c *conversation) permit(ctx context.Context, kind toolview.Kind, id session.CallID, j *job) (outcome, bool) {
	policy := c.policy(ctx)
	d := decide(policy, kind, j.ask, j.place)
	if d.Ruling == permission.Deny {
		return denied(d), false
	}
	var problem error
	if j.look != nil {
		if problem = j.look(ctx); ctx.Err() != nil {
			return cancelled, false
		}
		// An error would reveal what is there to a model that may not read it.
		if problem != nil && (d.Ruling == permission.Allow || mayRead(policy, j)) {
			return failed("%s", problem), false
		}
	}
	if d.Ruling == permission.Allow {
		return outcome{}, true
	}
	if problem == nil {
		j.ask.Rules = policy.SuggestRules(judged(kind), j.ask)
	}
	j.ask.Parts, j.ask.Reason = d.Parts, c.reason(policy, d, kind, j, problem)
	if refused, ok := c.askPermission(ctx, kind, id, j); !ok {
		return refused, false
	}
	if problem != nil {
		return j.withMessage(failed("%s", problem)), false
	}
	return outcome{}, true
}

// denied returns the outcome of a call that the policy denies.
func denied(d permission.Decision) outcome {
	text := d.Reason
	if text == "" {
		text = ruledOut
	}
	return outcome{outcome: session.ToolDenied, result: session.ToolResult{Text: text}}
}

// judged returns the kind of call by which the policy judges a tool. A search counts as a read of the place where it begins,
// because it leaves out the files below that may not be read; see [searched].
func judged(kind toolview.Kind) toolview.Kind {
	if kind == toolview.Search {
		return toolview.Read
	}
	return kind
}

// decide rules on a call by the path as written and by where it leads; the stricter ruling holds.
func decide(p permission.Policy, kind toolview.Kind, ask session.PermissionAsk, at place) permission.Decision {
	kind = judged(kind)
	d := p.Decide(kind, ask)
	if d.Ruling == permission.Deny || at.real == "" || at.real == ask.Path {
		return d
	}
	ask.Path = at.real
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

// reason returns what the user should know about a call: where its path leads, why the policy asks, who runs such a file,
// and why the call would fail anyway.
func (c *conversation) reason(p permission.Policy, d permission.Decision, kind toolview.Kind, j *job, problem error) string {
	reasons := []string{c.ws.leads(j.place), d.Reason}
	if kind == toolview.Edit {
		guarded := p.Guarded(j.ask.Path)
		if guarded == "" && j.place.real != "" {
			guarded = p.Guarded(j.place.real)
		}
		reasons = append(reasons, guarded)
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
func mayRead(p permission.Policy, j *job) bool {
	return decide(p, readTool.kind, session.PermissionAsk{Tool: readTool.name, Path: j.ask.Path}, j.place).Ruling == permission.Allow
}

// askPermission asks the user about a call. It returns false and the outcome of a call that they refuse.
func (c *conversation) askPermission(ctx context.Context, kind toolview.Kind, id session.CallID, j *job) (outcome, bool) {
	pending := &pendingAsk{kind: kind, ask: &j.ask, place: j.place, answer: make(chan verdict, 1)}
	v, how := c.putToUser(ctx, session.Asked{Kind: session.AskPermission, Call: id, Permission: &j.ask}, pending)
	if how == session.SettledCancelled {
		return cancelled, false
	}
	if v.answer.Decision == session.Allow {
		j.message = v.answer.Message
		return outcome{}, true
	}
	text := refusedNote
	switch {
	case v.ruling != nil:
		return denied(*v.ruling), false
	case how == session.SettledUnattended:
		text = v.answer.Message
	case v.answer.Message != "":
		text = refusedSay + v.answer.Message
	}
	return outcome{outcome: session.ToolDenied, result: session.ToolResult{Text: text}}, false
}

// withMessage adds what the user said with an allowance to what the model reads of the result. The user's view of it stays
// as it is.
func (j *job) withMessage(out outcome) outcome {
	if strings.TrimSpace(j.message) == "" {
		return out
	}
	read := out.result.Sent
	if read == "" {
		read = out.result.Text
	}
	if strings.TrimSpace(read) == "" {
		read = noOutput
	}
	out.result.Sent = allowedSay + j.message + "\n\n" + read
	return out
}

// putToUser opens an ask, waits for its answer and settles it. The caller fills in what is asked. The answer is zero if the
// ask was cancelled.
func (c *conversation) putToUser(ctx context.Context, asked session.Asked, pending *pendingAsk) (verdict, session.Settlement) {
	asked.Head, asked.Ask = c.head(), session.AskID("ask_"+string(asked.Call))
	c.asks.add(asked.Ask, pending)
	c.out.emit(asked)
	// The mode or the rules may have changed between ruling and asking.
	c.asks.reconsider(c.policy(ctx))
	v, answered := c.asks.wait(ctx, asked.Ask, pending)
	if !answered {
		c.out.emit(session.Settled{Head: c.head(), Ask: asked.Ask, How: session.SettledCancelled, Why: session.WhyInterrupted})
		return verdict{}, session.SettledCancelled
	}
	how := session.SettledAnswered
	if v.answer.Decision != session.Allow && v.answer.Message == session.UnattendedReason {
		how = session.SettledUnattended
	}
	c.out.emit(session.Settled{Head: c.head(), Ask: asked.Ask, How: how, Answer: v.answer, Why: v.why()})
	if v.answer.Decision == session.Allow {
		c.asks.reconsider(c.policy(ctx)) // a new rule may cover others
	}
	return v, how
}
