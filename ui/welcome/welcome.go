package welcome

import (
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// Recent is the most sessions that are offered.
const Recent = 3

// Model is the first page: what was found for it, and what of it is selected. It has one owner.
type Model struct {
	dir, branch string
	directory   Directory
	known       bool // the directory was read
	recent      []session.Meta
	more        bool // there are other sessions
	left        int  // were open when parley was killed, and are offered
	selected    int  // an index into the choices that are shown, -1 while the field has the keyboard
	shown       []Choice
	changed     bool
}

// Choice is the meaning of a row of the page: a session to resume, words to put into the field, or with Open the sessions that were
// open, which Leave does not offer again.
type Choice struct {
	Session     session.ID
	Prompt      string
	Open, Leave bool
}

// New returns the page of a chat in dir, a path for people, on a branch, "" for none.
func New(dir, branch string) *Model { return &Model{dir: dir, branch: branch, selected: -1} }

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

// Key moves the selection among the choices that are shown, and returns the one that Enter takes. used reports whether the key was
// the page's: anything that types gives the keyboard back to the field.
func (m *Model) Key(name string) (c Choice, taken, used bool) {
	was := m.selected
	switch at := m.selected; {
	case at < 0 && (name == "enter" || name == "esc") && len(m.shown) > 0 && m.shown[0].Open:
		return Choice{Open: name == "enter", Leave: name == "esc"}, true, true
	case name == "down" && at < len(m.shown)-1:
		m.selected++
	case name == "down" && at >= 0:
	case name == "up" && at >= 0, name == "esc" && at >= 0:
		m.selected--
		if name == "esc" {
			m.selected = -1
		}
	case name == "enter" && at >= 0 && at < len(m.shown):
		m.selected = -1
		return m.shown[at], true, true
	default:
		m.selected = -1
		return Choice{}, false, false
	}
	m.changed = m.changed || was != m.selected
	return Choice{}, false, true
}

// wordmark is the name in two rows of blocks.
var wordmark = [2]string{"█▀█ ▄▀█ █▀█ █   █▀▀ █▄█", "█▀▀ █▀█ █▀▄ █▄▄ ██▄  █ "}

// What the page says of the program, and in less room.
const (
	pitch = "Claude Code, Copilot and parley's own agent, on your GitHub Copilot plan"
	short = "Coding agents on your GitHub Copilot plan"
)

// Head returns the rows above the field: the name, what this is, and where it is. A low window has only one.
func (m *Model) Head(l *style.Look, width, height int) []string {
	th, ms := l.Theme, l.Measure
	mark := ms.Width(wordmark[0])
	if !l.Ascii && height >= 20 && 3+mark+5+ms.Width(pitch)+2 <= width {
		lead := "   "
		return []string{lead + th.Accent.Of(wordmark[0]) + "     " + pitch,
			lead + th.Accent.Of(wordmark[1]) + "     " + th.Dim.Of(m.where(ms, width-mark-10))}
	}
	name := "  " + th.Bold.Of("parley")
	if height < 16 {
		return []string{name + th.Dim.Of("  "+m.where(ms, width-12))}
	}
	words := short
	if 2+6+2+ms.Width(pitch)+2 <= width {
		words = pitch
	}
	return []string{name + "  " + ms.Clip(words, width-12), "  " + th.Dim.Of(m.where(ms, width-4))}
}

// where returns the place in at most so many columns: the directory, the branch, and how many files changed.
func (m *Model) where(ms style.Measure, room int) string {
	text := style.Visible(style.OneLine(m.dir))
	about := ""
	if m.branch != "" {
		about = " · " + style.Visible(style.OneLine(m.branch))
	}
	if m.directory.Repository && m.directory.Changed > 0 {
		about += " · " + human.Count(m.directory.Changed, "file changed", "files changed")
	}
	if ms.Width(text)+ms.Width(about) > room {
		text = ms.ClipLeft(text, max(10, room-ms.Width(about)))
	}
	return ms.Clip(text+about, room)
}

// The columns of the sessions, right of the title.
const (
	agentColumns = 13
	turnColumns  = 10
	ageColumns   = 9
)

// List returns at most height rows of what can be done besides writing: sessions to go on with and prompts to try. What does not fit
// is left out from the end. hits are the indices of the choices of each row, -1 for none.
func (m *Model) List(l *style.Look, width, height int) (rows []string, hits []int) {
	m.shown = m.shown[:0]
	add := func(row string, c *Choice) {
		at := -1
		if c != nil {
			at = len(m.shown)
			m.shown = append(m.shown, *c)
		}
		rows, hits = append(rows, row), append(hits, at)
	}
	th := l.Theme
	if m.left > 0 && height >= 2 {
		add("", nil)
		offer := human.Count(m.left, "session was open here: enter opens it, esc leaves it", "sessions were open here: enter opens them, esc leaves them")
		if len(offer)+4 > width {
			offer = human.Count(m.left, "session was open: enter opens it", "sessions were open: enter opens")
		}
		add(m.row(l, 0, offer), &Choice{Open: true})
	}
	if n := min(len(m.recent), height-len(rows)-2); n > 0 {
		add("", nil)
		add("  "+th.Bold.Of("Continue")+th.Dim.Of("  ↓ enter"), nil)
		for _, s := range m.recent[:n] {
			add(m.row(l, len(m.shown), m.session(l, s, width)), &Choice{Session: s.ID})
		}
		if m.more && len(rows) < height-4 {
			add("    "+th.Dim.Of("/resume shows all"), nil)
		}
	}
	if tries := m.tries(); len(tries) > 0 && len(rows)+2+len(tries) <= height {
		add("", nil)
		keys := ""
		if len(m.recent) == 0 {
			keys = "  ↓ enter"
		}
		add("  "+th.Bold.Of("Try")+th.Dim.Of(keys), nil)
		for _, t := range tries {
			add(m.row(l, len(m.shown), l.Measure.Clip(style.Visible(t), width-6)), &Choice{Prompt: t})
		}
	}
	m.selected = min(m.selected, len(m.shown)-1)
	return rows, hits
}

// row returns a row of the list, marked if it is the selected one.
func (m *Model) row(l *style.Look, i int, text string) string {
	if i == m.selected {
		return "  " + l.Theme.Chosen.Of("❯ "+style.Unstyled(text))
	}
	return "    " + text
}

// session returns the columns of a session: its title, and what there is to know of it at the right.
func (m *Model) session(l *style.Look, s session.Meta, width int) string {
	th, ms := l.Theme, l.Measure
	w := min(width, style.TextWidth) - 6
	turns := "" // not known of sessions that other programs keep
	if s.Turns > 0 {
		turns = human.Count(s.Turns, "turn", "turns")
	}
	right := leftPad(ms, human.Ago(l.Now().Sub(s.Updated)), ageColumns)
	if w >= 46 {
		right = leftPad(ms, turns, turnColumns) + "  " + right
	}
	if w >= 66 {
		right = ms.Pad(ms.Clip(core.AgentTitle(s.Agent), agentColumns), agentColumns) + right
	}
	return ms.Pad(style.Visible(style.OneLine(s.Headline())), w-ms.Width(right)-2) + "  " + th.Dim.Of(right)
}

// leftPad moves s to the right end of w columns.
func leftPad(ms style.Measure, s string, w int) string {
	return strings.Repeat(" ", max(0, w-ms.Width(s))) + s
}

func (m *Model) tries() []string {
	if !m.known {
		return nil
	}
	return m.directory.tries()
}

// At returns the choice of a row of the list that was shown last.
func (m *Model) At(hits []int, row int) (Choice, bool) {
	if row < 0 || row >= len(hits) || hits[row] < 0 || hits[row] >= len(m.shown) {
		return Choice{}, false
	}
	return m.shown[hits[row]], true
}
