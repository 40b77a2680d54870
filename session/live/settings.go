package live

import (
	"cmp"
	"fmt"
	"parley/session"
	"slices"
)

// checkMode returns an error if the agent does not support the mode.
func checkMode(a session.Agent, mode session.Mode) error {
	if mode == "" {
		return nil
	}
	if !slices.Contains(session.Modes, mode) {
		return &session.Error{Op: "set mode", Kind: session.KindInvalid, Err: fmt.Errorf("there is no mode %q", mode)}
	}
	if l, ok := a.(session.ModeLister); ok {
		if why := l.Unsupported(mode); why != "" {
			return session.UnusableMode("set mode "+string(mode), why)
		}
	}
	return nil
}

// Configure changes model, effort and mode from the next request on, and keeps them over restarts. A mode the agent does
// not support is an error of kind [KindUnsupported] that says why. A running conversation is told in the background; what
// it cannot take is told by a notice. A session that is only looked at is stored in the background too, and taken for this
// process by that; where another process has it, a notice says so once and the choice holds here.
func (s *Session) Configure(v session.Settings) error {
	if s.agent != nil {
		if err := checkMode(s.agent, v.Mode); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return &session.Error{Op: "configure", Kind: session.KindInvalid, Err: errClosed}
	}
	s.choose(v)
	s.coolOutdated()
	s.configure()
	s.keepSoon()
	return nil
}

// choose takes over new settings and tells what changed. The lock is held, or nobody else has s yet.
func (s *Session) choose(v session.Settings) {
	old := s.settings
	s.settings = v
	if v.Model != old.Model || v.Effort != old.Effort {
		s.say(session.ModelChanged{Head: s.head(""), Model: v.Model, Effort: v.Effort})
	}
	if v.Mode != old.Mode {
		s.say(session.ModeChanged{Head: s.head(""), Mode: v.Mode})
	}
}

// bypassEnded is the notice for a session that another process left in [ModeBypass].
const bypassEnded = "This session was in bypass permissions mode, which ends with the process it was chosen in. It is in %s mode now."

// endBypass replaces a [ModeBypass] that was not chosen in this process by another mode and says so. The lock is held, or
// nobody else has s yet.
func (s *Session) endBypass(mode session.Mode) {
	if s.settings.Mode != session.ModeBypass {
		return
	}
	s.settings.Mode = cmp.Or(mode, session.ModeDefault)
	s.say(session.ModeChanged{Head: s.head(""), Mode: s.settings.Mode})
	s.show(session.Notice{Head: s.head(""), Severity: session.Warning, Text: fmt.Sprintf(bypassEnded, s.settings.Mode)})
}

// configure tells the conversation the settings if it has others. The lock is held.
func (s *Session) configure() {
	if s.conv == nil || s.configuring || s.opened == s.settings || s.closed {
		return
	}
	s.configuring = true
	go s.tellSettings()
}

// tellSettings tells the conversation the newest settings until it has them. Only one runs at a time, so that what was
// chosen last arrives last.
func (s *Session) tellSettings() {
	ctx := s.life
	for {
		s.mu.Lock()
		conv, want := s.conv, s.settings
		if conv == nil || s.closed || want == s.opened {
			s.configuring = false
			s.mu.Unlock()
			return
		}
		s.opened = want
		s.mu.Unlock()
		err := conv.Configure(ctx, want)
		if err == nil || ctx.Err() != nil {
			continue
		}
		p := session.ProblemOf(err, s.m.d.Now())
		s.mu.Lock()
		if s.conv == conv {
			s.say(session.Notice{Head: s.head(""), Severity: session.Warning, Text: "The new settings were not taken. " + p.What})
		}
		s.mu.Unlock()
	}
}

// hearModel takes over what the agent says it uses. An echo of what is known already, or of what the user has changed
// since, is dropped.
func (s *Session) hearModel(e session.ModelChanged) {
	if s.configuring || e.Model == s.settings.Model && e.Effort == s.settings.Effort {
		return
	}
	s.settings.Model, s.settings.Effort = e.Model, e.Effort
	s.opened.Model, s.opened.Effort = e.Model, e.Effort
	s.say(e)
}

func (s *Session) hearMode(e session.ModeChanged) {
	if s.configuring || e.Mode == s.settings.Mode {
		return
	}
	s.settings.Mode, s.opened.Mode = e.Mode, e.Mode
	s.say(e)
}
