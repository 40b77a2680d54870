package md

import (
	"time"

	"parley/ui/md/highlight"
)

// Highlighter holds the colors of code and the queue of code to lex; see [highlight.Highlighter].
type Highlighter = highlight.Highlighter

// HighlightResult is the result of a job of a Highlighter.
type HighlightResult = highlight.Result

// NewHighlighter returns an empty highlighter with a clock for the pace of growing blocks.
func NewHighlighter(now func() time.Time) *Highlighter { return highlight.New(now) }

// HighlightAtOnce returns a highlighter that lexes within the layout, for printed output.
func HighlightAtOnce() *Highlighter { return highlight.AtOnce() }
