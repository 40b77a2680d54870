package tool

import (
	"context"
	"path/filepath"
	"strings"

	"parley/internal/human"
	"parley/session/permission"
)

// Searched is a search below a place that leaves out what may not be read without asking.
type Searched struct {
	// Top is the place.
	Top   Place
	hides func(path, real string) permission.Ruling
	// asks means that the user was asked about the place itself, so that files are left out only if they are denied.
	asks bool
	left int
}

// Search begins a search below a place.
func (w *Workspace) Search(ctx context.Context, top Place) *Searched {
	s := &Searched{Top: top}
	if w.Hidden != nil {
		s.hides = w.Hidden(ctx)
	}
	s.asks = s.hides != nil && s.hides(top.Path, top.Real) == permission.Ask
	return s
}

// Hide reports whether a file below the place is left out, and counts it. Only one goroutine calls it.
func (s *Searched) Hide(path string) bool {
	if s.hides == nil {
		return false
	}
	ruled := s.hides(path, filepath.Join(s.Top.Real, strings.TrimPrefix(path, s.Top.Path)))
	hidden := ruled == permission.Deny || ruled == permission.Ask && !s.asks
	if hidden {
		s.left++
	}
	return hidden
}

// Note returns a line about the files that were left out, "" for none.
func (s *Searched) Note() string {
	if s.left == 0 {
		return ""
	}
	return "(left out " + human.Count(s.left, "file", "files") + ", which may not be read without asking)\n"
}
