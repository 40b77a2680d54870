package session

import "strings"

// growing is a text that is appended to. As long as it consists of one piece it is that piece, not a copy: a stored
// session, whose pieces are joined, holds every text once, however many transcripts are folded from it. It must not be
// copied once it consists of more.
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

// String returns the whole text without copying it.
func (g *growing) String() string {
	if g.more.Len() > 0 {
		return g.more.String()
	}
	return g.piece
}

// compact returns the whole text, copied where the buffer is much larger than it.
func (g *growing) compact() string {
	if g.more.Cap() > g.more.Len()+g.more.Len()/8 {
		return strings.Clone(g.more.String())
	}
	return g.String()
}

// Len returns the length of the text in bytes.
func (g *growing) Len() int { return max(len(g.piece), g.more.Len()) }

// joined reports whether the text consists of more than one piece.
func (g *growing) joined() bool { return g.more.Len() > 0 }

// Reset makes the text empty. What String returned before stays as it was.
func (g *growing) Reset() { *g = growing{} }
