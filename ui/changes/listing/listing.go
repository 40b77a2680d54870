package listing

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
	"parley/ui/style"
)

// Row is a turn, a file, or what a turn did to a file. Its texts are not made visible.
type Row struct {
	// Key names the row among those of its grouping. It stays the same while changes are added.
	Key string
	// Head is set for a row with others below it; Under for those.
	Head, Under bool
	// Turn, Number and Prompt are of the turn; empty in the row of a file.
	Turn   session.TurnID
	Number int
	Prompt string
	// Path is the absolute path of the file, "" in the row of a turn.
	Path string
	// Changes are the changes of the row, oldest first.
	Changes []changes.Change
	// Files is the number of files that they changed.
	Files int
	// By is the child agent or the command that made them all, "" for edits of the session's agent.
	By string
	// Net is set where the row shows the difference between the first state and the last, by all who made it.
	Net bool
}

// Span is a difference: what a file was and what it became.
type Span struct {
	Path     string
	From, To snapshot.State
}

// ByTurn returns the changes grouped by turn, the newest first, with the files of each below it in the order of their first
// change.
func ByTurn(all []changes.Change, n Names) []Row {
	turns, of := group(all, func(c changes.Change) string { return string(c.Turn) })
	var rows []Row
	for _, id := range slices.Backward(turns) {
		made := of[id]
		head := Row{Key: "turn " + id, Head: true, Turn: session.TurnID(id), Changes: made}
		head.Number, head.Prompt = n.Turn(head.Turn)
		paths, byPath := group(made, func(c changes.Change) string { return c.Path })
		head.Files = len(paths)
		rows = append(rows, head)
		for _, p := range paths {
			rows = append(rows, Row{Key: "turn " + id + " " + p, Under: true, Turn: head.Turn, Number: head.Number, Prompt: head.Prompt, Path: p,
				Changes: byPath[p], Files: 1, By: n.by(byPath[p])})
		}
	}
	return rows
}

// ByFile returns the changes grouped by file, in the order of their paths. Turns stand below a file that several changed, the
// newest first.
func ByFile(all []changes.Change, n Names) []Row {
	paths, of := group(all, func(c changes.Change) string { return c.Path })
	slices.Sort(paths)
	var rows []Row
	for _, p := range paths {
		turns, byTurn := group(of[p], func(c changes.Change) string { return string(c.Turn) })
		rows = append(rows, Row{Key: "file " + p, Head: len(turns) > 1, Path: p, Changes: of[p], Files: 1, By: n.by(of[p]), Net: true})
		if len(turns) < 2 {
			continue
		}
		for _, id := range slices.Backward(turns) {
			r := Row{Key: "file " + p + "\x00" + id, Under: true, Turn: session.TurnID(id), Path: p, Changes: byTurn[id], Files: 1, By: n.by(byTurn[id])}
			r.Number, r.Prompt = n.Turn(r.Turn)
			rows = append(rows, r)
		}
	}
	return rows
}

// group sorts changes into groups, whose keys it returns in the order of their first change.
func group(all []changes.Change, key func(changes.Change) string) (keys []string, of map[string][]changes.Change) {
	of = map[string][]changes.Change{}
	for _, c := range all {
		k := key(c)
		if _, known := of[k]; !known {
			keys = append(keys, k)
		}
		of[k] = append(of[k], c)
	}
	return keys, of
}

// by returns the child agent or the command that made all of some changes, "" for none or several.
func (n Names) by(all []changes.Change) string {
	who := ""
	for i, c := range all {
		s := ""
		switch {
		case c.Command != "":
			s = "$ " + style.OneLine(strings.TrimSpace(c.Command))
		case c.Child != "":
			s = n.Child(c.Child)
		}
		if i > 0 && s != who {
			return ""
		}
		who = s
	}
	return who
}

// Short returns a path as it is shown: relative to the session's directory, or to the user's.
func (n Names) Short(path string) string {
	if n.Dir != "" {
		if rel, err := filepath.Rel(n.Dir, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return filepath.ToSlash(rel)
		}
	}
	return style.ShortPath(path, n.Home)
}

// Status returns what the user's choices left of a row: open if anything is, else accepted if anything is.
func (r Row) Status() changes.Status {
	s := changes.Undone
	for _, c := range r.Changes {
		switch c.Status {
		case changes.Open:
			return changes.Open
		case changes.Accepted:
			s = changes.Accepted
		}
	}
	return s
}

// Scope selects the changes of the row.
func (r Row) Scope() changes.Scope {
	var s changes.Scope
	for _, c := range r.Changes {
		s.Changes = append(s.Changes, c.ID)
	}
	return s
}

// Paths returns the files of the row, in the order of their first change.
func (r Row) Paths() []string {
	paths, _ := group(r.Changes, func(c changes.Change) string { return c.Path })
	return paths
}

// Spans returns the differences that the row shows, file by file: of what is not undone, or of all if everything is. What is
// written between two changes by someone else is in no difference, except in that of a file as a whole.
func (r Row) Spans() []Span {
	paths, of := group(r.Changes, func(c changes.Change) string { return c.Path })
	var spans []Span
	for _, p := range paths {
		made := standing(of[p])
		if r.Net {
			spans = append(spans, Span{p, made[0].Before, made[len(made)-1].After})
			continue
		}
		for i, c := range made {
			if n := len(spans); i > 0 && spans[n-1].To.Same(c.Before) {
				spans[n-1].To = c.After
				continue
			}
			spans = append(spans, Span{p, c.Before, c.After})
		}
	}
	return spans
}

// standing returns the changes that are not undone, all if everything is.
func standing(all []changes.Change) []changes.Change {
	left := slices.DeleteFunc(slices.Clone(all), func(c changes.Change) bool { return c.Status == changes.Undone })
	if len(left) == 0 {
		return all
	}
	return left
}

// Fixed returns why changes to a file cannot be taken back, as a part of a sentence; "" if they can.
func (r Row) Fixed(path string) string {
	for _, c := range r.Changes {
		switch {
		case c.Path != path || c.Status == changes.Undone:
		case c.Unsure != "":
			return c.Unsure
		case c.Before.Unkept != "":
			return c.Before.Unkept
		case !c.Before.Whole():
			return "what was there before is not kept"
		}
	}
	return ""
}

// Unaccepted returns the number of files with open changes.
func Unaccepted(all []changes.Change) int {
	open := map[string]bool{}
	for _, c := range all {
		if c.Status == changes.Open {
			open[c.Path] = true
		}
	}
	return len(open)
}

// FirstLine returns the first line of a text that is not empty, without blanks around it.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// By returns the child agent or the command that made all changes of a row, "" for none or several.
func (n Names) By(r Row) string { return n.by(r.Changes) }

// Happened returns what a difference did besides changing lines, such as "created", "removed" or "file to link"; "" for nothing.
func Happened(s Span) string {
	switch from, to := s.From, s.To; {
	case from.Kind == snapshot.None && to.Kind == snapshot.None:
		return ""
	case from.Kind == snapshot.None:
		return "created"
	case to.Kind == snapshot.None:
		return "removed"
	case from.Kind != to.Kind:
		return string(from.Kind) + " to " + string(to.Kind)
	}
	return ""
}
