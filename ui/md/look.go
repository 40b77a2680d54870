package md

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// color is a terminal color: zero for the terminal's own, else a kind in the top byte and a value below it.
type color uint32

const (
	indexed color = 1 << 24 // one of 256
	direct  color = 2 << 24 // 24 bits of RGB
)

// attr is a set of SGR attributes.
type attr uint8

const (
	bold attr = 1 << iota
	faint
	italic
	underline
	blink
	inverse
	conceal
	strike
)

var attrCodes = [...]struct {
	bit  attr
	code string
}{{bold, "1"}, {faint, "2"}, {italic, "3"}, {underline, "4"}, {blink, "5"}, {inverse, "7"}, {conceal, "8"}, {strike, "9"}}

// look is everything the pen carries.
type look struct {
	fg, bg color
	on     attr
	link   uint32 // what the text leads to, by its number in the renderer; 0 is nothing
}

// ink is a look without what it leads to: what an opener is made of.
type ink struct {
	fg, bg color
	on     attr
}

// overlay changes a look: what an element of a style sets on top of what it stands in.
type overlay struct {
	fg, bg   color
	set, off attr
}

func (l look) with(o overlay) look {
	if o.fg != 0 {
		l.fg = o.fg
	}
	if o.bg != 0 {
		l.bg = o.bg
	}
	l.on = l.on&^o.off | o.set
	return l
}

// then stacks p on o.
func (o overlay) then(p overlay) overlay {
	if p.fg != 0 {
		o.fg = p.fg
	}
	if p.bg != 0 {
		o.bg = p.bg
	}
	o.set = o.set&^p.off | p.set
	o.off = o.off&^p.set | p.off
	return o
}

// reset puts the pen down. Every sequence this package writes is this one or an opener of decimal parameters.
const reset = "\x1b[m"

// opener returns the sequence that takes a look from a reset pen, empty for the plain look.
func (l look) opener() string {
	if l == (look{}) {
		return ""
	}
	var ps []string
	for _, a := range attrCodes {
		if l.on&a.bit != 0 {
			ps = append(ps, a.code)
		}
	}
	ps = l.fg.params(ps, 30, 90, "38")
	ps = l.bg.params(ps, 40, 100, "48")
	return "\x1b[" + strings.Join(ps, ";") + "m"
}

func (c color) params(ps []string, low, high int, long string) []string {
	v := int(c &^ (indexed | direct))
	switch {
	case c == 0:
		return ps
	case c&direct != 0:
		return append(ps, long, "2", strconv.Itoa(v>>16), strconv.Itoa(v>>8&255), strconv.Itoa(v&255))
	case v < 8:
		return append(ps, strconv.Itoa(low+v))
	case v < 16:
		return append(ps, strconv.Itoa(high+v-8))
	}
	return append(ps, long, "5", strconv.Itoa(v))
}

// rgb returns the parts of a color, 0 to 255.
func (c color) rgb() (r, g, b int) {
	if v := int(c &^ (indexed | direct)); c&direct != 0 {
		return v >> 16, v >> 8 & 255, v & 255
	} else {
		r, g, b, _ := ansi.IndexedColor(uint8(v)).RGBA()
		return int(r >> 8), int(g >> 8), int(b >> 8)
	}
}

// parseColor parses a color as glamour does: an ANSI number, or # and three or six hexadecimal digits. Anything else gives
// no color.
func parseColor(s string) color {
	if h, ok := strings.CutPrefix(s, "#"); ok {
		if len(h) == 3 {
			h = string([]byte{h[0], h[0], h[1], h[1], h[2], h[2]})
		}
		if v, err := strconv.ParseUint(h, 16, 24); err == nil && len(h) == 6 {
			return direct | color(v)
		}
		return 0
	}
	if v, err := strconv.ParseUint(s, 10, 8); err == nil {
		return indexed | color(v)
	}
	return 0
}
