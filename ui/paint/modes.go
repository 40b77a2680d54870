package paint

import (
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// A mode is a state of the terminal that the program borrows: give undoes take.
type mode struct {
	take, give string
}

// The modes in the order in which they are taken; they are given back in reverse. The alternate screen comes first because
// a kitty terminal has one keyboard stack per screen: what was pushed there must be popped there.
var (
	altScreen      = mode{ansi.SetModeAltScreenSaveCursor, ansi.ResetModeAltScreenSaveCursor}
	savedTitle     = mode{"\x1b[22;2t", "\x1b[23;2t"}
	noWrap         = mode{ansi.ResetModeAutoWrap, ansi.SetModeAutoWrap}
	bracketedPaste = mode{ansi.SetModeBracketedPaste, ansi.ResetModeBracketedPaste}
	focusEvents    = mode{ansi.SetModeFocusEvent, ansi.ResetModeFocusEvent}
	colourScheme   = mode{ansi.SetModeLightDark, ansi.ResetModeLightDark}
	otherKeys      = mode{ansi.SetModifyOtherKeys2, ansi.ResetModifyOtherKeys}
	kittyKeyboard  = mode{"\x1b[>1u", "\x1b[<1u"}
	mouseButtons   = mode{ansi.SetModeMouseButtonEvent, ansi.ResetModeMouseButtonEvent}
	mouseSGR       = mode{ansi.SetModeMouseExtSgr, ansi.ResetModeMouseExtSgr}
	cursorHidden   = mode{ansi.ResetModeTextCursorEnable, ansi.SetModeTextCursorEnable}
	cursorShape    = mode{"", ansi.SetCursorStyle(0)} // set by each frame
	graphemes      = mode{ansi.SetModeUnicodeCore, ansi.ResetModeUnicodeCore}
)

// borrowed returns the modes that are always taken with these options. The cursor is hidden until the first frame.
func borrowed(o Options) []mode {
	var ms []mode
	if o.AltScreen {
		ms = append(ms, altScreen)
	}
	ms = append(ms, savedTitle, noWrap, bracketedPaste, focusEvents, colourScheme, otherKeys, kittyKeyboard)
	if sendable(o.Parting) {
		ms = append(ms, mode{"", o.Parting})
	}
	return append(ms, cursorHidden)
}

// shapes reports whether a terminal of this name supports cursor shapes. The console of Linux before version 5 reads their
// sequence as one that sets the lights of the keyboard, or shows its last letter.
func shapes(term string) bool {
	return term != "" && term != "dumb" && !strings.HasPrefix(term, "linux") && !strings.HasPrefix(term, "cons25") &&
		!strings.HasPrefix(term, "vt")
}

// fills reports whether the terminal gives erased cells the background of the pen. GNU screen and old terminals do not.
func fills(env uv.Environ) bool {
	term := env.Getenv("TERM")
	return shapes(term) && (!strings.HasPrefix(term, "screen") || env.Getenv("TMUX") != "")
}

// taking returns the sequence that takes the modes.
func taking(ms []mode) string {
	var b strings.Builder
	for _, m := range ms {
		b.WriteString(m.take)
	}
	return b.String()
}

// ending ends what a write that was cut short may have begun: a string, a hyperlink, a frame, a style, a scroll region. On
// a normal screen the cursor then goes below the frame.
const (
	endingText = "\x1b\\\x1b]8;;\x1b\\" + ansi.ResetModeSynchronizedOutput + ansi.ResetStyle
	ending     = endingText + "\x1b[r" // which moves the cursor to the top
	lastRow    = "\x1b[9999;1H"
	nextLine   = "\r\n"
	belowRows  = lastRow + nextLine
)

// giving returns the sequence that gives the modes back.
func giving(ms []mode) string {
	var b strings.Builder
	b.WriteString(ending)
	if !slices.Contains(ms, altScreen) {
		b.WriteString(belowRows)
	}
	b.WriteString(givingBare(ms))
	return b.String()
}

// givingBare is giving without ending and without moving the cursor.
func givingBare(ms []mode) string {
	var b strings.Builder
	for _, m := range slices.Backward(ms) {
		b.WriteString(m.give)
	}
	return b.String()
}

// questions are sent once, when the terminal is first taken: background color, synchronized output, grapheme clusters,
// kitty keyboard. Every terminal answers the last one, primary device attributes, and answers arrive in order: what is
// unanswered by then stays so.
const questions = ansi.RequestBackgroundColor + ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore +
	ansi.RequestKittyKeyboard + ansi.RequestPrimaryDeviceAttributes

// questionsFor returns the questions for a terminal of this name. Of the VT series, the first shows the one for the
// background, and the later ones read all that follows as a part of it.
func questionsFor(term string) string {
	if len(term) > 2 && term[:2] == "vt" && term[2] >= '0' && term[2] <= '9' {
		return strings.TrimPrefix(questions, ansi.RequestBackgroundColor)
	}
	return questions
}
