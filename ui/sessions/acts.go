package sessions

import (
	"context"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/session/export"
	"parley/session/sources"
	"parley/session/store/marks"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// The keys of what can be done with a session besides opening it.
const (
	keyRename = "ctrl+r"
	keyFork   = "ctrl+f"
	keyExport = "ctrl+s"
	keyDelete = "ctrl+x"

	keyTag     = "alt+t"
	keyPin     = "alt+p"
	keyArchive = "alt+a"
	keyUndo    = "alt+u"
	keyTool    = "alt+o"
)

var offers = []list.Offer{{Name: "rename", Letter: "r", Key: keyRename}, {Name: "tag", Letter: "t", Key: keyTag}, {Name: "pin", Letter: "p", Key: keyPin},
	{Name: "archive", Letter: "a", Key: keyArchive}, {Name: "fork", Letter: "f", Key: keyFork}, {Name: "export", Letter: "e", Key: keyExport}, {Name: "app", Letter: "o", Key: keyTool},
	{Name: "delete", Letter: "d", Key: keyDelete}, {Name: "undo", Letter: "u", Key: keyUndo, Rowless: true}}

// Do carries out an act.
func (l Sessions) Do(a list.Action) panel.Effect {
	acted, is := a.(list.Acted)
	if !is {
		return nil
	}
	if acted.Key == keyUndo {
		return l.undo(acted.Row.ID)
	}
	s, known := l.find(acted.Row.ID)
	if !known {
		return nil
	}
	if !s.Deleted.IsZero() {
		return l.onDeleted(s, acted.Key)
	}
	switch acted.Key {
	case keyFork:
		if !l.Manager.CanFork(s.Agent) {
			return panel.Notice{Text: core.AgentTitle(s.Agent) + " can't fork sessions", Warn: true}
		}
		return panel.All{panel.Pop{}, panel.Fork{Session: s.ID}}
	case keyRename:
		return panel.Push{Panel: list.Open(l.Look, nameField{session: s, manager: l.Manager}, s.Headline()), Of: "rename"}
	case keyExport:
		return l.export(s)
	case keyTool:
		command := sources.Command(s.Agent, s.ID, s.Dir)
		switch {
		case sources.Marked(s.ID):
			return panel.Notice{Text: core.AgentTitle(s.Agent) + " might open another session: this one has the same id", Warn: true}
		case command == "":
			return panel.Notice{Text: "It is parley's own. enter opens it", Warn: true}
		}
		return panel.Copy{What: style.VisibleLine(command), Text: command}
	case keyTag:
		return panel.Push{Panel: list.Open(l.Look, tagField{session: s, manager: l.Manager}, strings.Join(s.Tags, " ")), Of: "tags"}
	case keyPin:
		return l.mark(s, map[bool]string{true: "Pinned", false: "No longer pinned"}[!s.Pinned], func(m *marks.Marks) { m.Pinned = !s.Pinned })
	case keyArchive:
		return l.mark(s, map[bool]string{true: "Archived; is:archived shows it", false: "Listed again"}[!s.Archived], func(m *marks.Marks) { m.Archived = !s.Archived })
	}
	return l.askRemove(s)
}

// find returns the session of a row.
func (l Sessions) find(key string) (session.Meta, bool) {
	i := slices.IndexFunc(l.All, func(s session.Meta) bool { return keyOf(s) == key })
	if i < 0 {
		return session.Meta{}, false
	}
	return l.All[i], true
}

// change returns the list after a change of its sessions, with its rows made again if they were made. The selection stays at its
// place.
func (l Sessions) change(change func([]session.Meta) []session.Meta) Sessions {
	l.All = change(slices.Clone(l.All))
	if l.rows != nil {
		l.rows = nil
		return l.Made()
	}
	return l
}

// export writes a session into a new file of the directory of the one that is shown.
func (l Sessions) export(s session.Meta) panel.Effect {
	m, home, path := l.Manager, l.Home, core.ExportPath("", l.Dir, l.Home, l.Look.Now())
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		meta, events, err := m.Read(ctx, s.ID)
		if err == nil {
			err = core.Export(path, meta, events, export.NewOptions("md"))
		}
		if err != nil {
			return failure("Couldn't export: ", err)
		}
		return panel.Notice{Text: "Exported to " + style.ShortPath(path, home)}
	}}
}

// failure returns a notice of why something was not done.
func failure(what string, err error) panel.Effect {
	return panel.Notice{Text: what + style.VisibleLine(session.ProblemOf(err, time.Now()).What), Warn: true}
}
