package md

import (
	"time"

	"parley/ui/md/highlight"
)

// Highlighter keeps the colors of code and the queue of what waits to be lexed; see [highlight.Highlighter].
type Highlighter = highlight.Highlighter

// HighlightResult is what a job of a Highlighter found.
type HighlightResult = highlight.Result

// NewHighlighter returns an empty highlighter with a clock for the pace of blocks that grow.
func NewHighlighter(now func() time.Time) *Highlighter { return highlight.New(now) }

// HighlightAtOnce returns a highlighter that lexes within the layout, for what is printed rather than shown.
func HighlightAtOnce() *Highlighter { return highlight.AtOnce() }
