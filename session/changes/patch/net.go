package patch

import (
	"slices"
	"strings"

	"parley/session/changes"
	"parley/session/changes/snapshot"
)

// File is the net effect of several changes on one file.
type File struct {
	// Path is the file, absolute. From is its earlier path, if it was only renamed; "" otherwise.
	Path, From    string
	Before, After snapshot.State
	// Status is Open if any of the changes is, and Undone only if all are.
	Status changes.Status
}

// Net returns what became of the files of some changes of a log, in the order of their paths. Changes are in the order of
// the log. What others did between two changes is part of the difference. Files that are as they were are left out.
func Net(changes []changes.Change) []File {
	byPath := map[string]*File{}
	for _, c := range changes {
		f := byPath[c.Path]
		if f == nil {
			byPath[c.Path] = &File{Path: c.Path, Before: c.Before, After: c.After, Status: c.Status}
			continue
		}
		f.After = c.After
		f.Status = together(f.Status, c.Status)
	}
	var all []File
	for _, f := range byPath {
		if !f.Before.Same(f.After) {
			all = append(all, *f)
		}
	}
	all = renamed(all)
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// together returns the status of two changes of a file.
func together(a, b changes.Status) changes.Status {
	switch {
	case a == changes.Open || b == changes.Open:
		return changes.Open
	case a == b:
		return a
	}
	return changes.Accepted // one is undone, the other accepted
}

// renamed joins each file that is gone with one that is new and has the same content. Empty files are not joined, because
// they say nothing about each other.
func renamed(all []File) []File {
	gone := map[string][]int{} // by content
	for i, f := range all {
		if f.Before.Kind == snapshot.File && f.After.Kind == snapshot.None && f.Before.Size > 0 && f.Before.Sum != "" {
			gone[f.Before.Sum] = append(gone[f.Before.Sum], i)
		}
	}
	for _, list := range gone {
		slices.SortFunc(list, func(a, b int) int { return strings.Compare(all[a].Path, all[b].Path) })
	}
	joined := map[int]bool{}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(all[a].Path, all[b].Path) })
	for _, i := range order {
		f := &all[i]
		if f.Before.Kind != snapshot.None || f.After.Kind != snapshot.File || f.After.Sum == "" {
			continue
		}
		list := gone[f.After.Sum]
		if len(list) == 0 || (all[list[0]].Status == changes.Undone) != (f.Status == changes.Undone) {
			continue
		}
		was := all[list[0]]
		gone[f.After.Sum] = list[1:]
		joined[list[0]] = true
		f.From, f.Before, f.Status = was.Path, was.Before, together(was.Status, f.Status)
	}
	out := make([]File, 0, len(all))
	for i, f := range all {
		if !joined[i] {
			out = append(out, f)
		}
	}
	return out
}
