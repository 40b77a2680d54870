package dirs

import (
	"context"
	"slices"
	"strings"

	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Command is /add-dir in a session that works in Dir, and in Dirs beside it, all absolute.
type Command struct {
	Look *style.Look
	Dir  string
	Dirs []string
}

// Run adds the directory that is written behind the command, takes the one back behind "rm", or lists them.
func (c Command) Run(args string) panel.Effect {
	args = strings.TrimSpace(args)
	written, drops := strings.CutPrefix(args, "rm ")
	switch {
	case args == "":
		return panel.Push{Panel: list.Open(c.Look, rows{c}, ""), Of: "add-dir"}
	case drops:
		return panel.Run{Work: func(context.Context) panel.Effect { return c.drop(written) }}
	}
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		path := c.absolute(args)
		dir, why := c.find(ctx, path)
		if why != "" {
			return panel.Notice{Text: why, Warn: true}
		}
		said := "Agents may work in " + c.name(dir) + " too"
		if dir != path {
			said += ", where " + c.name(path) + " leads"
		}
		return panel.SetDirs{Add: dir, Said: said}
	}}
}

// drop takes back the directory that is written: its path, or where that leads. One that is gone from the disk can be taken back too.
func (c Command) drop(written string) panel.Effect {
	path := c.absolute(written)
	for _, one := range []string{path, real(path)} {
		if slices.Contains(c.Dirs, one) {
			return panel.SetDirs{Remove: one, Said: c.removed(one)}
		}
	}
	if path == c.Dir || real(path) == real(c.Dir) {
		return stays
	}
	return panel.Notice{Text: c.name(path) + " is not among the added directories. /add-dir lists them", Warn: true}
}

// stays says that the session's own directory is not taken back.
var stays = panel.Notice{Text: "A session keeps its own directory. Start parley in another one", Warn: true}

func (c Command) removed(dir string) string { return c.name(dir) + " is asked about again" }

// name returns a path as it is shown.
func (c Command) name(path string) string {
	return style.VisibleLine(style.ShortPath(path, c.Look.Home))
}

// rows lists the directories of a session, its own first.
type rows struct{ c Command }

// Options returns the texts of the list.
func (l rows) Options() list.Options {
	return list.Options{Title: "Directories", One: "directory", Keys: "ctrl+x remove · esc back", Drops: true,
		Also: "Add one: /add-dir PATH. Take one back: /add-dir rm PATH"}
}

// Rows returns the directories.
func (l rows) Rows() []list.Row {
	all := []list.Row{{ID: l.c.Dir, Cells: []string{l.c.name(l.c.Dir), "the session's own"}, Mark: true}}
	for _, dir := range l.c.Dirs {
		all = append(all, list.Row{ID: dir, Cells: []string{l.c.name(dir), "added"}})
	}
	return all
}

// Choose says how a directory is taken back.
func (l rows) Choose(id string) panel.Effect {
	if id == l.c.Dir {
		return stays
	}
	return panel.Notice{Text: "Take it back with /add-dir rm " + l.c.name(id)}
}

// Do takes a directory back.
func (l rows) Do(a list.Action) panel.Effect {
	drop, is := a.(list.Dropped)
	switch {
	case !is:
		return nil
	case drop.Row.ID == l.c.Dir:
		return panel.All{panel.Tell{Msg: list.Fresh{Source: l}}, stays}
	}
	left := l.c
	left.Dirs = slices.DeleteFunc(slices.Clone(l.c.Dirs), func(dir string) bool { return dir == drop.Row.ID })
	return panel.All{panel.SetDirs{Remove: drop.Row.ID, Said: l.c.removed(drop.Row.ID)}, panel.Tell{Msg: list.Fresh{Source: rows{left}}}}
}
