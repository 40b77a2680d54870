package list

import (
	"slices"

	"parley/ui/style"
)

// Offer is something to do with a row besides choosing it. Tab offers those of a list by their letters, so that what is typed
// filters; their keys do them at once. A Rowless one also works without a row.
type Offer struct {
	Name, Letter, Key string
	Rowless           bool
}

// offers are the offers of a list, and whether they are shown.
type offers struct {
	all  []Offer
	open bool
}

// press handles a key with the selected row, if there is one, and reports false for one that means what it usually does.
func (o *offers) press(key string, r Row, selected bool) (Action, bool) {
	open := o.open && selected
	o.open = open && slices.Contains([]string{"up", "down", "pgup", "pgdown"}, key)
	switch {
	case len(o.all) == 0:
		return nil, false
	case !selected && key == "tab":
		return nil, false
	case key == "tab":
		o.open = !open
		return nil, true
	case open && key == "esc":
		return nil, true
	}
	for _, one := range o.all {
		if (selected || one.Rowless) && key == one.Key || open && key == one.Letter {
			return Acted{r, one.Key}, true
		}
	}
	return nil, false
}

// rows returns the rows that show the offers in w columns, at most so many, each offer whole.
func (o *offers) rows(th style.Theme, ms style.Measure, w, most int) []string {
	var rows []string
	row := ""
	for _, one := range o.all {
		next := th.Accent.Of(one.Letter) + " " + one.Name
		if row != "" && ms.Width(row+"  "+next) > w {
			rows, row = append(rows, "  "+row), ""
		}
		if row != "" {
			row += "  "
		}
		row += next
	}
	rows = append(rows, "  "+ms.Clip(row, w))
	return rows[:min(len(rows), most)]
}

// suffix returns what stands behind a row's name, "" for nothing.
func (r *Row) suffix() string {
	switch {
	case r.Note != "":
		return " (" + r.Note + ")"
	case r.Mark:
		return " ✓"
	}
	return ""
}

// fit returns a row's name with what stands behind it, of which a note is whole in so many columns.
func (r *Row) fit(ms style.Measure, width int) string {
	name, suffix := r.Cells[0], r.suffix()
	if r.Note != "" && ms.Width(name+suffix) > width {
		name = ms.Clip(name, max(1, width-ms.Width(suffix)))
	}
	return name + suffix
}

// title returns the rows of a row's name where its column of so many cuts it, with an empty one below, nil elsewhere.
func (r *Row) title(ms style.Measure, named, w int) []string {
	if r.About != nil || len(r.Cells) == 0 || ms.Width(r.Cells[0]+r.suffix()) <= named {
		return nil
	}
	rows := ms.Wrap(r.Cells[0], w)
	return append(rows[:min(len(rows), nameRows)], "")
}
