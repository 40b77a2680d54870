package session

import (
	"cmp"
	"slices"
)

// dispatchMeta folds events about something outside the turns.
func (t *Transcript) dispatchMeta(e Event) Change {
	switch e := e.(type) {
	case ContextReported:
		t.Context = ContextState{Used: e.Used, Window: cmp.Or(e.Window, t.Context.Window)}
	case LimitReported:
		t.Quotas = withQuota(t.Quotas, e.Quota)
	case TitleChanged:
		t.Title = e.Title
	case TodosChanged:
		t.Todos = e.Todos
	case RemoteChanged:
		t.Remote = &e.Remote
	case SessionIDChanged:
		if e.ID == "" {
			return nothing
		}
		t.Session = e.ID
	case ModelChanged, ModeChanged, CustomChanged, DirsChanged:
		after, _ := t.Settings.After(e)
		return t.settingsChanged(e, after)
	case RuntimeChanged:
		return t.runtimeChanged(e)
	default:
		return nothing
	}
	return onMeta
}

// settingsChanged leaves a mark for a change within the conversation. The settings at its beginning, and the model that
// the agent chose in place of the user, leave none.
func (t *Transcript) settingsChanged(e Event, after Settings) Change {
	before := t.Settings
	if after == before {
		return nothing
	}
	t.Settings = after
	if _, isModel := e.(ModelChanged); len(t.Turns) == 0 || isModel && before.Model == "" {
		return onMeta
	}
	c := t.mark(e.Header(), &Mark{Event: e})
	c.Meta = true
	return c
}

// runtimeChanged leaves a mark for the end and the restart of a runtime.
func (t *Transcript) runtimeChanged(e RuntimeChanged) Change {
	if t.Runtime == e.State && e.Detail == "" {
		return nothing
	}
	t.Runtime = e.State
	if e.State != RuntimeExited && e.State != RuntimeRestarting {
		return onMeta
	}
	if s := t.index.turns[e.Turn]; s != nil && e.State == RuntimeExited && t.Turns[s.at].failedWith(KindRuntime) {
		return onMeta // the turn's problem reports it
	}
	c := t.mark(e.Header(), &Mark{Event: e})
	c.Meta = true
	return c
}

func (t *Transcript) asked(e Asked) Change {
	if t.index.asks[e.Ask] != nil {
		return nothing
	}
	a := &Ask{Asked: e, rev: 1}
	s := &spot[*Ask]{it: a, at: t.put(e.Head, a), said: e.Turn, announced: true}
	if t.index.asks == nil {
		t.index.asks = map[AskID]*spot[*Ask]{}
	}
	t.index.asks[e.Ask] = s
	t.Asks = append(t.Asks, a)
	turn := t.Turns[s.at.turn]
	at := len(turn.Asks)
	for at > 0 && turn.Asks[at-1].At.After(a.At) {
		at--
	}
	turn.Asks = slices.Insert(turn.Asks, at, a)
	c := touched(s.at)
	c.Meta = true
	return c
}

func (t *Transcript) settled(e Settled) Change {
	s := t.index.asks[e.Ask]
	if s == nil || s.it.Settled {
		return nothing
	}
	s.it.Settled, s.it.Settlement = true, e
	s.it.rev++
	if tool := t.index.tools[s.it.Call]; tool != nil && e.Answer.Decision == Allow && !tool.it.Ended {
		tool.it.Started, tool.it.answered = e.At, true // the wait for the user does not count
		tool.it.rev++
	}
	t.index.bump(s.at.child)
	t.Asks = slices.DeleteFunc(t.Asks, func(a *Ask) bool { return a == s.it })
	c := touched(s.at)
	c.Meta = true
	return c
}

// steered moves a waiting prompt into the running turn, as a mark with the prompt.
func (t *Transcript) steered(e Steered) Change {
	p, waited := t.Queue.remove(e.Prompt)
	switch {
	case e.Said != nil:
		p = *e.Said
	case !waited:
		return nothing
	}
	c := t.mark(e.Head, &Mark{Event: e, Prompt: &p})
	c.Meta = waited
	return c
}

// revocations are the rules that were revoked. The ask of one may be unknown, or come later.
type revocations map[Revocation]bool

// add adds a rule, and reports whether it was new.
func (r *revocations) add(rule Revocation) bool {
	if (*r)[rule] {
		return false
	}
	if *r == nil {
		*r = revocations{}
	}
	(*r)[rule] = true
	return true
}

// withQuota replaces the quota of the same name, or adds one.
func withQuota(quotas []Quota, q Quota) []Quota {
	i := slices.IndexFunc(quotas, func(o Quota) bool { return o.Name == q.Name })
	if i < 0 {
		return append(quotas, q)
	}
	quotas[i] = q
	return quotas
}
