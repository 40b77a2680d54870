package edits

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"parley/session"
	"parley/session/edits/image"
)

// NetChange is what several changes of one file come to.
type NetChange struct {
	Path string
	// From is the file before the first of the changes, To after the last one. What others wrote between is part of it.
	From, To image.State
	// Changes are oldest first.
	Changes []ChangeID
	// Status is Undone if all changes are, Open if one is open, otherwise Accepted. Undone changes count only if all are.
	Status Status
	// RenamedFrom is the path that a call of the changes renamed to this one; "" if none did. Then From is the file there,
	// and that path has no net change of its own.
	RenamedFrom string
}

// Net returns what the changes of a scope come to, by file in the order of the paths.
func (l *Log) Net(ctx context.Context, s Scope) ([]NetChange, error) {
	all, err := l.Changes(ctx)
	if err != nil {
		return nil, err
	}
	s = s.resolved()
	return Net(slices.DeleteFunc(all, func(c Change) bool { return !s.Has(c) })), nil
}

// Net returns what changes come to, by file in the order of the paths. It is pure.
func Net(changes []Change) []NetChange {
	byPath := map[string][]Change{}
	for _, c := range changes {
		byPath[c.Path] = append(byPath[c.Path], c)
	}
	var out []NetChange
	for path, list := range byPath {
		n := NetChange{Path: path, Status: Undone}
		if made := slices.DeleteFunc(slices.Clone(list), func(c Change) bool { return c.Status == Undone }); len(made) > 0 {
			list, n.Status = made, Accepted
		}
		for _, c := range list {
			n.Changes = append(n.Changes, c.ID)
			if c.Status == Open || c.Status == "" {
				n.Status = Open
			}
		}
		n.From, n.To = list[0].Before, list[len(list)-1].After
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b NetChange) int { return strings.Compare(a.Path, b.Path) })
	return renamed(out, changes)
}

// renamed joins files that were removed under one path and created under another by the same call.
func renamed(net []NetChange, changes []Change) []NetChange {
	byID := map[ChangeID]int{}
	for i, n := range net {
		for _, id := range n.Changes {
			byID[id] = i
		}
	}
	gone := make([]bool, len(net))
	pairs := Renames(changes)
	for _, created := range slices.Sorted(maps.Keys(pairs)) {
		removed := pairs[created]
		to, okTo := byID[created]
		from, okFrom := byID[removed]
		// Only whole histories are joined: created by the rename, and gone since.
		if okTo && okFrom && net[to].Changes[0] == created && net[from].Changes[len(net[from].Changes)-1] == removed &&
			net[to].From.Kind == image.None && net[from].From.Kind == image.File && net[to].Status == net[from].Status {
			net[to].From, net[to].RenamedFrom = net[from].From, cmp.Or(net[from].RenamedFrom, net[from].Path)
			net[to].Changes = append(slices.Clone(net[from].Changes), net[to].Changes...)
			slices.Sort(net[to].Changes)
			gone[from] = true
		}
	}
	var out []NetChange
	for i, n := range net {
		if !gone[i] {
			out = append(out, n)
		}
	}
	return out
}

// Renames pairs changes of the same call of which one removed a file and the other created one with the same content: by the
// id of the creation, that of the removal. Empty files are not paired. It is pure.
func Renames(changes []Change) map[ChangeID]ChangeID {
	type key struct {
		call session.CallID
		sum  string
	}
	removed := map[key][]ChangeID{}
	for _, c := range changes {
		if c.Before.Kind == image.File && c.After.Kind == image.None && c.Before.Size > 0 && c.Before.Sum != "" && c.Call != "" {
			k := key{c.Call, c.Before.Sum}
			removed[k] = append(removed[k], c.ID)
		}
	}
	pairs := map[ChangeID]ChangeID{}
	for _, c := range changes {
		if c.Before.Kind != image.None || c.After.Kind != image.File {
			continue
		}
		k := key{c.Call, c.After.Sum}
		if list := removed[k]; len(list) > 0 {
			pairs[c.ID], removed[k] = list[0], list[1:]
		}
	}
	return pairs
}

// TurnChanges are the changes of one turn.
type TurnChanges struct {
	Turn session.TurnID
	// Changes are oldest first.
	Changes []Change
}

// ByTurn groups changes by turn, in the order in which the turns first changed something. It is pure.
func ByTurn(changes []Change) []TurnChanges {
	var out []TurnChanges
	at := map[session.TurnID]int{}
	for _, c := range changes {
		i, known := at[c.Turn]
		if !known {
			i = len(out)
			at[c.Turn] = i
			out = append(out, TurnChanges{Turn: c.Turn})
		}
		out[i].Changes = append(out[i].Changes, c)
	}
	return out
}
