package ui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/notice"
	"parley/ui/picker"
	"parley/ui/style"
)

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
		notice.Entry
		id string
	}
	var all []dated
	for i, e := range m.notices.Past() {
		all = append(all, dated{e, "past" + strconv.Itoa(i)})
	}
	for _, n := range m.conv.Session().Notices() {
		all = append(all, dated{notice.Entry{At: n.At, Text: n.Text, Warn: n.Problem}, "item" + strconv.Itoa(n.Item)})
	}
	slices.SortStableFunc(all, func(a, b dated) int { return b.At.Compare(a.At) })
	rows := make([]picker.Row, 0, len(all))
	for _, n := range all {
		lead := "  "
		if n.Warn {
			lead = "! "
		}
		rows = append(rows, picker.Row{ID: n.id, Cells: []string{lead + n.Text, style.Age(m.now().Sub(n.At))}})
	}
	return rows
}

// showNotice goes to a notice in the conversation, or says again what was said.
func (m *Model) showNotice(id string) {
	if n, ok := strings.CutPrefix(id, "item"); ok {
		i, _ := strconv.Atoi(n)
		m.conv.Session().ShowItem(i)
		return
	}
	if i, err := strconv.Atoi(strings.TrimPrefix(id, "past")); err == nil {
		m.notices.Repeat(i)
	}
}
