package changes

import (
	"time"

	"parley/internal/human"
	"parley/session/changes"
	"parley/ui/changes/listing"
	"parley/ui/panel"
	"parley/ui/style"
)

// question asks whether to carry out a plan that would lose something, or that leaves some files alone. Nothing happens
// unless the user moves to another choice than the first.
type question struct {
	plan    changes.Plan
	called  string
	title   string
	text    string
	pane    pane // what would be lost, file by file
	choices []listing.Choice
	at      int
	since   time.Time // when it was drawn first; zero before
}

// settleTime is the time that a question must have been on the screen before a key answers it: what was typed before is no answer.
const settleTime = 500 * time.Millisecond

// newQuestion returns the question about a plan.
func newQuestion(m *model, p changes.Plan, called string) *question {
	s := listing.Sort(p)
	q := &question{plan: p, called: called, pane: pane{look: m.o.Look, diffs: &m.diffs}}
	back := "r brings them back"
	if p.Kind == changes.StepRedo {
		back = "u undo that"
	}
	q.title, q.text = s.Asks(p.Kind, called, back)
	q.choices = s.Choices(p.Kind)
	q.pane.set(q.sections(m, s), false)
	return q
}

// sections returns what would be lost, what stays as it is, and what nothing stands against.
func (q *question) sections(m *model, s listing.Sorted) (all []section) {
	for _, f := range s.Losing {
		for _, l := range f.Lost {
			by := "changed by " + m.o.Names.LostBy(l, m.all)
			if !l.At.IsZero() {
				by += ", " + human.Ago(m.o.Look.Now().Sub(l.At))
			}
			all = append(all, section{span: listing.Span{Path: f.Path, From: l.From, To: l.To}, head: m.title(f.Path, by, true)})
		}
	}
	for _, f := range s.Refused {
		all = append(all, section{span: listing.Span{Path: f.Path}, head: m.title(f.Path, "stays as it is", true), empty: f.Refused})
	}
	for _, f := range s.Free {
		all = append(all, section{span: listing.Span{Path: f.Path}, head: m.title(f.Path, "", false), empty: "nothing of it would be lost"})
	}
	return all
}

// title returns the function that draws the head of a file.
func (m *model) title(path, rest string, warn bool) func(int) []string {
	th, ms := &m.o.Look.Theme, m.o.Look.Measure
	return func(width int) []string {
		name := ms.ClipMiddle(style.Visible(style.OneLine(m.o.Names.Short(path))), width)
		if room := width - ms.Width(name) - 2; rest != "" && room > 3 {
			look := th.Dim
			if warn {
				look = th.Warn
			}
			return []string{th.Bold.Of(name) + "  " + look.Of(ms.Clip(style.Visible(style.OneLine(rest)), room))}
		}
		return []string{th.Bold.Of(name)}
	}
}

// askKey handles a key while the question is open.
func (m *model) askKey(s string) (panel.Effect, panel.Cmd) {
	q := m.ask
	switch s {
	case "esc", "q", "n":
		m.ask = nil
		return nil, nil
	case "pgup", "pgdown", "home", "end", "space", "ctrl+u", "ctrl+d", "ctrl+up", "ctrl+down":
		q.pane.key(s)
		return nil, nil
	}
	if q.since.IsZero() || m.o.Look.Now().Sub(q.since) < settleTime {
		return nil, nil // it was typed for something else
	}
	switch s {
	case "up", "k", "shift+tab":
		q.at = max(0, q.at-1)
	case "down", "j", "tab":
		q.at = min(q.at+1, len(q.choices)-1)
	case "enter":
		m.ask = nil
		if c := q.choices[q.at]; c.Does {
			return nil, m.apply(q.plan, q.called, c.Lose)
		}
	}
	return nil, nil
}

// rows returns the question in a window, and the row in which its choices begin.
func (q *question) rows(l *style.Look, width, height int) (rows []string, choices int) {
	th, ms := l.Theme, l.Measure
	if q.since.IsZero() {
		q.since = l.Now()
	}
	rows = append(rows, "  "+th.Bold.Of(ms.Clip(style.Visible(style.OneLine(q.title)), width-4)))
	text := ms.Wrap(style.Visible(q.text), width-4)
	if most := max(1, height-len(q.choices)-6); len(text) > most {
		text = append(text[:most-1:most-1], "…")
	}
	for _, s := range text {
		rows = append(rows, "  "+ms.Clip(s, width-4))
	}
	if height >= 16 {
		rows = append(rows, "")
	}
	room := height - len(rows) - len(q.choices) - 2
	q.pane.size(width-4, max(0, room))
	body := q.pane.rows()
	for _, s := range body {
		rows = append(rows, "  "+s)
	}
	for range room - len(body) {
		rows = append(rows, "")
	}
	rows = append(rows, th.Dim.Of(style.Rule(width)))
	choices = len(rows)
	for i, c := range q.choices {
		lead, look := "  ", style.Style("")
		if i == q.at {
			lead, look = th.Accent.Of("❯")+" ", th.Chosen
		}
		rows = append(rows, lead+look.Of(ms.Clip(c.Text, width-4)))
	}
	return rows, choices
}
