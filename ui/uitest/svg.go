package uitest

import (
	"fmt"
	"html"
	"image/color"
	"math"
	"strings"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"parley/internal/lazyregexp"
)

// The size of a cell in the pixels of a picture. The width is what most monospace fonts advance at fontSize.
const (
	cellWidth  = 8.4
	cellHeight = 18.0
	fontSize   = 14.0
	baseline   = 13.5
	margin     = 12.0
)

// Scheme gives a picture the colors that a terminal chooses itself. Palette holds the sixteen of ANSI.
type Scheme struct {
	Foreground, Background string
	Palette                [16]string
}

// The two schemes of the pictures in the documentation.
var (
	DarkScheme = Scheme{Foreground: "#d6d6d6", Background: "#1a1b1e", Palette: [16]string{
		"#1a1b1e", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#b8bcc4",
		"#7f848e", "#ef8891", "#b3d796", "#f0d399", "#82c2f5", "#d999ea", "#7fcbd4", "#f5f5f5"}}
	LightScheme = Scheme{Foreground: "#24292f", Background: "#ffffff", Palette: [16]string{
		"#24292f", "#b3261e", "#11713a", "#7a5200", "#0550ae", "#7a33b8", "#0f6a75", "#5c636b",
		"#57606a", "#c4372e", "#1a7f42", "#8a5d00", "#0a63c9", "#8e46cc", "#16777f", "#f6f8fa"}}
)

// background finds what a terminal reports as its background: two digits of each color.
var background = lazyregexp.New(`\x1b\]11;rgb:([0-9a-f]{2})[0-9a-f]{2}/([0-9a-f]{2})[0-9a-f]{2}/([0-9a-f]{2})[0-9a-f]{2}`)

// reported returns the scheme of a terminal that sent these bytes: dark or light, and on the background they report.
func (s Scheme) reported(bytes string) Scheme {
	m := background.FindStringSubmatch(bytes)
	if m == nil {
		return s
	}
	own := "#" + strings.Join(m[1:], "")
	s = LightScheme
	if (uv.BackgroundColorEvent{Color: ansi.XParseColor(own)}).IsDark() {
		s = DarkScheme
	}
	s.Background = own
	return s
}

