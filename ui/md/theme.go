package md

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
)

// Theme is a Style prepared for drawing. It never changes and is safe for concurrent use.
type Theme struct {
	text                       overlay
	emph, strong, struck, code block
	heading                    [7]block // by level; 0 is unused
	codeBlock                  overlay
	codeMargin                 int
	quote                      block // suffix unused; prefix is the bar
	item, enum                 block // prefix is the bullet; suffix of a number
	task                       overlay
	ticked, unticked           string
	rule                       overlay
	ruleGlyph                  string
	link, linkText             overlay
	image, imageText           overlay
	imageFormat                string
	html, htmlSpan             overlay
	table                      overlay
	column, row, cross         string
	skipped                    string  // stands for what is left out between two hunks
	quiet                      overlay // line numbers, fold marks: what is secondary
	syntax                     [classes]overlay
}

// block is the look of an element and what it puts around its text.
type block struct {
	overlay
	prefix, suffix string
}

// NewTheme prepares a style. Text in a style is made visible like any other text from outside.
func NewTheme(s Style) *Theme {
	t := &Theme{
		text: over(s.Document.StylePrimitive).then(over(s.Text)), emph: around(s.Emph), strong: around(s.Strong),
		struck: around(s.Strikethrough),
		code:   around(s.Code.StylePrimitive), codeBlock: over(s.CodeBlock.StylePrimitive),
		codeMargin: cells(s.CodeBlock.Margin, 2),
		quote:      block{overlay: over(s.BlockQuote.StylePrimitive), prefix: or(s.BlockQuote.IndentToken, "│ ")},
		item:       block{overlay: over(s.Item), prefix: first(s.Item.BlockPrefix, "• ")},
		enum:       block{overlay: over(s.Enumeration), suffix: first(s.Enumeration.BlockPrefix, ". ")},
		task:       over(s.Task.StylePrimitive), ticked: first(s.Task.Ticked, "[✓] "),
		unticked: first(s.Task.Unticked, "[ ] "),
		rule:     over(s.HorizontalRule), ruleGlyph: glyph(s.HorizontalRule.Format),
		link: over(s.Link), linkText: over(s.LinkText),
		image: over(s.Image), imageText: over(s.ImageText), imageFormat: first(s.ImageText.Format, "{{.text}}"),
		html: over(s.HTMLBlock.StylePrimitive), htmlSpan: over(s.HTMLSpan.StylePrimitive),
		table:  over(s.Table.StylePrimitive),
		column: cellOr(s.Table.ColumnSeparator, "│"), row: cellOr(s.Table.RowSeparator, "─"),
		cross: cellOr(s.Table.CenterSeparator, "┼"), skipped: "⋯",
	}
	for i, h := range []StyleBlock{s.H1, s.H2, s.H3, s.H4, s.H5, s.H6} {
		t.heading[i+1] = around(h.StylePrimitive)
		t.heading[i+1].overlay = over(s.Heading.StylePrimitive).then(over(h.StylePrimitive))
	}
	if c := s.CodeBlock.Chroma; c != nil {
		t.syntax = syntaxLooks(c)
	}
	t.quiet = t.syntax[comment]
	if t.html == (overlay{}) {
		t.html = t.quiet
	}
	if t.htmlSpan == (overlay{}) {
		t.htmlSpan = t.html
	}
	return t
}

// over reads what a primitive sets.
func over(p StylePrimitive) (o overlay) {
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

func around(p StylePrimitive) block {
	return block{over(p), inRow(p.BlockPrefix + p.Prefix), inRow(p.Suffix + p.BlockSuffix)}
}

// inRow keeps of a style's text what can stand inside a row.
func inRow(s string) string {
	return Visible(strings.NewReplacer("\n", "", "\t", " ").Replace(s))
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

// cellOr is or for what must be one cell wide.
func cellOr(s *string, otherwise string) string {
	if c := or(s, otherwise); Width(c, WcWidth) == 1 && Width(c, Grapheme) == 1 {
		return c
	}
	return otherwise
}

func cells(n *uint, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return int(min(*n, 16))
}

// glyph returns what a rule repeats: a style's rule is a line of fixed length ("--------"), ours fills the width.
func glyph(format string) string {
	g := strings.TrimSpace(inRow(format))
	if g == "" {
		return "─"
	}
	if n, w := unit(g, Grapheme); w == 1 && strings.Trim(g, g[:n]) == "" {
		return g[:n]
	}
	return g
}

//go:embed themes/*.json
var themeFiles embed.FS

var builtins = func() map[string]func() *Theme {
	m := map[string]func() *Theme{}
	for _, n := range ThemeNames() {
		m[n] = sync.OnceValue(func() *Theme {
			b, err := themeFiles.ReadFile("themes/" + n + ".json")
			if err != nil {
				panic(err) // embedded: cannot fail
			}
			t, err := parseTheme(b)
			if err != nil {
				panic(err) // embedded, and read by a test
			}
			return t
		})
	}
	return m
}()

// ThemeNames lists the themes that LoadTheme knows by name, sorted: our own and those of glamour.
func ThemeNames() []string {
	files, err := fs.ReadDir(themeFiles, "themes")
	if err != nil {
		panic(err) // embedded: cannot fail
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".json"))
	}
	slices.Sort(names)
	return names
}

// Dark is for terminals with a dark background.
func Dark() *Theme { return builtins["dark"]() }

// Light is for terminals with a light background.
func Light() *Theme { return builtins["light"]() }

// HighContrast uses only the terminal's own foreground, bold, underline and its bright colors.
func HighContrast() *Theme { return builtins["high-contrast"]() }

// NoTTY uses no color and no attribute; marks in the text carry the structure.
func NoTTY() *Theme { return builtins["notty"]() }

// StyleJSON returns the style file of a named theme, for programs that read glamour's format.
func StyleJSON(name string) ([]byte, bool) {
	b, err := themeFiles.ReadFile("themes/" + name + ".json")
	return b, err == nil
}

// LoadTheme returns the theme that GLAMOUR_STYLE names: one of ThemeNames (case and the underscore of "tokyo_night"
// do not matter), or else the path of a style file. Unknown fields of a file are ignored, as glamour ignores them.
func LoadTheme(nameOrPath string) (*Theme, error) {
	name := strings.ReplaceAll(strings.ToLower(nameOrPath), "_", "-")
	if t := builtins[name]; t != nil {
		return t(), nil
	}
	b, err := os.ReadFile(nameOrPath)
	if err != nil {
		return nil, fmt.Errorf("theme %q is neither one of %s nor a readable style file: %w",
			nameOrPath, strings.Join(ThemeNames(), ", "), err)
	}
	t, err := parseTheme(b)
	if err != nil {
		return nil, fmt.Errorf("read style file %q: %w", nameOrPath, err)
	}
	return t, nil
}

func parseTheme(b []byte) (*Theme, error) {
	var s Style
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, fmt.Errorf("decode style: %w", err)
	}
	return NewTheme(s), nil
}
