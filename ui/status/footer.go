package status

import (
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/chat"
	"parley/ui/style"
)

// Footer is the last row: the permission mode at the left, keys at the right.
type Footer struct {
	Mode     session.Mode
	ModeHint string // the key that changes the mode
	Vim      string // the state of vim's keys, "" without them
	Behind   int    // child agents in the background
	// Newline and Help are the keys for those. Shell is the key that runs what is written in the user's shell, "" for a
	// prompt.
	Newline, Help, Shell string
	// Header is where the first row has scrolled away; the rest of the row then shows what changes of it. nil otherwise.
	Header *Header
}

// Row returns the row in w columns.
func (f *Footer) Row(l *style.Look, w int) string {
	th, ms := l.Theme, l.Measure
	mode := chat.ModeName(f.Mode) + " mode"
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
	if f.Behind > 0 {
		badge := " · " + human.Count(f.Behind, "agent", "agents") + " in the background"
		if w < 60 {
			badge = " · " + human.Number(f.Behind) + " behind"
		}
		mode, left = mode+badge, left+th.Dim.Of(badge)
	}
	help := f.Help
	right := strings.TrimPrefix(f.Newline+" newline · ", " newline · ") + help
	if f.Shell != "" {
		right, help = f.Shell+" runs it in your shell", "runs in your shell"
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