// SVG draws the screen as a picture that needs no other file: one exact grid of cells in true color, with the cursor as a
// block if it is shown. The same cells give the same bytes. title names the picture for readers that cannot see it.
func (s *Screen) SVG(scheme Scheme, title string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := drawing{scheme: scheme}
	width, height := s.emu.Width(), s.emu.Height()
	at := s.emu.CursorPosition()
	for y := range height {
		cursor := -1
		if y == at.Y && !s.hidden {
			cursor = at.X
		}
		d.row(y, width, cursor, func(x int) *uv.Cell { return s.emu.CellAt(x, y) })
	}
	var b strings.Builder
	scheme.begin(&b, width, height, title, "")
	b.WriteString(`<g shape-rendering="crispEdges">` + "\n")
	d.grounds.write(&b)
	b.WriteString("</g>\n")
	d.lines.write(&b)
	b.WriteString(d.text.String())
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// begin writes what stands before the cells of a picture: its size, its title, a style sheet where it has one, its ground and its font.
func (s Scheme) begin(b *strings.Builder, width, height int, title, sheet string) {
	w, h := float64(width)*cellWidth+2*margin, float64(height)*cellHeight+2*margin
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img">`+"\n", px(w), px(h))
	fmt.Fprintf(b, "<title>%s</title>\n", html.EscapeString(title))
	if sheet != "" {
		fmt.Fprintf(b, "<style>\n%s</style>\n", sheet)
	}
	fmt.Fprintf(b, `<rect x=".5" y=".5" width="%s" height="%s" rx="8" fill="%s" stroke="%s" stroke-opacity=".2"/>`+"\n", px(w-1), px(h-1), s.Background, s.Foreground)
	fmt.Fprintf(b, `<g transform="translate(%s %s)" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%s" fill="%s" xml:space="preserve">`+"\n",
		px(margin), px(margin), px(fontSize), s.Foreground)
}

// drawing collects the text of a picture and what lies below it.
type drawing struct {
	scheme         Scheme
	grounds, lines rects
	text           strings.Builder
}

// rect is a rectangle in pixels with the attributes of its element, each after a blank.
type rect struct {
	x, y, w, h float64
	attributes string
}

// rects are rectangles in the order of drawing.
type rects []rect

// add appends a rectangle, or widens the last one to it where they touch and are alike, so that no seam shows.
func (rs *rects) add(r rect) {
	if n := len(*rs); n > 0 {
		last := &(*rs)[n-1]
		if last.y == r.y && last.h == r.h && last.attributes == r.attributes && math.Abs(last.x+last.w-r.x) < .01 {
			last.w += r.w
			return
		}
	}
	*rs = append(*rs, r)
}

func (rs rects) write(b *strings.Builder) {
	for _, r := range rs {
		fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s"%s/>`+"\n", px(r.x), px(r.y), px(r.w), px(r.h), r.attributes)
	}
}

// run is a stretch of cells of one look.
type run struct {
	from, cells int
	text        string
	pen         pen
}

// pen is how a cell is drawn, with its colors named.
type pen struct {
	fg, bg                               string
	bold, faint, italic, struck, underln bool
}

// plain reports whether blanks show nothing of the pen but its ground.
func (p pen) plain() bool { return !p.underln && !p.struck }

// row draws one row as runs of equal look, with the cursor in a column if it is not negative. A wide glyph, a line of boxes
// and what follows several blanks are runs apart, so that the grid stays exact in every font.
func (d *drawing) row(y, width, cursor int, cell func(x int) *uv.Cell) {
	var at run
	end := func() {
		d.run(y, at)
		at = run{}
	}
	for x := 0; x < width; {
		c := cell(x)
		text, cells, p := " ", 1, pen{}
		if c != nil {
			if c.Content != "" {
				text = c.Content
			}
			cells = max(1, c.Width)
			p = d.pen(c.Style)
		}
		if x == cursor {
			p = pen{fg: d.scheme.Background, bg: d.scheme.Foreground}
		}
		alone := cells > 1 || utf8.RuneCountInString(text) > 1 || boxes[text] != nil
		column := text != " " && strings.HasSuffix(at.text, "  ") && at.pen.plain()
		if at.cells > 0 && (alone || column || p != at.pen) {
			end()
		}
		if at.cells == 0 {
			at = run{from: x, pen: p}
		}
		at.cells += cells
		at.text += text
		x += cells
		if alone {
			end()
		}
	}
	if at.cells > 0 {
		end()
	}
}

func (d *drawing) run(y int, r run) {
	x, top := float64(r.from)*cellWidth, float64(y)*cellHeight
	if r.pen.bg != "" {
		d.grounds.add(rect{x, top, float64(r.cells) * cellWidth, cellHeight, ` fill="` + r.pen.bg + `"`})
	}
	if box := boxes[r.text]; box != nil {
		for _, b := range box {
			d.lines.add(rect{x + b[0]*cellWidth, top + b[1]*cellHeight, b[2] * cellWidth, b[3] * cellHeight, r.pen.attributes()})
		}
		return
	}
	text, cells := r.text, r.cells
	if r.pen.plain() {
		text = strings.TrimLeft(text, " ")
		x += float64(len(r.text)-len(text)) * cellWidth
		text = strings.TrimRight(text, " ")
		cells -= len(r.text) - len(text)
	}
	if text == "" {
		return
	}
	fmt.Fprintf(&d.text, `<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
		px(x), px(top+baseline), px(float64(cells)*cellWidth), r.pen.attributes(), html.EscapeString(text))
}

// pen names the colors of a style; what is reversed changes places.
func (d *drawing) pen(s uv.Style) pen {
	p := pen{fg: d.name(s.Fg), bg: d.name(s.Bg)}
	if s.Attrs&uv.AttrReverse != 0 {
		fg := p.fg
		if fg == "" {
			fg = d.scheme.Foreground
		}
		if p.fg = p.bg; p.fg == "" {
			p.fg = d.scheme.Background
		}
		p.bg = fg
	}
	p.bold, p.faint, p.italic = s.Attrs&uv.AttrBold != 0, s.Attrs&uv.AttrFaint != 0, s.Attrs&uv.AttrItalic != 0
	p.struck, p.underln = s.Attrs&uv.AttrStrikethrough != 0, s.Underline != 0
	return p
}

// name returns a color as SVG writes it: those of the palette from the scheme, "" for the terminal's own.
func (d *drawing) name(c color.Color) string {
	switch c := c.(type) {
	case nil:
		return ""
	case ansi.BasicColor:
		return d.scheme.Palette[c&15]
	case ansi.IndexedColor:
		if c < 16 {
			return d.scheme.Palette[c]
		}
	}
	return colorName(c)
}

// attributes returns the pen as attributes of an element, each after a blank.
func (p pen) attributes() string {
	var b strings.Builder
	for _, a := range []struct {
		has  bool
		text string
	}{{p.fg != "", ` fill="` + p.fg + `"`}, {p.bold, ` font-weight="700"`}, {p.faint, ` opacity=".6"`}, {p.italic, ` font-style="italic"`},
		{p.underln && p.struck, ` text-decoration="underline line-through"`}, {p.underln && !p.struck, ` text-decoration="underline"`}, {p.struck && !p.underln, ` text-decoration="line-through"`}} {
		if a.has {
			b.WriteString(a.text)
		}
	}
	return b.String()
}

// boxes are the characters that have to meet their neighbors, as rectangles in parts of a cell: x, y, width, height.
var boxes = map[string][][4]float64{
	"─": {{0, .47, 1, .06}}, "━": {{0, .44, 1, .12}}, "╶": {{.5, .47, .5, .06}}, "╴": {{0, .47, .5, .06}},
	"│": {{.46, 0, .1, 1}}, "┆": {{.46, .08, .1, .22}, {.46, .39, .1, .22}, {.46, .7, .1, .22}}, "┃": {{.4, 0, .2, 1}},
	"┌": {{.46, .47, .54, .06}, {.46, .47, .1, .53}}, "┐": {{0, .47, .56, .06}, {.46, .47, .1, .53}},
	"└": {{.46, .47, .54, .06}, {.46, 0, .1, .53}}, "┘": {{0, .47, .56, .06}, {.46, 0, .1, .53}},
	"├": {{.46, .47, .54, .06}, {.46, 0, .1, 1}}, "┤": {{0, .47, .56, .06}, {.46, 0, .1, 1}},
	"┬": {{0, .47, 1, .06}, {.46, .47, .1, .53}}, "┴": {{0, .47, 1, .06}, {.46, 0, .1, .53}}, "┼": {{0, .47, 1, .06}, {.46, 0, .1, 1}},
	"█": {{0, 0, 1, 1}}, "▌": {{0, 0, .5, 1}}, "▎": {{0, 0, .25, 1}}, "▏": {{0, 0, .125, 1}}, "▐": {{.5, 0, .5, 1}},
	"▀": {{0, 0, 1, .5}}, "▄": {{0, .5, 1, .5}},
	"▰": {{.08, .3, .84, .42}}, "▱": {{.08, .3, .84, .07}, {.08, .65, .84, .07}, {.08, .3, .1, .42}, {.82, .3, .1, .42}},
}

// px writes a length without needless digits.
func px(v float64) string {
	s := strings.TrimRight(fmt.Sprintf("%.2f", v), "0")
	return strings.TrimSuffix(s, ".")
}
