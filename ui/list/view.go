package list

import (
	"cmp"
	"strings"

	"parley/internal/human"
	"parley/ui/style"
)

// textRows returns the rows of the text above the list, with an empty one below them.
func (p *Picker) textRows(ms style.Measure, w int) []string {
	if p.Text == "" {
		return nil
	}
	rows := ms.Wrap(p.Text, w)
	for i, row := range rows {
		rows[i] = "  " + row
	}
	return append(rows, "")
}

// frameRows is the number of rows that a picker has besides its list: title, filter, an empty one, keys.
const frameRows = 4

// Want returns how many rows the picker has use for at a width, whatever its filter leaves, at most so many.
func (p *Picker) Want(width, most int) int {
	if p.Peeks && p.previewWidth() > 0 || p.Trouble != "" {
		return most
	}
	return min(most, p.listRows(width-4)+len(p.textRows(p.look.Measure, width-4))+frameRows+p.headRows(most))
}

// headsFrom is the height from which the columns have room for their heads.
const headsFrom = 14

// headRows returns how many rows the heads of the columns take in so many rows.
func (p *Picker) headRows(height int) int {
	if len(p.Heads) == 0 || len(p.shown) == 0 || height < headsFrom {
		return 0
	}
	return 1
}

// Rows returns the picker in so many rows, and the cell of the cursor.
func (p *Picker) Rows(width, height int) (rows []string, x, y int) {
	l := p.look
	th, ms := l.Theme, l.Measure
	p.height = height
	w := width - 4
	text, at := p.filter.View(ms, w)
	listW := w
	split := p.Peeks && width >= previewFrom && !p.Below
	if split {
		listW = w * 2 / 3
	}
	if p.filter.String() == "" && len(p.all) > 0 && !p.Field {
		text += th.Dim.Of(cmp.Or(p.Filter, "type to filter"))
	}
	rows = []string{"  " + ms.Spread(th.Bold.Of(p.Title), th.Dim.Of(p.about()), w), th.Accent.Of(">") + " " + text}
	x, y = 2+at, 1
	if p.Sure || p.Plain {
		rows[1], x, y = "", -1, -1
	}
	above := p.textRows(ms, w)
	if p.headRows(height) > 0 {
		above = append(above, th.Dim.Of(p.heads(ms, listW)))
	}
	rows = append(rows, above...)
	foot := []string{"  " + th.Dim.Of(ms.Hints(p.keys(), w))}
	if p.offers.open && len(p.shown) > 0 {
		foot = p.offers.rows(th, ms, w, max(1, height/3))
	}
	room := height - frameRows - len(above) - len(foot) + 1
	if height < headsFrom { // a low window has no empty row
		room++
	}
	room = max(1, room)
	listH := room
	under := p.Peeks && !split && height >= p.peeksFrom()
	if under {
		listH = room * 3 / 5
		if p.Below {
			listH = max(listH, room-belowMost-1)
		}
		if len(p.all) < listH { // the preview gets what the list leaves
			listH = min(listH, p.listRows(listW)+1)
		}
	}
	body := p.list(listW, listH)
	switch {
	case split:
		body = p.beside(body, listW, besideWidth(width), listH)
	case under:
		body = p.beneath(body, w, listH, room)
	}
	rows = append(rows, body...)
	for len(rows) < height-len(foot) {
		rows = append(rows, "")
	}
	return append(rows, foot...), x, y
}

// about returns the text at the right of the title: how many rows match the filter, else Right.
func (p *Picker) about() string {
	if p.filter.String() == "" || len(p.all) == 0 || p.Field {
		return p.Right
	}
	if p.wrong != "" {
		return p.wrong
	}
	about := human.Number(len(p.shown)) + " of " + human.Number(len(p.all))
	if p.hits.state != "" {
		about += " · " + p.hits.state
	}
	return about
}

// keys returns the keys that work: where there is nothing to choose, only the last.
func (p *Picker) keys() string {
	if len(p.shown) > 0 {
		return p.Keys
	}
	all := strings.Split(p.Keys, " · ")
	return all[len(all)-1]
}
