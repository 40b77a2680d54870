package tabs

import (
	"strconv"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Run opens the list of tabs. Behind the command may stand a number, to show that tab, and words, to send them there.
func (s *Set) Run(args string) panel.Effect {
	switch {
	case !s.Any() && s.Left() > 0:
		return s.Reopen()
	case !s.Any():
		return panel.Notice{Text: "No other session works. /new begins one, also while a turn runs"}
	}
	word, text, _ := strings.Cut(strings.TrimSpace(args), " ")
	if word == "" {
		return panel.Push{Panel: list.Open(s.look, rows{s}, ""), Of: "tabs"}
	}
	n, err := strconv.Atoi(word)
	t := s.numbered(n)
	switch text = strings.TrimSpace(text); {
	case err == nil && n == s.shown:
		return panel.Notice{Text: "You look at " + word}
	case err != nil || t == nil:
		return panel.Notice{Text: "No tab " + style.VisibleLine(word) + ". /tabs lists them", Warn: true}
	case text == "":
		return panel.Resume{ID: t.session.ID()}
	}
	if _, err := t.session.Send(session.Prompt{Text: text}); err != nil {
		return panel.Notice{Text: session.ProblemOf(err, s.look.Now()).What, Warn: true}
	}
	return panel.Notice{Text: "Sent to " + style.VisibleLine(t.name())}
}

// Next shows the tab with the next number, around.
func (s *Set) Next() panel.Effect {
	if !s.Any() {
		return s.Run("")
	}
	for _, t := range s.all {
		if t.number > s.shown {
			return panel.Resume{ID: t.session.ID()}
		}
	}
	return panel.Resume{ID: s.all[0].session.ID()}
}

// numbered returns the tab with a number, nil for none.
func (s *Set) numbered(n int) *Tab {
	for _, t := range s.all {
		if t.number == n {
			return t
		}
	}
	return nil
}

// rows lists the tabs.
type rows struct{ s *Set }

// Options returns the texts of the list.
func (l rows) Options() list.Options {
	return list.Options{Title: "Sessions that work beside this one", One: "tab", Keys: "enter show · esc back", None: "No other session works", Numbered: true}
}

// Rows returns the tabs by their numbers.
func (l rows) Rows() []list.Row {
	var all []list.Row
	for _, t := range l.s.all {
		meta, queued := t.session.Meta(), ""
		if n := len(t.t.Queue); n > 0 {
			queued = human.Count(n, "prompt waits", "prompts wait")
		}
		all = append(all, list.Row{ID: string(meta.ID), Number: t.number,
			Cells: []string{style.VisibleLine(t.name()), t.does.words(), queued, core.AgentTitle(meta.Agent)}})
	}
	return all
}

// Choose shows a tab.
func (l rows) Choose(id string) panel.Effect { return panel.Resume{ID: session.ID(id)} }
