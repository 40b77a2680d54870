package live

import "parley/session"

// ExtensionsOf returns what shows the extensions of a session: of its open conversation, or of its agent before there is one.
func ExtensionsOf(s *Session) session.Extensions {
	if s == nil {
		return session.Extensions{}
	}
	if h, is := s.conversation().(session.ExtensionHolder); is {
		return h.Extensions()
	}
	if f, is := s.agent.(session.ExtensionFinder); is {
		return f.ExtensionsFor(s.Meta().Dir)
	}
	return session.Extensions{}
}
