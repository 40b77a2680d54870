package chat

import (
	"parley/session"
	"parley/ui/status"
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
	rows, cx, cy = v.lower(rows, r, 0)
	return above, rows, cx, cy
}
