package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/picker"
	"parley/ui/style"
)

// said is a line that was shown for a few seconds, kept for those who missed it.
type said struct {
	at   time.Time
	text string
	warn bool
}

// mostSaid is how many of them are kept.
const mostSaid = 200

// keepSaid remembers what is said. What only tells which key to press again is not worth it.
func (m *Model) keepSaid(text string, warn bool) {
	if n := len(m.saidBefore); text == "" || n > 0 && m.saidBefore[n-1].text == text || !warn && strings.Contains(text, " again ") {
		return
	}
	m.saidBefore = append(m.saidBefore, said{m.now(), text, warn})
	if len(m.saidBefore) > mostSaid {
		m.saidBefore = slices.Delete(m.saidBefore, 0, len(m.saidBefore)-mostSaid)
	}
}

// openNotices opens the picker of what was told: by parley for a few seconds, and by the agent in the conversation. Enter
// goes to where it stands.
func (m *Model) openNotices() tea.Cmd {
	p := m.openPicker(pickNotices, picker.Options{Title: "Notices", Keys: "enter shows where it was said · esc goes back",
		None: "nothing was told yet", Peeks: true, PeeksFrom: style.MinHeight}) // the line it was said in may have cut it
	p.SetRows(m.noticeRows())
	return m.listed(p.Missing())
}

// noticeRows are all notices, the newest first.
func (m *Model) noticeRows() []picker.Row {
	type dated struct {
		said
		id string
	}
	var all []dated
	for i, s := range m.saidBefore {
		all = append(all, dated{s, "said" + style.Group(i)})
	}
	for _, n := range m.conv.Notices() {
		all = append(all, dated{said{n.At, n.Text, n.Problem}, "item" + strconv.Itoa(n.Item)})
	}
	slices.SortStableFunc(all, func(a, b dated) int { return b.at.Compare(a.at) })
	rows := make([]picker.Row, 0, len(all))
	for _, n := range all {
		lead := "  "
		if n.warn {
			lead = "! "
		}
		rows = append(rows, picker.Row{ID: n.id, Cells: []string{lead + n.text, style.Age(m.now().Sub(n.at))}})
	}
	return rows
}

// showNotice goes to a notice in the conversation, or says again what was said.
func (m *Model) showNotice(id string) {
	if n, ok := strings.CutPrefix(id, "item"); ok {
		i, _ := strconv.Atoi(n)
		m.conv.ShowItem(i)
		return
	}
	for i, s := range m.saidBefore {
		if id == "said"+style.Group(i) {
			m.flash = flash{text: s.text, warn: s.warn, gen: m.flash.gen + 1, stays: warnStays}
			return
		}
	}
}
