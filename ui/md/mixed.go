package md

import (
	"image/color"

	"charm.land/glamour/v2/ansi"

	"parley/ui/shade"
)

// Mixed returns our style in the colors of a palette, on its surfaces.
func Mixed(p *shade.Palette) *Theme {
	s := ownStyle(p.Dark())
	accent, dim := shade.Hex(p.Accent), shade.Hex(p.Dim)
	for _, at := range []**string{&s.H1.Color, &s.H2.Color, &s.LinkText.Color, &s.ImageText.Color} {
		*at = &accent
	}
	for _, at := range []**string{&s.H4.Color, &s.H6.Color, &s.BlockQuote.Color, &s.Strikethrough.Color, &s.HorizontalRule.Color, &s.Link.Color,
		&s.Image.Color, &s.HTMLBlock.Color, &s.HTMLSpan.Color} {
		*at = &dim
	}
	code := hex(p.Code.String)
	s.Code.Color = code
	if s.CodeBlock.Chroma != nil {
		paint(s.CodeBlock.Chroma, p.Code, p.Accent)
	}
	return NewTheme(s).On(Surfaces{Raised: p.Raised, Added: p.Added, Removed: p.Removed, AddedWord: p.AddedWord, RemovedWord: p.RemovedWord,
		Good: p.Good, Bad: p.Bad, Dim: p.Dim, Note: p.Accent, Tip: p.Good, Important: p.Code.Constant, Warning: p.Warn, Caution: p.Bad})
}

// hex returns a color as the styles of glamour have it.
func hex(c color.Color) *string {
	s := shade.Hex(c)
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
			at.Color = hex(role.color)
		}
	}
}
