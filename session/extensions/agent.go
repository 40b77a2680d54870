package extensions

import (
	"cmp"
	"encoding/json"

	"parley/session"
	"parley/session/trust"
)

// Why the servers of a custom agent are not used.
const (
	inPlugin = "an agent of a plugin brings no servers: the plugin's own file has them"
	inside   = "its agent's file is in this project: choose the agent by its name"
)

// OfAgent returns the servers that the file of a custom agent describes, in the order of their names. Those of a repository's file are
// off unless the user trusts the directory, and so are those of a file in it that was not found as one of its agents.
func (p Places) OfAgent(dir string, a session.CustomAgent, trusted bool) []Server {
	var servers map[string]json.RawMessage
	if len(a.Servers) == 0 || json.Unmarshal(a.Servers, &servers) != nil {
		return nil
	}
	f := finder{places: p, dir: dir, runs: dir}
	if !trusted {
		f.runs = p.Home
	}
	if p.Claude != nil {
		f.offIn = p.Claude()
		f.off = trust.ReadUserServers(f.offIn, dir, p.Home).Off
	}
	within := given(dir, p.Home, a)
	f.addAll(servers, a.Path, within || a.Origin != session.CustomUser && a.Origin != session.CustomGiven)
	why := Refused(dir, p.Home, a, trusted)
	for i := range f.found {
		s := &f.found[i]
		s.Project, s.Agents = within || a.Origin == session.CustomRepository, []string{a.Name}
		s.Why = cmp.Or(why, s.Why)
	}
	return f.found
}

// Refused returns why no server of a custom agent is used in a directory, whichever agent it is for; empty for one whose servers may be.
func Refused(dir, home string, a session.CustomAgent, trusted bool) (why string) {
	switch {
	case a.Origin == session.CustomPlugin:
		return inPlugin
	case given(dir, home, a):
		return inside
	case a.Origin == session.CustomRepository && !trusted:
		return notAgreed
	}
	return ""
}

// given reports whether the user named the file of an agent, and it lies in the directory's repository.
func given(dir, home string, a session.CustomAgent) bool {
	return a.Origin == session.CustomGiven && trust.Within(dir, home, a.Path)
}
