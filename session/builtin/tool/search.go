package tool

import (
	"context"
	"path/filepath"
	"strings"

	"parley/internal/human"
	"parley/session/permission"
)

// Searched is a search below a place that leaves out what may not be read without asking. One goroutine uses it; others use
// forks of it.
type Searched struct {
	// Top is the place.
	Top   Place
	begin func() func(path, real string) permission.Ruling
	hides func(path, real string) permission.Ruling
	// asks reports that the user was asked about the place itself, so that files are left out only if they are denied.
	asks bool
	left int
}

// Search begins a search below a place.
func (w *Workspace) Search(ctx context.Context, top Place) *Searched {
	s := &Searched{Top: top, begin: func() func(path, real string) permission.Ruling { return nil }}
	if w.Hidden != nil {
		s.begin = func() func(path, real string) permission.Ruling { return w.Hidden(ctx) }
	}
	s.hides = s.begin()
	s.asks = s.hides != nil && s.hides(top.Path, top.Real) == permission.Ask
	return s
}

// Fork returns the search for another goroutine. Join adds what it has left out.
func (s *Searched) Fork() *Searched {
	return &Searched{Top: s.Top, begin: s.begin, hides: s.begin(), asks: s.asks}
}

// Join adds the files that a fork has left out.
func (s *Searched) Join(fork *Searched) { s.left += fork.left }

// Rules reports whether there are rules, so that files have to be compared with them.
func (s *Searched) Rules() bool { return s.hides != nil }

// Hide reports whether a file below the place is left out, and counts it.
func (s *Searched) Hide(path string) bool {
	hidden := s.Hides(path)
	if hidden {
		s.left++
	}
	return hidden
}

// Hides is [Searched.Hide] without counting.
func (s *Searched) Hides(path string) bool {
	if s.hides == nil {
		return false
	}
	real := path
	if s.Top.Path != s.Top.Real {
		real = filepath.Join(s.Top.Real, strings.TrimPrefix(path, s.Top.Path))
	}
	ruled := s.hides(path, real)
	return ruled == permission.Deny || ruled == permission.Ask && !s.asks
}

// Note returns a line about the files that were left out, "" for none.
func (s *Searched) Note() string {
	if s.left == 0 {
		return ""
	}
	return "(left out " + human.Count(s.left, "file", "files") + ", which may not be read without asking)\n"
}
