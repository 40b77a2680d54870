package status

import (
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// Footer is the last row: the permission mode at the left, keys at the right.
type Footer struct {
	Mode       session.Mode
	ModeHint   string // the key that changes the mode
	Vim        string // the state of vim's keys, "" without them
	Background int    // commands and child agents in the background
	// Newline and Help are the keys for those. Shell is the key that runs what is written in the user's shell, "" for a
	// prompt.
	Newline, Help, Shell string
	// List means that a list of completions is open, whose keys are named instead.
	List bool
	// Header is where the first row has scrolled away; the rest of the row then shows what changes of it. nil otherwise.
	Header *Header
}

// background returns the number of what runs in the background, "" for none.
func (f *Footer) background(w int) string {
	switch {
	case f.Background == 0:
		return ""
	case w < 60:
		return human.Number(f.Background) + " running"
	}
	return human.Number(f.Background) + " in the background"
}

// BackgroundAt returns the cells of the row in which that number stands; from is to where it does not.
func (f *Footer) BackgroundAt(l *style.Look, w int, row string) (from, to int) {
	text, row := f.background(w), style.Unstyled(row)
	at := strings.LastIndex(row, text)
	if text == "" || at < 0 {
		return 0, 0
	}
	from = l.Measure.Width(row[:at])
	return from, from + l.Measure.Width(text)
}

// Row returns the row in w columns.
func (f *Footer) Row(l *style.Look, w int) string {
	th, ms := l.Theme, l.Measure
	mode := core.ModeWords(f.Mode)
	st := th.Dim
	switch f.Mode {
	case session.ModeBypass:
		st = th.Warn
	case session.ModePlan:
		st = th.Accent
	}
	left := st.Of(mode)
	if f.Vim != "" {
		left, mode = th.Accent.Of(f.Vim)+th.Dim.Of(" · ")+left, f.Vim+" · "+mode
	}
	if badge := f.background(w); badge != "" {
		mode, left = mode+" · "+badge, left+th.Dim.Of(" · "+badge)
	}
	help := f.Help
	right := strings.TrimPrefix(f.Newline+" newline · ", " newline · ") + help
	if f.Shell != "" {
		right, help = f.Shell+" runs it in your shell", "runs in your shell"
	}
	if f.List {
		right, help = "↑↓ · tab take · esc close", "tab take"
	}
	hint := f.ModeHint
	if 4+ms.Width(mode+hint)+1+ms.Width(right) > w {
		hint = ""
	}
	if 4+ms.Width(mode)+1+ms.Width(right) > w || w < 60 {
		right = help
	}
	if f.Header != nil {
		hint += f.Header.brief(ms, w-4-ms.Width(mode+hint)-1-ms.Width(right))
	}
	return "  " + ms.Spread(left+th.Dim.Of(hint), th.Dim.Of(right), w-4)
}
