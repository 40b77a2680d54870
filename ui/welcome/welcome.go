package welcome

import (
	"strconv"

	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

// Recent is how many sessions are offered.
const Recent = 3

// Model is the screen before anything was said. It has one owner.
type Model struct {
	dir, branch string
	directory   Directory
	known       bool // the directory was read
	recent      []session.Meta
	more        bool // there are other sessions
	changed     bool
}

// Choice is what a key of the screen stands for: a session to resume or words to put into the field.
type Choice struct {
	Session session.ID
	Prompt  string
}

// New returns the screen of a chat in dir, a path for people, on a branch, "" for none.
func New(dir, branch string) *Model { return &Model{dir: dir, branch: branch} }

// setDirectory takes what was found in the directory.
func (m *Model) setDirectory(d Directory) { m.directory, m.known, m.changed = d, true, true }

// setSessions takes the stored sessions of the directory, newest first, without those that nothing was said in.
func (m *Model) setSessions(all []session.Meta) {
	m.recent, m.more, m.changed = all[:min(len(all), Recent):min(len(all), Recent)], len(all) > Recent, true
}

// Changes reports whether the rows may be other ones than when it was called last.
func (m *Model) Changes() bool {
	changed := m.changed
	m.changed = false
	return changed
}

// Chosen returns what the key alt+n stands for, n from 1. It reports false for a number that stands for nothing.
func (m *Model) Chosen(n int) (Choice, bool) {
	switch tries := m.tries(); {
	case n >= 1 && n <= len(m.recent):
		return Choice{Session: m.recent[n-1].ID}, true
	case n > Recent && n-Recent <= len(tries):
		return Choice{Prompt: tries[n-Recent-1]}, true
	}
	return Choice{}, false
}

func (m *Model) tries() []string {
	if !m.known {
		return nil
	}
	return m.directory.tries()
}

// Rows returns at most height rows. What does not fit is left out from the end: first the tries, then the sessions.
func (m *Model) Rows(l *style.Look, width, height int) []string {
	if len(m.recent) == 0 && !m.known {
		return nil // the header says where it is
	}
	rows := m.where(l, width)
	for _, block := range [][]string{m.sessions(l, width), m.trying(l, width)} {
		if len(block) > 0 && len(rows)+1+len(block) <= height {
			rows = append(append(rows, ""), block...)
		}
	}
	return rows[:min(len(rows), max(height, 0))]
}

// where is the row of the directory.
func (m *Model) where(l *style.Look, width int) []string {
	text := style.Visible(style.OneLine(m.dir))
	about := ""
	if m.branch != "" {
		about = style.Visible(style.OneLine(m.branch))
	}
	if m.directory.Repository && m.directory.Changed > 0 {
		if about != "" {
			about += ", "
		}
		about += human.Count(m.directory.Changed, "file changed", "files changed")
	}
	if about != "" {
		about = " (" + about + ")"
	}
	ms := l.Measure
	room := width - 2
	if ms.Width(text)+ms.Width(about) > room {
		text = ms.ClipLeft(text, max(10, room-ms.Width(about)))
	}
	return []string{"  " + ms.Clip(l.Theme.Bold.Of(text)+l.Theme.Dim.Of(about), room)}
}

// The columns of the sessions, right of the title.
const (
	keyColumns  = 7
	turnColumns = 10
	ageColumns  = 9
)

// sessions lists what can be picked up.
func (m *Model) sessions(l *style.Look, width int) []string {
	if len(m.recent) == 0 {
		return nil
	}
	th, ms := l.Theme, l.Measure
	rows := []string{"  " + th.Bold.Of("Pick up where you left off")}
	w := min(width, style.TextWidth) - 2
	for i, s := range m.recent {
		turns := "" // not known of sessions that other programs keep
		if s.Turns > 0 {
			turns = human.Count(s.Turns, "turn", "turns")
		}
		age := human.Ago(l.Now().Sub(s.Updated))
		right := leftPad(ms, turns, turnColumns) + "  " + leftPad(ms, age, ageColumns)
		if w < 50 {
			right = leftPad(ms, age, ageColumns)
		}
		title := ms.Pad(style.Visible(style.OneLine(s.Headline())), w-4-keyColumns-ms.Width(right)-2)
		rows = append(rows, "    "+th.Accent.Of(ms.Pad("alt+"+strconv.Itoa(i+1), keyColumns))+title+"  "+th.Dim.Of(right))
	}
	if m.more {
		rows = append(rows, "    "+th.Dim.Of(ms.Pad("", keyColumns)+"/resume shows all"))
	}
	return rows
}

// leftPad moves s to the right end of w columns.
func leftPad(ms style.Measure, s string, w int) string {
	for ms.Width(s) < w {
		s = " " + s
	}
	return s
}

// trying lists what one may begin with.
func (m *Model) trying(l *style.Look, width int) []string {
	tries := m.tries()
	if len(tries) == 0 {
		return nil
	}
	th, ms := l.Theme, l.Measure
	rows := []string{"  " + th.Bold.Of("Try")}
	for i, t := range tries {
		rows = append(rows, "    "+th.Accent.Of(ms.Pad("alt+"+strconv.Itoa(Recent+1+i), keyColumns))+
			ms.Clip(style.Visible(t), min(width, style.TextWidth)-4-keyColumns))
	}
	return rows
}
