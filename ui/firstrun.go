package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
	"parley/ui/style"
)

// firstRun is the screen of somebody who is not signed in.
type firstRun struct {
	signIn  *chat.SignIn
	options []firstOption
	at      int
}

type firstOption struct {
	choice      chat.Choice
	label, what string
}

func newFirstRun(s *chat.SignIn) *firstRun {
	f := &firstRun{signIn: s}
	if s.GH {
		f.options = append(f.options, firstOption{chat.ChooseSignIn, "sign in with gh", "runs: gh auth login --web"})
	}
	if s.Code {
		f.options = append(f.options, firstOption{chat.ChooseCode, "sign in with a code", "to be entered on GitHub; Copilot may not take such a login"})
	}
	f.options = append(f.options, firstOption{chat.ChooseDemo, "try the demo", "a simulated model, real tools in a scratch folder"},
		firstOption{chat.ChooseQuit, "quit", ""})
	return f
}

// key handles a key and reports the choice once one is made.
func (f *firstRun) key(k tea.KeyPressMsg) (chat.Choice, bool) {
	switch k.String() {
	case "up", "k":
		f.at = max(0, f.at-1)
	case "down", "j", "tab":
		f.at = min(len(f.options)-1, f.at+1)
	case "enter":
		return f.options[f.at].choice, true
	case "q", "esc", "ctrl+c", "ctrl+d":
		return chat.ChooseQuit, true
	}
	return "", false
}

func (f *firstRun) view(l *style.Look, width int) []string {
	th, ms := l.Theme, l.Measure
	w := width - 4
	rows := []string{"", "  parley talks to coding agents with your GitHub Copilot plan.", ""}
	if p := f.signIn.Problem; p != nil {
		rows = append(rows, style.Gutter(th.Warn.Of("!"), ms.Wrap(style.Visible(p.What), w))...)
		for _, s := range ms.Wrap(style.Visible(p.Next), w) {
			rows = append(rows, "  "+th.Dim.Of(s))
		}
	} else {
		s := "No GitHub login found"
		if len(f.signIn.Looked) > 0 {
			s += " (looked at " + style.Visible(strings.Join(f.signIn.Looked, ", ")) + ")"
		}
		for _, s := range ms.Wrap(s+".", w) {
			rows = append(rows, "  "+s)
		}
		if !f.signIn.GH && !f.signIn.Code {
			for _, way := range f.signIn.Ways {
				rows = append(rows, "")
				for _, s := range ms.Wrap(style.Visible(way), w) {
					rows = append(rows, "  "+th.Dim.Of(s))
				}
			}
		}
	}
	rows = append(rows, "")
	wide := 0
	for _, o := range f.options {
		wide = max(wide, ms.Width(o.label))
	}
	for i, o := range f.options {
		lead, st := "  ", style.Style("")
		if i == f.at {
			lead, st = "❯ ", th.Chosen
		}
		rows = append(rows, "  "+st.Of(lead+ms.Pad(o.label, wide))+"    "+th.Dim.Of(ms.Clip(o.what, w-wide-6)))
	}
	return append(rows, "", "  "+th.Dim.Of("↑ ↓ moves · enter chooses"))
}
