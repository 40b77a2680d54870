package live

import "parley/session"

// ExtensionsOf returns what shows the extensions of a session, nothing for nil.
func ExtensionsOf(s *Session) session.Extensions {
	if s == nil {
		return session.Extensions{}
	}
	return s.Extensions()
}

// Extensions returns what shows the extensions of the session: of its open conversation, or of its agent before there is one.
func (s *local) Extensions() session.Extensions {
	if h, is := s.conversation().(session.ExtensionHolder); is {
		return h.Extensions()
	}
	meta := s.Meta()
	return ExtensionsIn(s.m, meta.Agent, meta.Dir)
}

// ExtensionsIn returns what shows the extensions of an agent in a directory, before there is a conversation.
func ExtensionsIn(m *Manager, agent, dir string) session.Extensions {
	if agent == "" {
		return session.Extensions{}
	}
	if f, is := m.agent(agent).(session.ExtensionFinder); is {
		return f.ExtensionsFor(dir)
	}
	return session.Extensions{}
}
