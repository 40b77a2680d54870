package worktree

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/worktree"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Command is /worktree in a directory. Trees is nil where there is no git.
type Command struct {
	Look  *style.Look
	Trees *worktree.Trees
	Dir   string
	// Others are the directories of further sessions of the window.
	Others []string
}

// usage says what may stand behind the command.
const usage = "Write /worktree NAME for a session on a branch of its own, NAME copy or NAME move to bring uncommitted changes there, or rm NAME"

// Run lists the trees; behind the command may stand the name of one to begin a session in, and "copy", also called "changes", or "move" to
// bring what is uncommitted into a new one.
func (c Command) Run(args string) panel.Effect {
	words := strings.Fields(args)
	switch {
	case c.Trees == nil:
		return panel.Notice{Text: "Worktrees are not available here", Warn: true}
	case len(words) == 0:
		return panel.Run{Work: c.list}
	case words[0] == "rm" && len(words) == 2:
		return panel.Run{Work: func(ctx context.Context) panel.Effect { return c.drop(ctx, words[1]) }}
	}
	with := worktree.Nothing
	if len(words) == 2 {
		with = map[string]worktree.Bring{"copy": worktree.Copies, "changes": worktree.Copies, "move": worktree.Moves}[words[1]]
	}
	if len(words) > 2 || len(words) == 2 && with == worktree.Nothing {
		return panel.Notice{Text: usage, Warn: true}
	}
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		tree, made, err := c.Trees.Make(ctx, c.Dir, words[0], with)
		if err != nil && !made {
			return c.problem(err)
		}
		said := "On branch " + tree.Branch + " in " + style.ShortPath(tree.Root, c.Look.Home)
		if !made {
			said = "Worktree " + tree.Name + " is there already. " + said
		}
		all := panel.All{panel.Begin{Dir: tree.Dir}, panel.Notice{Text: style.VisibleLine(said)}}
		if err != nil {
			all = append(all, c.problem(err))
		}
		return all
	}}
}

// drop removes a tree by its name, after a question if something would be lost.
func (c Command) drop(ctx context.Context, name string) panel.Effect {
	all, err := c.Trees.List(ctx, c.Dir)
	if err != nil {
		return c.problem(err)
	}
	if _, known := (trees{c, all}).find(name); !known {
		return panel.Notice{Text: "No worktree " + style.VisibleLine(name) + ". /worktree lists them", Warn: true}
	}
	return trees{c, all}.Do(list.Dropped{Row: list.Row{ID: name}})
}

// list opens the list of trees.
func (c Command) list(ctx context.Context) panel.Effect {
	all, err := c.Trees.List(ctx, c.Dir)
	if err != nil {
		return c.problem(err)
	}
	return panel.Push{Panel: list.Open(c.Look, trees{c, all}, ""), Of: "worktree"}
}

func (c Command) problem(err error) panel.Effect {
	return panel.Notice{Text: style.VisibleLine(session.ProblemOf(err, c.Look.Now()).What), Warn: true}
}

// trees lists working trees.
type trees struct {
	c   Command
	all []worktree.Tree
}

// Options returns the texts of the list.
func (l trees) Options() list.Options {
	return list.Options{Title: "Worktrees", One: "worktree", Keys: "enter begin a session there · ctrl+x remove · esc back", Drops: true,
		None: "No worktrees yet. /worktree NAME begins a session on a branch of its own"}
}

// Rows returns the trees with what they have.
func (l trees) Rows() []list.Row {
	var rows []list.Row
	for _, t := range l.all {
		rows = append(rows, list.Row{ID: t.Name, Cells: []string{t.Name, t.Words(), style.VisibleLine(t.Branch)}})
	}
	return rows
}

// find returns a tree by its name.
func (l trees) find(name string) (worktree.Tree, bool) {
	for _, t := range l.all {
		if t.Name == name {
			return t, true
		}
	}
	return worktree.Tree{}, false
}

// Choose begins a session in a tree.
func (l trees) Choose(name string) panel.Effect {
	t, known := l.find(name)
	if !known {
		return nil
	}
	return panel.Begin{Dir: t.Dir}
}

// Do removes a tree, after a question if something would be lost.
func (l trees) Do(a list.Action) panel.Effect {
	drop, is := a.(list.Dropped)
	if !is {
		return nil
	}
	t, known := l.find(drop.Row.ID)
	switch {
	case !known:
		return nil
	case inside(t.Root)(l.c.Dir):
		return panel.Notice{Text: "This session works in " + t.Name + ". /resume one that works elsewhere first", Warn: true}
	case slices.ContainsFunc(l.c.Others, inside(t.Root)):
		return panel.Notice{Text: "In use by a session in /tabs: " + t.Name, Warn: true}
	case t.Idle():
		return l.c.remove(t, false)
	}
	return panel.Push{Panel: list.Open(l.c.Look, removing{l.c, t}, "")}
}

// inside reports whether a directory is a tree's or in it.
func inside(root string) func(dir string) bool {
	return func(dir string) bool { return dir == root || strings.HasPrefix(dir, root+string(filepath.Separator)) }
}

// remove removes a tree, and shows in an open list what is left.
func (c Command) remove(t worktree.Tree, lose bool) panel.Effect {
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		if err := c.Trees.Remove(ctx, c.Dir, t.Name, lose); err != nil {
			return c.problem(err)
		}
		removed := panel.Notice{Text: "Removed worktree " + t.Name}
		if back := t.Back(); back != "" {
			removed.Text += ". `" + back + "` brings its commits back"
		}
		all, err := c.Trees.List(ctx, c.Dir)
		if err != nil {
			return removed
		}
		return panel.All{panel.Tell{Msg: list.Fresh{Source: trees{c, all}}}, removed}
	}}
}

// removing asks whether to remove a tree with something that nothing else has.
type removing struct {
	c    Command
	tree worktree.Tree
}

// Options returns the texts of the list.
func (l removing) Options() list.Options {
	return list.Options{Title: "Remove worktree " + l.tree.Name + "?", Text: style.VisibleLine("It has " + l.tree.Words() + ". " + l.tree.Loses()), Keys: list.ChooseKeys, Sure: true}
}

// Rows returns the choices, the harmless one first.
func (l removing) Rows() []list.Row {
	return []list.Row{{ID: "keep", Cells: []string{"Keep it"}}, {ID: "remove", Cells: []string{"Remove it with all that it has"}}}
}

// Choose removes the tree, or keeps it.
func (l removing) Choose(id string) panel.Effect {
	if id != "remove" {
		return nil
	}
	return l.c.remove(l.tree, true)
}
