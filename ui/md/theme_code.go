package md

import (
	"image/color"
	"strings"

	"charm.land/glamour/v2/ansi"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/styles"
)

// codeLooks returns the looks of code by kind of token, each with what its more general kinds set: from the style's own
// entries, or else from the style of chroma that it names.
func codeLooks(s ansi.StyleCodeBlock) map[int16]overlay {
	looks := map[int16]overlay{}
	if s.Chroma != nil {
		set := chromaEntries(s.Chroma)
		for kind := range chroma.StandardTypes {
			o := set[chroma.Text]
			for _, k := range []chroma.TokenType{kind.Category(), kind.SubCategory(), kind} {
				o = o.then(set[k])
			}
			looks[int16(kind)] = o
		}
		return looks
	}
	if named := styles.Registry[strings.ToLower(s.Theme)]; named != nil {
		ground := named.Get(chroma.Background).Background
		for kind := range chroma.StandardTypes {
			looks[int16(kind)] = entryLook(named.Get(kind), ground)
		}
	}
	return looks
}

// chromaEntries maps the fields of glamour's format to the kinds of tokens they are for.
func chromaEntries(c *ansi.Chroma) map[chroma.TokenType]overlay {
	set := map[chroma.TokenType]overlay{}
	for kind, p := range map[chroma.TokenType]ansi.StylePrimitive{
		chroma.Text: c.Text, chroma.Error: c.Error, chroma.Comment: c.Comment, chroma.CommentPreproc: c.CommentPreproc,
		chroma.Keyword: c.Keyword, chroma.KeywordReserved: c.KeywordReserved, chroma.KeywordNamespace: c.KeywordNamespace,
		chroma.KeywordType: c.KeywordType, chroma.Operator: c.Operator, chroma.Punctuation: c.Punctuation, chroma.Name: c.Name,
		chroma.NameBuiltin: c.NameBuiltin, chroma.NameTag: c.NameTag, chroma.NameAttribute: c.NameAttribute,
		chroma.NameClass: c.NameClass, chroma.NameConstant: c.NameConstant, chroma.NameDecorator: c.NameDecorator,
		chroma.NameException: c.NameException, chroma.NameFunction: c.NameFunction, chroma.NameOther: c.NameOther,
		chroma.Literal: c.Literal, chroma.LiteralNumber: c.LiteralNumber, chroma.LiteralDate: c.LiteralDate,
		chroma.LiteralString: c.LiteralString, chroma.LiteralStringEscape: c.LiteralStringEscape,
		chroma.GenericDeleted: c.GenericDeleted, chroma.GenericEmph: c.GenericEmph, chroma.GenericInserted: c.GenericInserted,
		chroma.GenericStrong: c.GenericStrong, chroma.GenericSubheading: c.GenericSubheading,
	} {
		set[kind] = over(p)
	}
	return set
}

// entryLook returns what an entry of a style of chroma sets, except for the background of all code, which stays the terminal's.
func entryLook(e chroma.StyleEntry, ground chroma.Colour) (o overlay) {
	rgb := func(c chroma.Colour) color.Color {
		return color.RGBA{R: c.Red(), G: c.Green(), B: c.Blue(), A: 0xff}
	}
	if e.Colour.IsSet() {
		o.fg = rgb(e.Colour)
	}
	if e.Background.IsSet() && e.Background != ground {
		o.bg = rgb(e.Background)
	}
	for _, a := range []struct {
		on  chroma.Trilean
		bit attr
	}{{e.Bold, bold}, {e.Italic, italic}, {e.Underline, underline}} {
		if a.on == chroma.Yes {
			o.set |= a.bit
		}
	}
	return o
}

// token returns the look of a kind of token.
func (t *Theme) token(kind int16) overlay { return t.source.kinds[kind] }

// setCode prepares the looks of code and changes.
func (t *Theme) setCode(s ansi.StyleCodeBlock) {
	t.source.kinds = codeLooks(s)
	of := func(kind chroma.TokenType) overlay { return t.source.kinds[int16(kind)] }
	t.source.plain, t.source.quiet, t.source.fileName = of(chroma.Text), of(chroma.Comment), of(chroma.GenericSubheading)
	text := t.source.plain
	if text.fg == nil {
		text = t.text
	}
	t.added.line, t.tinted = changed(of(chroma.GenericInserted), text)
	t.removed.line, _ = changed(of(chroma.GenericDeleted), text)
}

// changed returns the look of a line that was added or removed: the style's color, on the style's background or an eighth of
// that color. tinted reports whether there is a background; without one the line has a single color.
func changed(o, text overlay) (line overlay, tinted bool) {
	if o.bg == nil && o.fg != nil && text.fg != nil {
		o.bg = tint(o.fg, text.fg)
	}
	return o, o.bg != nil
}

// tint mixes an eighth of a color into black, or into white if text on it is dark. It mixes in RGB, which lipgloss does not.
func tint(c, text color.Color) color.Color {
	var ground uint32
	if r, g, b, _ := text.RGBA(); (299*(r>>8)+587*(g>>8)+114*(b>>8))/1000 < 128 {
		ground = 255
	}
	mix := func(v uint32) uint8 { return uint8((v>>8 + 7*ground) / 8) }
	r, g, b, _ := c.RGBA()
	return color.RGBA{R: mix(r), G: mix(g), B: mix(b), A: 0xff}
}
