package attention

import (
	"strconv"
	"strings"
	"unicode"
)

// The bell, and what saves the title of the window and brings it back. Terminals without a stack of titles do nothing.
const (
	BellSequence = "\a"
	SaveTitle    = "\x1b[22;2t"
	RestoreTitle = "\x1b[23;2t"
)

// Notice returns the sequence for a notification, with the bell for terminals that know nothing else. The bell is rung in
// a multiplexer too, since that marks the window in its status line.
func (t Terminal) Notice(title, text string) string {
	title, text = clean(title, 80), clean(text, 200)
	seq := ""
	switch t.Notify {
	case OSC9:
		both := strings.TrimPrefix(title+": "+text, ": ")
		if both = strings.TrimSuffix(both, ": "); startsWithNumber(both) {
			both = " " + both // ConEmu's commands begin with one
		}
		seq = osc("9;" + both)
	case OSC777:
		seq = osc("777;notify;" + strings.ReplaceAll(title, ";", ",") + ";" + text)
	case OSC99:
		seq = osc("99;i=parley:d=0;"+title) + osc("99;i=parley:d=1:p=body;"+text)
	default:
		return BellSequence
	}
	seq = t.through(seq)
	if t.Inside != None {
		seq += BellSequence
	}
	return seq
}

// State is a form in which progress is shown.
type State uint8

// The states of progress, by their numbers in OSC 9;4.
const (
	Done    State = iota // nothing is shown
	Running              // so many percent
	Failed               // red
	Busy                 // the share is not known
	Paused               // yellow: the user is waited for
)

// Working returns the sequence that shows progress, "" if the terminal shows none. percent counts for Running, Failed and
// Paused. Some terminals forget it after a while without news.
func (t Terminal) Working(s State, percent int) string {
	if !t.Progress || s > Paused {
		return ""
	}
	p := "9;4;" + strconv.Itoa(int(s))
	if s != Done && s != Busy {
		p += ";" + strconv.Itoa(min(max(percent, 0), 100))
	} else {
		p += ";0"
	}
	return t.through(osc(p))
}

// Title returns the sequence that sets the title, "" if there is nothing to set. In tmux it is the title of the pane.
func (t Terminal) Title(title string) string {
	title = clean(title, 200)
	if !t.Titles || title == "" {
		return ""
	}
	return osc("2;" + title)
}

func osc(s string) string { return "\x1b]" + s + "\x1b\\" }

// through wraps a sequence so that it gets through a multiplexer to the terminal. Tmux does so if allow-passthrough is
// on, screen always does.
func (t Terminal) through(seq string) string {
	switch t.Inside {
	case Tmux:
		return "\x1bPtmux;" + strings.ReplaceAll(seq, "\x1b", "\x1b\x1b") + "\x1b\\"
	case Screen: // ends at the first string terminator, so the sequence within ends with a bell
		return "\x1bP" + strings.ReplaceAll(seq, "\x1b\\", "\a") + "\x1b\\"
	}
	return seq
}

// clean makes a text fit for a sequence: one line without control and format characters, not too long.
func clean(s string, limit int) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.Join(strings.Fields(s), " ") {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			continue
		}
		if n++; n > limit {
			b.WriteString("...")
			break
		}
		b.WriteRune(byteSafe(r))
	}
	return b.String()
}

// byteSafe replaces a character whose UTF-8 holds the byte 0x9c: terminals that look for the end of a string byte by byte end
// it there, and show the rest of it as text.
func byteSafe(r rune) rune {
	switch s := string(r); {
	case strings.IndexByte(s, 0x9c) < 0:
		return r
	case r == '“':
		return '"'
	}
	return '·'
}

func startsWithNumber(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
