package live

import "parley/session"

// ServersOf returns what shows and switches the MCP servers of a session: of its open conversation, or of its agent before there is
// one. It is nil for an agent that shows none.
func ServersOf(s *Session) session.ServerKeeper {
	if s == nil {
		return nil
	}
	if h, is := s.conversation().(session.ServerHolder); is {
		return h.Servers()
	}
	if f, is := s.agent.(session.ServerFinder); is {
		return f.ServersFor(s.Meta().Dir)
	}
	return nil
}
