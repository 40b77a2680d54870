package live

import (
	"fmt"
	"slices"

	"parley/session"
)

// This file holds what an administrator allows. Every mode of every agent passes here: drafts, choices, answers to plans,
// sessions that are resumed or copied, and modes that agents report.

// forbidden returns why the administrator does not allow a mode, "" if it is allowed.
func (d *Deps) forbidden(mode session.Mode) string {
	if d.Modes == nil {
		return ""
	}
	return d.Modes.ModeProblem(mode)
}

// instead returns the mode that holds in the place of one.
func (d *Deps) instead(mode session.Mode) session.Mode {
	if d.Modes == nil {
		return mode
	}
	return d.Modes.InsteadOf(mode)
}

// problem returns why a session of an agent cannot have a mode, "" if it can.
func (d *Deps) problem(a session.Agent, mode session.Mode) string {
	if why := d.forbidden(mode); why != "" {
		return why
	}
	if l, ok := a.(session.ModeLister); ok && mode != "" {
		return l.Unsupported(mode)
	}
	return ""
}

// checkMode returns an error if the administrator or the agent does not allow the mode.
func (d *Deps) checkMode(a session.Agent, mode session.Mode) error {
	if mode != "" && !slices.Contains(session.Modes, mode) {
		return &session.Error{Op: "set mode", Kind: session.KindInvalid, Err: fmt.Errorf("there is no mode %q", mode)}
	}
	if why := d.problem(a, mode); why != "" {
		return session.UnusableMode("set mode "+string(mode), why)
	}
	return nil
}

// limited is the notice for a session whose mode is not allowed.
const limited = "This session was in %s mode, but %s. It is in %s mode now."

// limit replaces a mode that is not allowed, and publishes a notice. why and instead are the words of the limits about the mode. The
// caller holds the lock, or has the only reference.
func (st *state) limit(why string, instead session.Mode) {
	if why == "" || st.settings.Mode == instead {
		return
	}
	was := st.settings.Mode
	if was == "" {
		was = session.ModeDefault
	}
	st.settings.Mode = instead
	st.publish(session.ModeChanged{Head: st.head(""), Mode: instead})
	st.announce(st.notice(session.Warning, fmt.Sprintf(limited, was, why, instead)))
}

// limit brings the session to a mode that is allowed before a prompt is delivered: the policy may have changed. It takes the
// lock.
func (r *runtime) limit() {
	r.state.Lock()
	mode := r.state.settings.Mode
	r.state.Unlock()
	why := r.d.forbidden(mode)
	if why == "" {
		return
	}
	instead := r.d.instead(mode)
	r.state.Lock()
	defer r.state.Unlock()
	if r.state.settings.Mode == mode {
		r.state.limit(why, instead)
		r.configure()
	}
}

// refuseMode brings the agent back from a mode that it reports and that is not allowed. The lock is held.
func (r *runtime) refuseMode(mode session.Mode, why string) {
	r.applied.Mode = mode
	r.state.publish(r.state.notice(session.Warning, fmt.Sprintf("%s mode isn't allowed here (%s). Switched back to %s mode.", mode, why, r.state.settings.Mode)))
	r.configure()
}
