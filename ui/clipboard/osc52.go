package clipboard

import (
	"encoding/base64"
	"strings"
)

// maxSequence is the most bytes of text that are sent as a sequence. xterm and those that follow it take no more than
// 100,000 bytes of the encoded form, and cut or drop what is longer.
const maxSequence = 74_994

// Multiplexer is a program that may stand between this one and the terminal.
type Multiplexer uint8

// The multiplexers that need sequences in a wrapping of theirs.
const (
	NoMultiplexer Multiplexer = iota
	Tmux
	Screen
)

// Sequence returns what makes a terminal put the text on its clipboard, "" if it is longer than maxSequence.
//
// For tmux it is sent twice: bare, which tmux takes for itself and hands on if set-clipboard is on, and wrapped, which
// goes through if allow-passthrough is on. Screen takes no more than 768 bytes of a string, so there it comes in pieces.
func Sequence(text string, m Multiplexer) string {
	if len(text) > maxSequence {
		return ""
	}
	bare := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x07"
	switch m {
	case Tmux:
		return bare + "\x1bPtmux;" + strings.ReplaceAll(bare, "\x1b", "\x1b\x1b") + "\x1b\\"
	case Screen:
		const piece = 240
		var b strings.Builder
		for s := bare; s != ""; {
			n := min(len(s), piece)
			b.WriteString("\x1bP" + s[:n] + "\x1b\\")
			s = s[n:]
		}
		return b.String()
	}
	return bare
}
