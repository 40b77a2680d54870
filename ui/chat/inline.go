package chat

import (
	"strings"

	"parley/session"
	"parley/ui/status"
	"parley/ui/style"
)

// inlineChat returns the chat as an inline frame: what still changes, and what is below the conversation. above goes into
// the scrollback before it.
func (v *view) inlineChat() (above, rows []string, cx, cy int) {
	r := status.Divide(v.look.Height, v.want())
	var ask *session.Ask
	if q := v.asks.Ask.Question(); q != nil {
		ask = q.Ask
	}
	above, live := v.reader.inl.Rows(v.headerRow, ask, max(1, r.Body+r.Air))
	rows = append(v.screen.rows[:0], live...)
	if len(live) > 0 && r.Gap > 0 {
		rows = append(rows, "")
	}
	rows, cx, cy = v.lower(rows, r)
	return above, rows, cx, cy
}

// trimBlank removes blank rows from the end of a view.
func trimBlank(rows []string) []string {
	for len(rows) > 0 && strings.TrimSpace(style.Unstyled(rows[len(rows)-1])) == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}
