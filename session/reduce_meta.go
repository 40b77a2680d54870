package session

import (
	"cmp"
	"slices"
)

// dispatchMeta folds what lies outside the turns.
func (t *Transcript) dispatchMeta(e Event) Change {
	switch e := e.(type) {
	case ContextReported:
		t.Context = ContextState{Used: e.Used, Window: cmp.Or(e.Window, t.Context.Window)}
	case LimitReported:
		t.limitReported(e.Quota)
	case TitleChanged:
		t.Title = e.Title
	case TodosChanged:
		t.Todos = e.Todos
	case SessionIDChanged:
		if e.ID == "" {
			return nothing
		}
		t.Session = e.ID
	case ModelChanged:
		return t.modelChanged(e)
	case ModeChanged:
		return t.modeChanged(e)
	case RuntimeChanged:
		return t.runtimeChanged(e)
	default:
		return nothing
	}
	return onMeta
}

func (t *Transcript) limitReported(q Quota) {
	i := slices.IndexFunc(t.Quotas, func(o Quota) bool { return o.Name == q.Name })
	if i < 0 {
		t.Quotas = append(t.Quotas, q)
		return
	}
	t.Quotas[i] = q
}

// modelChanged leaves a mark only for a change that the conversation saw: what it began with is no news.
func (t *Transcript) modelChanged(e ModelChanged) Change {
	if t.Settings.Model == e.Model && t.Settings.Effort == e.Effort {
		return nothing
	}
	if t.Settings.Model == "" { // the agent says which model it takes where the user chose none
		t.Settings.Model, t.Settings.Effort = e.Model, e.Effort
		return onMeta
	}
	t.Settings.Model, t.Settings.Effort = e.Model, e.Effort
	return t.settingChanged(e)
}

func (t *Transcript) modeChanged(e ModeChanged) Change {
	if t.Settings.Mode == e.Mode {
		return nothing
	}
	t.Settings.Mode = e.Mode
	return t.settingChanged(e)
}

func (t *Transcript) settingChanged(e Event) Change {
	if len(t.Turns) == 0 {
		return onMeta
	}
	c := t.mark(e.Header(), &Mark{Event: e})
	c.Meta = true
	return c
}

// runtimeChanged leaves a mark where the runtime went away; that it comes up is seen by its working.
func (t *Transcript) runtimeChanged(e RuntimeChanged) Change {
	if t.Runtime == e.State && e.Detail == "" {
		return nothing
	}
	t.Runtime = e.State
	if e.State != RuntimeExited && e.State != RuntimeRestarting || e.State == RuntimeExited && t.failedBy(e) {
		return onMeta
	}
	c := t.mark(e.Header(), &Mark{Event: e})
	c.Meta = true
	return c
}

// failedBy reports whether a turn has failed with the end of its runtime: that says all there is to say.
func (t *Transcript) failedBy(e RuntimeChanged) bool {
	return slices.ContainsFunc(t.Turns, func(turn *Turn) bool {
		return turn.ID == e.Turn && e.Turn != "" && turn.Problem != nil && turn.Problem.Kind == KindRuntime
	})
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
		tool.it.Started = e.At // the time it waited for the user is not its own
		tool.it.rev++
	}
	if s.at.child != "" {
		t.bump(s.at.child)
	}
	t.Asks = slices.DeleteFunc(t.Asks, func(a *Ask) bool { return a == s.it })
	c := touched(s.at)
	c.Meta = true
	return c
}

func (t *Transcript) queued(e Queued) Change {
	if i := t.waiting(e.Prompt.ID); i >= 0 {
		return nothing
	}
	t.Queue = append(t.Queue, e.Prompt)
	return onMeta
}

// waiting returns the position of a waiting prompt, -1 if it does not wait.
func (t *Transcript) waiting(id PromptID) int {
	return slices.IndexFunc(t.Queue, func(p Prompt) bool { return p.ID == id })
}

// unqueue takes a prompt out of the queue and reports whether it was there.
func (t *Transcript) unqueue(id PromptID) bool {
	i := t.waiting(id)
	if i < 0 {
		return false
	}
	t.Queue = slices.Delete(t.Queue, i, i+1)
	return true
}

func (t *Transcript) unqueued(id PromptID) Change {
	if !t.unqueue(id) {
		return nothing
	}
	return onMeta
}

// requeued moves a waiting prompt to right before another one, or to the end.
func (t *Transcript) requeued(e Requeued) Change {
	from := t.waiting(e.Prompt)
	if from < 0 || e.Before == e.Prompt {
		return nothing
	}
	p := t.Queue[from]
	rest := slices.Delete(slices.Clone(t.Queue), from, from+1)
	to := slices.IndexFunc(rest, func(o Prompt) bool { return o.ID == e.Before })
	if to < 0 {
		to = len(rest)
	}
	if to == from {
		return nothing
	}
	t.Queue = slices.Insert(rest, to, p)
	return onMeta
}

// steered moves a waiting prompt into the running turn, as a mark that keeps its words.
func (t *Transcript) steered(e Steered) Change {
	i := t.waiting(e.Prompt)
	if i < 0 {
		return nothing
	}
	p := t.Queue[i]
	t.unqueue(e.Prompt)
	c := t.mark(e.Head, &Mark{Event: e, Prompt: &p})
	c.Meta = true
	return c
}
