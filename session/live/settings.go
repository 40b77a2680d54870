package live

import (
	"cmp"
	"context"
	"fmt"

	"parley/internal/crash"
	"parley/session"
)

// choose sets new settings and publishes the changes. The caller holds the lock, or has the only reference.
func (st *state) choose(v session.Settings) {
	old := st.settings
	v.Dirs = cmp.Or(v.Dirs, old.Dirs)
	st.set(v)
	if v.Model != old.Model || v.Effort != old.Effort {
		st.publish(session.ModelChanged{Head: st.head(""), Model: v.Model, Effort: v.Effort})
	}
	if v.Mode != old.Mode {
		st.publish(session.ModeChanged{Head: st.head(""), Mode: v.Mode})
	}
	if v.Custom != old.Custom {
		st.publish(session.CustomChanged{Head: st.head(""), Custom: v.Custom})
	}
	if v.Dirs != old.Dirs {
		st.publish(session.DirsChanged{Head: st.head(""), Dirs: v.Dirs.Or(nil)})
	}
}

// set takes settings over, the chosen directories also into the description.
func (st *state) set(v session.Settings) {
	st.settings, st.meta.Dirs = v, v.Dirs.Or(st.meta.Dirs)
}

// Bound bounds what the conversations that are opened from now on may use. The limits hold in this process and are not
// stored.
func (s *local) Bound(l session.Limits) {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.limits = l
}

// Shape makes the conversations that are opened from now on hold their answers to a JSON Schema, as far as the agent and the
// service can; see [session.OpenOptions]. It holds in this process and is not stored.
func (s *local) Shape(schema string) {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.answer = schema
}

// pinSettings adds all visible settings to the unwritten events, not only the changed ones, so that a choice of another
// process does not replace a permission mode that was not changed here.
func (st *state) pinSettings() {
	model, mode, custom, dirs := false, false, false, false
	for _, e := range st.journal.Unwritten() {
		switch e.(type) {
		case session.ModelChanged:
			model = true
		case session.ModeChanged:
			mode = true
		case session.CustomChanged:
			custom = true
		case session.DirsChanged:
			dirs = true
		}
	}
	if !model && st.settings.Model != "" {
		st.journal.Write(session.ModelChanged{Head: st.head(""), Model: st.settings.Model, Effort: st.settings.Effort})
	}
	if !custom && st.settings.Custom != "" {
		st.journal.Write(session.CustomChanged{Head: st.head(""), Custom: st.settings.Custom})
	}
	if !dirs && st.settings.Dirs != "" {
		st.journal.Write(session.DirsChanged{Head: st.head(""), Dirs: st.settings.Dirs.Or(nil)})
	}
	if !mode && st.settings.Mode != "" {
		st.journal.Write(session.ModeChanged{Head: st.head(""), Mode: st.settings.Mode})
	}
}

// bypassEnded is the notice for a session that another process left in [session.ModeBypass].
const bypassEnded = "This session was in bypass permissions mode, which ends with the process it was chosen in. It is in %s mode now."

// endBypass replaces a [session.ModeBypass] that was not chosen in this process by another mode and publishes a notice. The
// caller holds the lock, or has the only reference.
func (st *state) endBypass(mode session.Mode) {
	if st.settings.Mode != session.ModeBypass {
		return
	}
	st.settings.Mode = cmp.Or(mode, session.ModeDefault)
	st.publish(session.ModeChanged{Head: st.head(""), Mode: st.settings.Mode})
	st.announce(st.notice(session.Warning, fmt.Sprintf(bypassEnded, st.settings.Mode)))
}

// configure sends the conversation the settings if it has others. The lock is held.
func (r *runtime) configure() {
	if r.conv == nil || r.configuring || r.applied == r.state.settings || r.state.closed {
		return
	}
	r.configuring, r.settled = true, make(chan struct{})
	crash.Go(r.sendSettings)
}

// configured waits until the conversation has taken or refused the newest settings, which the next prompt is meant for. It takes
// the lock.
func (r *runtime) configured(ctx context.Context) error {
	r.state.Lock()
	settled := r.settled
	r.state.Unlock()
	if settled != nil {
		select {
		case <-settled:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// sendSettings sends the conversation the newest settings until it has them. Only one runs at a time, so that the newest
// choice arrives last.
func (r *runtime) sendSettings() {
	st := r.state
	for {
		st.Lock()
		conv, want := r.conv, st.settings
		if conv == nil || st.closed || want == r.applied {
			r.configuring = false
			close(r.settled)
			r.settled = nil
			st.Unlock()
			return
		}
		r.applied = want
		st.Unlock()
		err := conv.Configure(r.life, want)
		if err == nil || r.life.Err() != nil {
			continue
		}
		p := session.ProblemOf(err, st.now())
		st.Lock()
		if r.conv == conv {
			st.publish(st.notice(session.Warning, "The new settings were not taken. "+p.What))
		}
		st.Unlock()
	}
}
