package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// firstRun is the screen of somebody who is not signed in.
type firstRun struct {
	signIn  *SignIn
	options []firstOption
	at      int
}

type firstOption struct {
	choice      Choice
	label, what string
}

func newFirstRun(s *SignIn) *firstRun {
	f := &firstRun{signIn: s}
	if s.GH {
		f.options = append(f.options, firstOption{ChooseSignIn, "sign in with gh", "runs: gh auth login --web"})
	}
	if s.Code {
		f.options = append(f.options, firstOption{ChooseCode, "sign in with a code", "to be entered on GitHub; Copilot may not take such a login"})
	}
	f.options = append(f.options, firstOption{ChooseDemo, "try the demo", "a simulated model, real tools in a scratch folder"},
		firstOption{ChooseQuit, "quit", ""})
	return f
}

// key handles a key and reports the choice once one is made.
func (f *firstRun) key(k tea.KeyPressMsg) (Choice, bool) {
	switch k.String() {
	case "up", "k":
		f.at = max(0, f.at-1)
	case "down", "j", "tab":
		f.at = min(len(f.options)-1, f.at+1)
	case "enter":
		return f.options[f.at].choice, true
	case "q", "esc", "ctrl+c", "ctrl+d":
		return ChooseQuit, true
	}
	return "", false
}

func (f *firstRun) view(l *look, width int) []string {
	th, ms := l.theme, l.measure
	w := width - 4
	rows := []string{"", "  parley talks to coding agents with your GitHub Copilot plan.", ""}
	if p := f.signIn.Problem; p != nil {
		rows = append(rows, gutter(th.warn.of("!"), ms.wrap(visible(p.What), w))...)
		for _, s := range ms.wrap(visible(p.Next), w) {
			rows = append(rows, "  "+th.dim.of(s))
		}
	} else {
		s := "No GitHub login found"
		if len(f.signIn.Looked) > 0 {
			s += " (looked at " + visible(strings.Join(f.signIn.Looked, ", ")) + ")"
		}
		for _, s := range ms.wrap(s+".", w) {
			rows = append(rows, "  "+s)
		}
		if !f.signIn.GH && !f.signIn.Code {
			for _, way := range f.signIn.Ways {
				rows = append(rows, "")
				for _, s := range ms.wrap(visible(way), w) {
					rows = append(rows, "  "+th.dim.of(s))
				}
			}
		}
	}
	rows = append(rows, "")
	wide := 0
	for _, o := range f.options {
		wide = max(wide, ms.width(o.label))
	}
	for i, o := range f.options {
		lead, st := "  ", style("")
		if i == f.at {
			lead, st = "❯ ", th.chosen
		}
		rows = append(rows, "  "+st.of(lead+ms.pad(o.label, wide))+"    "+th.dim.of(ms.clip(o.what, w-wide-6)))
	}
	return append(rows, "", "  "+th.dim.of("↑ ↓ moves · enter chooses"))
}
