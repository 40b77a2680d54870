package chat

// smallFrame returns the rows of a window that is too small for everything.
func (v *view) smallFrame(width, height int) (rows []string, cx, cy int) {
	ms := v.look.Measure
	text, cx, cy := []string{"esc back"}, -1, -1
	if !v.conv.Viewing() {
		text, cx, cy = v.fieldRows(max(1, height/2))
	}
	text = text[:min(len(text), height)]
	line := v.statusLine(v.look.Width).Small(v.look, width, v.asks.Ask.Open() && v.asks.Ask.Question().Ask != nil)
	left := height - len(text)
	if line != "" && left > 0 {
		left--
	} else {
		line = ""
	}
	body := v.reader.lastRows(left)
	v.screen.bodyTop = 0
	rows = append(v.screen.rows[:0], body...)
	for len(rows) < left && !v.reader.inlineHere() {
		rows = append(rows, "")
	}
	v.screen.statusTop = len(rows)
	if line != "" {
		rows = append(rows, line)
	}
	if cy >= 0 {
		cx, cy = min(cx, width-1), min(len(rows)+cy, height-1)
	}
	rows = append(rows, text...)
	for i, r := range rows {
		rows[i] = ms.Clip(r, width)
	}
	v.screen.rows = rows
	return rows, cx, cy
}
