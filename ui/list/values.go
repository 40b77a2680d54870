package list

import (
	"slices"

	"parley/ui/style"
)

// valueFrame is the number of columns that the marks around a value take: "‹ " and " ›".
const valueFrame = 4

// values are the cells of one column that ← and → change.
type values struct {
	column int               // 0 for none
	turned map[string]string // what the user turned to, by row
}

// of returns the value of a row, "" where it has none.
func (v *values) of(r *Row) string {
	if v.column > 0 && v.column < len(r.Cells) {
		return r.Cells[v.column]
	}
	return ""
}

// set changes the value of a row without changing cells that others hold.
func (v *values) set(r *Row, value string) {
	r.Cells = slices.Clone(r.Cells)
	r.Cells[v.column] = value
}

// turn sets the value of a row to the one so many places further, as far as there are any, and reports whether it changed. choice
// is false where the row has nothing to choose from.
func (v *values) turn(r *Row, by int) (changed, choice bool) {
	if r.Off != "" || v.column == 0 || v.column >= len(r.Cells) || len(r.Values) < 2 {
		return false, false
	}
	at := slices.Index(r.Values, v.of(r))
	next := max(0, min(at+by, len(r.Values)-1))
	if next == at {
		return false, true
	}
	v.set(r, r.Values[next])
	if v.turned == nil {
		v.turned = map[string]string{}
	}
	v.turned[r.ID] = r.Values[next]
	return true, true
}

// keep gives new rows the values that were turned to, where they still can have them.
func (v *values) keep(rows []Row) {
	for i := range rows {
		r := &rows[i]
		if value, is := v.turned[r.ID]; is && v.column < len(r.Cells) && slices.Contains(r.Values, value) {
			v.set(r, value)
		}
	}
}

// width returns how many columns the values of a row may take, so that nothing moves as one changes.
func (v *values) width(ms style.Measure, r *Row) int {
	most := 0
	if value := v.of(r); value != "" {
		most = ms.Width(value) + valueFrame
	}
	for _, value := range r.Values {
		most = max(most, ms.Width(value)+valueFrame)
	}
	return most
}

// framed returns a value as it is drawn: in a row that is selected with a mark at each side where there is another one.
func (v *values) framed(r *Row, selected bool) string {
	value := v.of(r)
	if value == "" {
		return ""
	}
	at := slices.Index(r.Values, value)
	left, right := "  ", ""
	if selected && at > 0 {
		left = "‹ "
	}
	if selected && at < len(r.Values)-1 {
		right = " ›"
	}
	return left + value + right
}

// turn turns the value of the selected row. It reports false where there is none: the keys move in the filter then.
func (p *Picker) turn(by int) (a Action, turns bool) {
	r, ok := p.Selected()
	if !ok {
		return nil, false
	}
	changed, choice := p.values.turn(&r, by)
	if !changed {
		return nil, choice
	}
	p.all[p.shown[p.at]] = r
	p.finds.reset()
	return Turned{r}, true
}
