package ui

import "parley/ui/style"

// What stays on the normal screen when the program is left: the last prompt and its answer, but no more than so many
// rows; of a short one so many more rows of what was before.
const (
	lastWordsMost  = 200
	lastWordsLeast = 20
)

// lastWords are the last prompt and all that came of it as they look on the screen, and where that is little, what was
// before, up to so many rows. Of very much the end is kept.
func (f *feed) lastWords(l *style.Look, least int) []string {
	var blocks [][]string
	have, prompt := 0, false
	for i := len(f.list) - 1; i >= 0 && have < lastWordsMost && (have < least || !prompt); i-- {
		if f.list[i].state().hidden {
			continue
		}
		rows := f.list[i].layout(l)
		if len(rows) == 0 {
			continue
		}
		if _, is := f.list[i].(*userItem); is {
			prompt = true
		}
		if f.list[i].state().gap {
			rows = append([]string{""}, rows...)
		}
		blocks = append(blocks, rows)
		have += len(rows)
	}
	var out []string
	for i := len(blocks) - 1; i >= 0; i-- {
		out = append(out, blocks[i]...)
	}
	if cut := len(out) - lastWordsMost; cut > 0 {
		out = append([]string{"  " + l.Theme.Dim.Of("… "+style.Count(cut+1, "row", "rows")+" before this")}, out[cut+1:]...)
	}
	for len(out) > 0 && out[0] == "" {
		out = out[1:]
	}
	return out
}
