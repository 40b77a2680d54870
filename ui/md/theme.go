package md

import (
	"strings"

	"charm.land/glamour/v2/ansi"

	"parley/ui/md/cells"
)

// Theme is a style of glamour, compiled for drawing. It never changes and is safe for concurrent use.
type Theme struct {
	text                       overlay
	emph, strong, struck, code block
	heading                    [7]block // by level; 0 is unused
	quote                      block    // suffix unused; prefix is the bar
	list                       listTheme
	rule                       overlay
	ruleGlyph                  string
	link, linkText             overlay
	image, imageText           overlay
	imageFormat                string
	html, htmlSpan             overlay
	table                      tableTheme
	alerts                     map[string]overlay // by the mark
	source                     sourceTheme
	added, removed             changeTheme
	tinted                     bool // changed lines have a background, on which code has its colors
}

// listTheme holds the marks of lists.
type listTheme struct {
	item, enum       block // prefix is the bullet; suffix of a number
	task             overlay
	ticked, unticked string
}

// tableTheme is the look of a table and its lines.
type tableTheme struct {
	overlay
	column, row, cross string
}

// sourceTheme holds the looks of code.
type sourceTheme struct {
	look     overlay
	margin   int
	kinds    map[int16]overlay // by chroma.TokenType
	plain    overlay           // without colors
	quiet    overlay           // line numbers, fold marks: what is secondary
	label    overlay           // the language
	fileName overlay
	skipped  string // represents what is left out between two hunks
}

// changeTheme holds the looks of added or removed lines.
type changeTheme struct {
	line, sign overlay
	word       overlay // what changed within the line
}

// block is the look of an element and what surrounds its text.
type block struct {
	overlay
	prefix, suffix string
}

// NewTheme compiles a style of glamour. Text in a style is made visible like any other text from outside. It ignores what
// cannot be drawn row by row while a document grows: margins and prefixes of the document, block prefixes that are newlines,
// level_indent, definition lists and the attributes that change case.
func NewTheme(s ansi.StyleConfig) *Theme {
	t := &Theme{
		text: over(s.Document.StylePrimitive).then(over(s.Text)), emph: around(s.Emph), strong: around(s.Strong),
		struck: around(s.Strikethrough),
		code:   around(s.Code.StylePrimitive),
		quote:  block{overlay: over(s.BlockQuote.StylePrimitive), prefix: or(s.BlockQuote.IndentToken, "│ ")},
		list: listTheme{
			item: block{overlay: over(s.Item), prefix: first(s.Item.BlockPrefix, "• ")},
			enum: block{overlay: over(s.Enumeration), suffix: first(s.Enumeration.BlockPrefix, ". ")},
			task: over(s.Task.StylePrimitive), ticked: first(s.Task.Ticked, "[✓] "), unticked: first(s.Task.Unticked, "[ ] "),
		},
		rule: over(s.HorizontalRule), ruleGlyph: glyph(s.HorizontalRule.Format),
		link: over(s.Link), linkText: over(s.LinkText),
		image: over(s.Image), imageText: over(s.ImageText), imageFormat: first(s.ImageText.Format, "{{.text}}"),
		html: over(s.HTMLBlock.StylePrimitive), htmlSpan: over(s.HTMLSpan.StylePrimitive),
		table: tableTheme{
			overlay: over(s.Table.StylePrimitive), column: cellOr(s.Table.ColumnSeparator, "│"),
			row: cellOr(s.Table.RowSeparator, "─"), cross: cellOr(s.Table.CenterSeparator, "┼"),
		},
		source: sourceTheme{look: over(s.CodeBlock.StylePrimitive), margin: marginOr(s.CodeBlock.Margin, 2), skipped: "⋯"},
	}
	for i, h := range []ansi.StyleBlock{s.H1, s.H2, s.H3, s.H4, s.H5, s.H6} {
		t.heading[i+1] = around(h.StylePrimitive)
		t.heading[i+1].overlay = over(s.Heading.StylePrimitive).then(over(h.StylePrimitive))
	}
	t.setCode(s.CodeBlock)
	t.source.label, t.added.sign, t.removed.sign = t.source.quiet, t.added.line, t.removed.line
	if t.html == (overlay{}) {
		t.html = t.source.quiet
	}
	if t.htmlSpan == (overlay{}) {
		t.htmlSpan = t.html
	}
	return t
}

// over returns what a primitive sets.
func over(p ansi.StylePrimitive) (o overlay) {
	if p.Color != nil {
		o.fg = parseColor(*p.Color)
	}
	if p.BackgroundColor != nil {
		o.bg = parseColor(*p.BackgroundColor)
	}
	for _, a := range []struct {
		v   *bool
		bit attr
	}{{p.Bold, bold}, {p.Faint, faint}, {p.Italic, italic}, {p.Underline, underline}, {p.Blink, blink},
		{p.Inverse, inverse}, {p.Conceal, conceal}, {p.CrossedOut, strike}} {
		if a.v != nil && *a.v {
			o.set |= a.bit
		} else if a.v != nil {
			o.off |= a.bit
		}
	}
	return o
}

func around(p ansi.StylePrimitive) block {
	return block{over(p), inRow(p.BlockPrefix + p.Prefix), inRow(p.Suffix + p.BlockSuffix)}
}

// inRow returns a style's text as it fits into a row.
func inRow(s string) string {
	return cells.Visible(strings.NewReplacer("\n", "", "\t", " ").Replace(s))
}

func first(s, otherwise string) string {
	if s = inRow(s); s == "" {
		return otherwise
	}
	return s
}

func or(s *string, otherwise string) string {
	if s == nil {
		return otherwise
	}
	return first(*s, otherwise)
}

// cellOr is or for a mark that must be one cell wide.
func cellOr(s *string, otherwise string) string {
	if c := or(s, otherwise); cells.Width(c, cells.WcWidth) == 1 && cells.Width(c, cells.Grapheme) == 1 {
		return c
	}
	return otherwise
}

// marginOr returns a margin within bounds.
func marginOr(n *uint, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return int(min(*n, 16))
}

// glyph returns what a rule repeats to fill the width; a style's rule is a line of fixed length ("--------").
func glyph(format string) string {
	g := strings.TrimSpace(inRow(format))
	if g == "" {
		return "─"
	}
	if n, w := cells.Unit(g, cells.Grapheme); w == 1 && strings.Trim(g, g[:n]) == "" {
		return g[:n]
	}
	return g
}
