package signin

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
	"parley/ui/style"
)

// Action is what the root carries out within the call that returned it. nil is nothing.
type Action interface{ action() }

// Chosen carries what the user chose. It ends the screen.
type Chosen struct{ Choice chat.Choice }

func (Chosen) action() {}

// Model is the screen of a user who is not signed in.
type Model struct {
	look    *style.Look
	signIn  *chat.SignIn
	options []option
	at      int
}

// option is one way to go on.
type option struct {
	choice      chat.Choice
	label, what string
}

// New returns the choices that the user has, the first one selected.
func New(l *style.Look, s *chat.SignIn) *Model {
	m := &Model{look: l, signIn: s}
	if s.GH {
		m.options = append(m.options, option{chat.ChooseSignIn, "sign in with gh", "runs: gh auth login --web"})
	}
	if s.Code {
		m.options = append(m.options, option{chat.ChooseCode, "sign in with a code", "to be entered on GitHub; Copilot may not take such a login"})
	}
	m.options = append(m.options, option{chat.ChooseDemo, "try the demo", "a simulated model, real tools in a scratch folder"},
		option{chat.ChooseQuit, "quit", ""})
	return m
}

// Update handles a key.
func (m *Model) Update(msg tea.Msg) (Action, tea.Cmd) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, nil
	}
	switch k.String() {
	case "up", "k":
		m.at = max(0, m.at-1)
	case "down", "j", "tab":
		m.at = min(len(m.options)-1, m.at+1)
	case "enter":
		return Chosen{m.options[m.at].choice}, nil
	case "q", "esc", "ctrl+c", "ctrl+d":
		return Chosen{chat.ChooseQuit}, nil
	}
	return nil, nil
}

// Rows returns the whole screen.
func (m *Model) Rows(width, _ int) []string {
	th, ms := m.look.Theme, m.look.Measure
	w := width - 4
	rows := []string{"", "  parley talks to coding agents with your GitHub Copilot plan.", ""}
	if p := m.signIn.Problem; p != nil {
		rows = append(rows, style.Gutter(th.Warn.Of("!"), ms.Wrap(style.Visible(p.What), w))...)
		for _, s := range ms.Wrap(style.Visible(p.Next), w) {
			rows = append(rows, "  "+th.Dim.Of(s))
		}
	} else {
		s := "No GitHub login found"
		if len(m.signIn.Looked) > 0 {
			s += " (looked at " + style.Visible(strings.Join(m.signIn.Looked, ", ")) + ")"
		}
		for _, s := range ms.Wrap(s+".", w) {
			rows = append(rows, "  "+s)
		}
		if !m.signIn.GH && !m.signIn.Code {
			for _, way := range m.signIn.Ways {
				rows = append(rows, "")
				for _, s := range ms.Wrap(style.Visible(way), w) {
					rows = append(rows, "  "+th.Dim.Of(s))
				}
			}
		}
	}
	rows = append(rows, "")
	wide := 0
	for _, o := range m.options {
		wide = max(wide, ms.Width(o.label))
	}
	for i, o := range m.options {
		lead, st := "  ", style.Style("")
		if i == m.at {
			lead, st = "❯ ", th.Chosen
		}
		rows = append(rows, "  "+st.Of(lead+ms.Pad(o.label, wide))+"    "+th.Dim.Of(ms.Clip(o.what, w-wide-6)))
	}
	return append(rows, "", "  "+th.Dim.Of("↑ ↓ moves · enter chooses"))
}
