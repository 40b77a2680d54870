package paint

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A mode is a state of the terminal that the program borrows. Writing take and then give leaves the terminal as it was.
type mode struct {
	name       string
	take, give string
}

// The modes in the order in which they are taken; they are given back in the opposite order. The alternate screen comes
// first because a kitty terminal keeps one keyboard stack per screen: what was pushed there must be popped there.
var (
	altScreen      = mode{"alternate screen", ansi.SetModeAltScreenSaveCursor, ansi.ResetModeAltScreenSaveCursor}
	savedTitle     = mode{"window title", "\x1b[22;2t", "\x1b[23;2t"}
	noWrap         = mode{"rows are cut at the margin", ansi.ResetModeAutoWrap, ansi.SetModeAutoWrap}
	bracketedPaste = mode{"bracketed paste", ansi.SetModeBracketedPaste, ansi.ResetModeBracketedPaste}
	focusEvents    = mode{"focus events", ansi.SetModeFocusEvent, ansi.ResetModeFocusEvent}
	colourScheme   = mode{"light and dark reports", ansi.SetModeLightDark, ansi.ResetModeLightDark}
	otherKeys      = mode{"modifyOtherKeys", ansi.SetModifyOtherKeys2, ansi.ResetModifyOtherKeys}
	kittyKeyboard  = mode{"kitty keyboard, disambiguate", "\x1b[>1u", "\x1b[<1u"}
	mouseButtons   = mode{"mouse buttons", ansi.SetModeMouseButtonEvent, ansi.ResetModeMouseButtonEvent}
	mouseSGR       = mode{"mouse coordinates as text", ansi.SetModeMouseExtSgr, ansi.ResetModeMouseExtSgr}
	cursorHidden   = mode{"hidden cursor", ansi.ResetModeTextCursorEnable, ansi.SetModeTextCursorEnable}
	cursorShape    = mode{"cursor shape", "", ansi.SetCursorStyle(0)} // each frame says which
	graphemes      = mode{"grapheme clusters", ansi.SetModeUnicodeCore, ansi.ResetModeUnicodeCore}
)

// borrowed are the modes these options ask for, but the mouse, which comes and goes. The cursor is hidden until the first frame says where it is.
func borrowed(o Options) []mode {
	var ms []mode
	if o.AltScreen {
		ms = append(ms, altScreen)
	}
	ms = append(ms, savedTitle, noWrap, bracketedPaste, focusEvents, colourScheme, otherKeys, kittyKeyboard)
	if sayable(o.Parting) {
		ms = append(ms, mode{"what was said", "", o.Parting})
	}
	return append(ms, cursorHidden)
}

// shapes reports whether a terminal of this name takes cursor shapes. The console of Linux takes their sequence for one that
// sets the lights of the keyboard, or shows its last letter, before version 5.
func shapes(term string) bool {
	return term != "" && term != "dumb" && !strings.HasPrefix(term, "linux") && !strings.HasPrefix(term, "cons25") &&
		!strings.HasPrefix(term, "vt")
}

// taking is the sequence that takes the modes.
func taking(ms []mode) string {
	var b strings.Builder
	for _, m := range ms {
		b.WriteString(m.take)
	}
	return b.String()
}

// ending is the sequence that ends whatever the terminal may be in the middle of, since it may follow a write that was
// cut short: a string, a hyperlink, a frame, a style, a scroll region. On a normal screen the cursor then goes below
// the frame.
const (
	endingText = "\x1b\\\x1b]8;;\x1b\\" + ansi.ResetModeSynchronizedOutput + ansi.ResetStyle
	ending     = endingText + "\x1b[r" // which moves the cursor to the top
	lastRow    = "\x1b[9999;1H"
	nextLine   = "\r\n"
	belowRows  = lastRow + nextLine
)

// giving is the sequence that gives the modes back.
func giving(ms []mode) string {
	var b strings.Builder
	b.WriteString(ending)
	if !slices.Contains(ms, altScreen) {
		b.WriteString(belowRows)
	}
	b.WriteString(givingBare(ms))
	return b.String()
}

// givingBare is giving without what ends things and moves the cursor.
func givingBare(ms []mode) string {
	var b strings.Builder
	for _, m := range slices.Backward(ms) {
		b.WriteString(m.give)
	}
	return b.String()
}

// questions are asked once, when the terminal is first taken: background colour, synchronized output, grapheme
// clusters, kitty keyboard. Every terminal answers the last one, primary device attributes, and answers come in order,
// so what has not been answered by then never will be.
const questions = ansi.RequestBackgroundColor + ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore +
	ansi.RequestKittyKeyboard + ansi.RequestPrimaryDeviceAttributes

// questionsFor are those that a terminal of this name can be asked. Of the VT series, the first shows the question for the
// background, and the later ones take all that follows for a part of it.
func questionsFor(term string) string {
	if len(term) > 2 && term[:2] == "vt" && term[2] >= '0' && term[2] <= '9' {
		return strings.TrimPrefix(questions, ansi.RequestBackgroundColor)
	}
	return questions
}
