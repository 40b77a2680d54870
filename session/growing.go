package session

import "strings"

// growing is a text that is appended to. A text of one piece is that piece, not a copy, so that all transcripts folded
// from a stored session, whose pieces are joined, share its texts. It must not be copied once it has several pieces.
type growing struct {
	piece string
	more  strings.Builder // everything, once there is more than one piece
}

// WriteString appends s.
func (g *growing) WriteString(s string) {
	switch {
	case g.more.Len() > 0:
		g.more.WriteString(s)
	case g.piece == "":
		g.piece = s
	case s != "":
		g.more.WriteString(g.piece)
		g.more.WriteString(s)
		g.piece = ""
	}
}

// extend appends s. If whole, which ends with s, has the text before it, it is kept in the place of both, so that all who
// read the same stream share one text.
func (g *growing) extend(s, whole string) {
	if at := len(whole) - len(s) - g.Len(); at >= 0 && whole != "" && whole[at:len(whole)-len(s)] == g.String() {
		*g = growing{piece: whole[at:]}
		return
	}
	g.WriteString(s)
}

// String returns the whole text without copying it.
func (g *growing) String() string {
	if g.more.Len() > 0 {
		return g.more.String()
	}
	return g.piece
}

// compact returns the whole text, copied if the buffer is much larger than it.
func (g *growing) compact() string {
	if g.more.Cap() > g.more.Len()+g.more.Len()/8 {
		return strings.Clone(g.more.String())
	}
	return g.String()
}

// Len returns the length of the text in bytes.
func (g *growing) Len() int { return max(len(g.piece), g.more.Len()) }

// Reset empties the text. Strings that String returned before stay valid.
func (g *growing) Reset() { *g = growing{} }
