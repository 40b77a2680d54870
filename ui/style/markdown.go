package style

import (
	"image/color"

	"parley/ui/md"
	"parley/ui/shade"
)

// Markdown returns the theme of the agent's words that goes with this one.
func (t *Theme) Markdown() *md.Theme {
	switch {
	case t.words != nil && (!t.Few || !t.Colour):
		return t.words
	case t.md != nil:
	case t.words != nil:
		p := shade.Few(t.Dark)
		t.md = t.words.Bare(p.Good, p.Bad)
	case t.palette != nil:
		t.md = md.Mixed(t.palette)
	case !t.Colour:
		p := shade.Plain()
		t.md = md.Mixed(&p)
	case t.Few:
		p := shade.Few(t.Dark)
		t.md = md.Mixed(&p)
	case t.Dark:
		t.md = md.Dark().On(t.roles())
	default:
		t.md = md.Light().On(t.roles())
	}
	return t.md
}

// roles returns the colors of signs and alerts where there are more than sixteen and the background is not known. There are no
// surfaces then, but for changes in 256 colors.
func (t *Theme) roles() md.Surfaces {
	pick := t.pick()
	good, bad := pick("", "2", "28", "114"), pick("1", "9", "124", "210")
	warn := pick("1", "11", "130", "215")
	s := md.Surfaces{Good: good, Bad: bad, Dim: pick("8", "7", "242", "245"), Note: pick("4", "14", "25", "111"), Tip: good,
		Important: pick("5", "13", "91", "141"), Warning: warn, Caution: bad}
	if t.Cells && !t.Contrast { // the nearest cells to a mix would be one grey for both
		ground := shade.Ground{Background: color.White}
		if t.Dark {
			ground.Background = color.Black
		}
		p := shade.Cells(ground)
		s.Added, s.Removed, s.AddedWord, s.RemovedWord = p.Added, p.Removed, p.AddedWord, p.RemovedWord
	}
	return s
}
