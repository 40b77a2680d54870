package background

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
	"parley/ui/transcript/child"
)

// pane shows output. It follows the end until the user scrolls up.
type pane struct {
	look *style.Look

	of    session.Work
	rev   uint64
	width int
	rows  []string // of the whole output

	top    int
	height int
	away   bool // scrolled up
	find   find
}

// find is the search in the output.
type find struct {
	typing bool
	words  string
	at     int // the row of the match, -1 for none
}

// rev returns the revision of what the output comes from.
func revOf(w session.Work) uint64 {
	if w.Child != nil {
		return w.Child.Rev()
	}
	return w.Tool.Rev()
}

// show lays out the output of work in so many columns and rows, if it has changed.
func (p *pane) show(w session.Work, width, height int) {
	if w != p.of {
		*p = pane{look: p.look, of: w}
		p.find.at = -1
	}
	p.height = height
	if rev := revOf(w); rev != p.rev || width != p.width || p.rows == nil {
		p.rev, p.width = rev, width
		p.rows = p.layout(width)
	}
	most := max(0, len(p.rows)-height)
	if !p.away || p.top >= most {
		p.top, p.away = most, false
	}
}

// layout returns the rows of all output.
func (p *pane) layout(width int) []string {
	if c := p.of.Child; c != nil {
		l := *p.look
		l.Width = width + style.GutterWidth
		rows := child.Rows(&l, c)
		for i, r := range rows {
			rows[i] = strings.TrimPrefix(r, "    ")
		}
		return rows
	}
	text := strings.TrimRight(style.PlainOutput(core.WorkOutput(p.of)), "\n")
	if text == "" {
		return nil
	}
	var rows []string
	if n := p.of.Tool.Dropped(); n > 0 && p.of.Tool.Result.Text == "" {
		rows = append(rows, p.look.Theme.Dim.Of("… the beginning is no longer kept"))
	}
	return append(rows, p.look.Measure.Hardwrap(style.Visible(text), width)...)
}

// frame returns the visible rows.
func (p *pane) frame() []string {
	rows := slices.Clone(p.rows[min(p.top, len(p.rows)):min(p.top+p.height, len(p.rows))])
	if i := p.find.at - p.top; p.find.at >= 0 && i >= 0 && i < len(rows) {
		rows[i] = p.look.Theme.Bold.Of(style.Unstyled(rows[i]))
	}
	return rows
}

// scroll moves by rows, down if they are positive.
func (p *pane) scroll(by int) {
	p.top = max(0, min(p.top+by, len(p.rows)-p.height))
	p.away = p.top < len(p.rows)-p.height
}

// end goes to the end and follows it.
func (p *pane) end() { p.away = false }

// key handles a key while the output is read.
func (p *pane) key(s string) {
	switch s {
	case "up", "k", "ctrl+p":
		p.scroll(-1)
	case "down", "j", "ctrl+n", "enter":
		p.scroll(1)
	case "pgup":
		p.scroll(-max(1, p.height-1))
	case "pgdown", "space":
		p.scroll(max(1, p.height-1))
	case "ctrl+u":
		p.scroll(-max(1, p.height/2))
	case "ctrl+d":
		p.scroll(max(1, p.height/2))
	case "home", "g":
		p.scroll(-len(p.rows))
	case "end", "G", "shift+g":
		p.end()
	case "n":
		p.next(-1)
	case "N", "shift+n":
		p.next(1)
	}
}

// openFind opens the search.
func (p *pane) openFind() { p.find = find{typing: true, at: -1} }

// findKey handles a key while the words of the search are written.
func (p *pane) findKey(k tea.KeyPressMsg) {
	switch k.String() {
	case "esc", "ctrl+c":
		p.find = find{at: -1}
		return
	case "enter":
		p.find.typing = false
		return
	case "backspace":
		if r := []rune(p.find.words); len(r) > 0 {
			p.find.words = string(r[:len(r)-1])
		}
	default:
		p.find.words += k.Text
	}
	p.find.at = len(p.rows)
	p.next(-1)
}

// next goes to the next row that has the words, up for -1 and down for 1.
func (p *pane) next(dir int) {
	words := strings.ToLower(p.find.words)
	if words == "" {
		return
	}
	for i := p.find.at + dir; i >= 0 && i < len(p.rows); i += dir {
		if strings.Contains(strings.ToLower(style.Unstyled(p.rows[i])), words) {
			p.find.at = i
			p.top = max(0, min(i-p.height/2, len(p.rows)-p.height))
			p.away = p.top < len(p.rows)-p.height
			return
		}
	}
	if p.find.at >= len(p.rows) {
		p.find.at = -1
	}
}
