package md

import (
	"image/color"
	"strconv"

	"charm.land/glamour/v2/ansi"
	xansi "github.com/charmbracelet/x/ansi"

	"parley/ui/shade"
)

// Mixed returns our style in the colors of a palette, on its surfaces. Without surfaces changed lines have a single color, and what
// changed in them is underlined.
func Mixed(p *shade.Palette) *Theme {
	s := ownStyle(p.Dark())
	accent, dim := *colorName(p.Accent), *colorName(p.Dim)
	for _, at := range []**string{&s.H1.Color, &s.H2.Color, &s.LinkText.Color, &s.ImageText.Color} {
		*at = &accent
	}
	for _, at := range []**string{&s.H4.Color, &s.H6.Color, &s.BlockQuote.Color, &s.Strikethrough.Color, &s.HorizontalRule.Color, &s.Link.Color,
		&s.Image.Color, &s.HTMLBlock.Color, &s.HTMLSpan.Color} {
		*at = &dim
	}
	s.Code.Color = colorName(p.Code.String)
	if c := s.CodeBlock.Chroma; c != nil {
		paint(c, p.Code, p.Accent)
		if p.Added == nil {
			c.GenericInserted, c.GenericDeleted = ansi.StylePrimitive{Color: colorName(p.Good)}, ansi.StylePrimitive{Color: colorName(p.Bad)}
		}
	}
	return NewTheme(s).On(Surfaces{Raised: p.Raised, Added: p.Added, Removed: p.Removed, AddedWord: p.AddedWord, RemovedWord: p.RemovedWord,
		Good: p.Good, Bad: p.Bad, Dim: p.Dim, Note: p.Accent, Tip: p.Good, Important: p.Code.Constant, Warning: p.Warn, Caution: p.Bad})
}

// colorName returns a color as the styles of glamour have it: one of the sixteen by its number, nil as "".
func colorName(c color.Color) *string {
	s := ""
	switch c := c.(type) {
	case nil:
	case xansi.BasicColor:
		s = strconv.Itoa(int(c))
	default:
		s = shade.Hex(c)
	}
	return &s
}

// paint puts the colors of code into a style.
func paint(c *ansi.Chroma, code shade.Code, heading color.Color) {
	for _, role := range []struct {
		color color.Color
		of    []*ansi.StylePrimitive
	}{
		{code.Comment, []*ansi.StylePrimitive{&c.Comment}},
		{code.Preproc, []*ansi.StylePrimitive{&c.CommentPreproc}},
		{code.Keyword, []*ansi.StylePrimitive{&c.Keyword}},
		{code.Type, []*ansi.StylePrimitive{&c.KeywordType, &c.NameBuiltin, &c.NameClass}},
		{code.Tag, []*ansi.StylePrimitive{&c.NameTag}},
		{code.Attribute, []*ansi.StylePrimitive{&c.NameAttribute}},
		{code.Constant, []*ansi.StylePrimitive{&c.NameConstant}},
		{code.Decorator, []*ansi.StylePrimitive{&c.NameDecorator}},
		{code.Function, []*ansi.StylePrimitive{&c.NameFunction}},
		{code.Number, []*ansi.StylePrimitive{&c.LiteralNumber}},
		{code.String, []*ansi.StylePrimitive{&c.LiteralString}},
		{code.Escape, []*ansi.StylePrimitive{&c.LiteralStringEscape}},
		{heading, []*ansi.StylePrimitive{&c.GenericSubheading}},
	} {
		for _, at := range role.of {
			at.Color = colorName(role.color)
		}
	}
}
