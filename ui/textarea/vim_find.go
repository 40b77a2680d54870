package textarea

import "slices"

// finding is a search for a character within a line.
type finding struct {
	key  string // f, F, t or T
	char string
}

// motion returns the search as a motion; repeat is for ; and ,.
func (f finding) motion(repeat bool) motion {
	return motion{
		do:        func(ls lines, p pos, n int) (pos, bool) { return f.place(ls, p, n, repeat) },
		inclusive: f.key == "f" || f.key == "t",
	}
}

// reversed returns the search in the other direction.
func (f finding) reversed() finding {
	f.key = map[string]string{"f": "F", "F": "f", "t": "T", "T": "t"}[f.key]
	return f
}

// place returns where the nth such character of the line is. A repeated search that stops short of the character skips
// the one at which it stands.
func (f finding) place(ls lines, p pos, n int, repeat bool) (pos, bool) {
	if f.key == "" {
		return p, false
	}
	text := ls[p.line].text
	forth, short := f.key == "f" || f.key == "t", f.key == "t" || f.key == "T"
	var places []int
	for at := 0; at < len(text); at += next(text[at:]) {
		if text[at:at+next(text[at:])] == f.char {
			places = append(places, at)
		}
	}
	if !forth {
		slices.Reverse(places)
	}
	for _, at := range places {
		q := pos{p.line, at}
		if forth && !p.less(q) || !forth && !q.less(p) {
			continue
		}
		stop := q
		if short && forth {
			stop = ls.left(q)
		} else if short {
			stop = ls.right(q)
		}
		if repeat && short && stop == p && n == 1 {
			continue
		}
		if n--; n == 0 {
			return stop, true
		}
	}
	return p, false
}
