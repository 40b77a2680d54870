package live

import "parley/session"

// receive handles an event of the conversation opened as speaker, without blocking. The tracker of files gets the end of
// each call once it is published. It takes the lock.
func (r *runtime) receive(speaker session.Generation, e session.Event) {
	if e == nil {
		return
	}
	ended, ends := e.(session.ToolEnded)
	if ends {
		e = withoutBefore(ended)
	}
	r.take(speaker, e)
	if ends && !isRemote(r.agent) { // work at a service changes no file here
		r.files.ended(ended)
	}
}

// take applies an event, and drops one of a conversation that was given up or of an older generation. It takes the lock.
func (r *runtime) take(speaker session.Generation, e session.Event) {
	st, forbidden := r.state, ""
	if e, ok := e.(session.ModeChanged); ok {
		forbidden = r.d.forbidden(e.Mode)
	}
	st.Lock()
	defer st.Unlock()
	h := e.Header()
	if speaker != r.speaker || h.Gen != 0 && h.Gen < st.gen {
		return
	}
	st.gen = max(st.gen, h.Gen)
	r.meter.Note(e)
	switch e := e.(type) {
	case session.TurnStarted:
		if st.beginTurn(e); st.queue.Current == nil { // the agent's own
			st.capped = nil
			r.charge(e)
		}
	case session.CreditsReported:
		st.publish(e)
		r.charge(e)
	case session.PartStarted, session.ToolStarted, session.RetryScheduled:
		st.publish(e)
		if r.meter.Last {
			r.charge(e)
		}
	case session.TurnEnded:
		st.endTurn(e)
	case session.Asked:
		if a := st.ask(e); a != nil && r.d.Unattended {
			r.refuse(a)
		}
	case session.Settled:
		st.settle(e)
	case session.Steered:
		st.queue.Take(e.Prompt)
		st.publish(e)
	case session.Queued, session.Unqueued, session.Requeued:
		// Only the session changes the queue.
	case session.ModelChanged:
		r.receiveModel(e)
	case session.ModeChanged:
		r.receiveMode(e, forbidden)
	case session.CustomChanged:
		r.receiveCustom(e)
	case session.TitleChanged:
		st.meta.Title = e.Title
		st.publish(e)
	default:
		st.publish(e)
	}
}

// receiveModel records the model that the agent reports, and drops an echo of the known one or of an earlier choice.
func (r *runtime) receiveModel(e session.ModelChanged) {
	s := &r.state.settings
	if r.configuring || e.Model == s.Model && e.Effort == s.Effort {
		return
	}
	s.Model, s.Effort = e.Model, e.Effort
	r.applied.Model, r.applied.Effort = e.Model, e.Effort
	r.state.publish(e)
}

// receiveCustom records the custom agent that the agent reports.
func (r *runtime) receiveCustom(e session.CustomChanged) {
	if r.configuring || e.Custom == r.state.settings.Custom {
		return
	}
	r.state.settings.Custom, r.applied.Custom = e.Custom, e.Custom
	r.state.publish(e)
}

// receiveMode records the mode that the agent reports, unless it is forbidden for the reason given.
func (r *runtime) receiveMode(e session.ModeChanged, forbidden string) {
	if r.configuring || e.Mode == r.state.settings.Mode {
		return
	}
	if forbidden != "" {
		r.refuseMode(e.Mode, forbidden)
		return
	}
	r.state.settings.Mode, r.applied.Mode = e.Mode, e.Mode
	r.state.publish(e)
}
