package export

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"parley/ui/md/highlight"
)

func escape(s string) string { return html.EscapeString(s) }

// coloring writes markdown and code as HTML, code in the colors of its language.
type coloring struct {
	lexers *highlight.Highlighter
	md     goldmark.Markdown
}

func newColoring() *coloring {
	c := &coloring{lexers: highlight.AtOnce()}
	c.md = goldmark.New(goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(c, 1))))
	return c
}

// markdown returns the markup of some markdown. What cannot be converted stays as it is written.
func (c *coloring) markdown(text string) string {
	var b bytes.Buffer
	if err := c.md.Convert([]byte(text), &b); err != nil {
		return "<pre>" + escape(text) + "</pre>\n"
	}
	return b.String()
}

// RegisterFuncs replaces what goldmark writes for code, for headings, which stand below those of the page, for HTML inside markdown,
// which is shown as it was written, and for links and images, which are links too: the page loads nothing.
func (c *coloring) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, c.block)
	r.Register(ast.KindCodeBlock, c.block)
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if b := n.(*ast.HTMLBlock); entering {
			text := b.Lines().Value(src)
			if b.HasClosure() {
				text = append(text, b.ClosureLine.Value(src)...)
			}
			_, _ = fmt.Fprintf(w, "<pre>%s</pre>\n", escape(string(text)))
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindRawHTML, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(escape(string(n.(*ast.RawHTML).Segments.Value(src))))
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindHeading, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		slash := map[bool]string{false: "/"}[entering]
		_, _ = fmt.Fprintf(w, "<%sh%d>", slash, min(n.(*ast.Heading).Level+2, 6))
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		return link(w, n.(*ast.Link).Destination, entering)
	})
	r.Register(ast.KindImage, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		return link(w, n.(*ast.Image).Destination, entering)
	})
}

// link begins or ends a link. One that could run something leads nowhere.
func link(w util.BufWriter, to []byte, entering bool) (ast.WalkStatus, error) {
	to = util.URLEscape(to, true) // resolves references to characters first
	switch {
	case !entering:
		_, _ = w.WriteString("</a>")
	case goldmarkhtml.IsDangerousURL(to) || bytes.HasPrefix(bytes.ToLower(to), []byte("data:")):
		_, _ = w.WriteString("<a>")
	default:
		_, _ = fmt.Fprintf(w, `<a href="%s">`, escape(string(to)))
	}
	return ast.WalkContinue, nil
}

func (c *coloring) block(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		language := ""
		if f, ok := n.(*ast.FencedCodeBlock); ok {
			language = string(f.Language(src))
		}
		_, _ = fmt.Fprintf(w, "<pre class=code>%s</pre>\n", c.code(string(n.Lines().Value(src)), language))
	}
	return ast.WalkSkipChildren, nil
}

// code returns the markup of some code in a language.
func (c *coloring) code(code, language string) string {
	if strings.EqualFold(language, "diff") {
		return c.diff(code, "")
	}
	return c.colored(code, highlight.Language{Name: language})
}

func (c *coloring) colored(code string, l highlight.Language) string {
	if l.Name == "" {
		return escape(code)
	}
	toks, _, _ := c.lexers.Tokens(l, []byte(code), false)
	var b strings.Builder
	at := 0
	for _, t := range toks {
		end := min(int(t.End), len(code))
		if class := classes()[chroma.TokenType(t.Kind)]; class != "" {
			b.WriteString("<span class=" + class + ">" + escape(code[at:end]) + "</span>")
		} else {
			b.WriteString(escape(code[at:end]))
		}
		at = end
	}
	return b.String() + escape(code[at:])
}

// diff returns the markup of a patch, each line in the colors of the file's language.
func (c *coloring) diff(patch, path string) string {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), line == "":
			b.WriteString("<span class=\"line hunk\">" + escape(line) + "</span>")
		default:
			class := map[byte]string{'+': "added", '-': "removed"}[line[0]]
			fmt.Fprintf(&b, "<span class=\"line %s\">%s%s</span>", class, escape(line[:1]), c.colored(line[1:], highlight.Language{Name: path, File: true}))
		}
	}
	return b.String()
}

// codeStyles are the colors of code, light and dark.
var codeStyles = [2]*chroma.Style{styles.Get("github"), styles.Get("github-dark")}

// colorOf returns the color of a kind of token in a style, "" for that of the text. Errors are of lexers that see one line of a patch,
// and the grey of pseudo names is too faint on changed lines.
func colorOf(s *chroma.Style, kind chroma.TokenType) string {
	c := s.Get(kind).Colour
	if !c.IsSet() || c == s.Get(chroma.Background).Colour || kind == chroma.Error || kind == chroma.NameBuiltinPseudo {
		return ""
	}
	return c.String()
}

// classes returns the class of each kind of token that has a color of its own. The others need no element.
var classes = sync.OnceValue(func() map[chroma.TokenType]string {
	all := maps.Clone(chroma.StandardTypes)
	maps.DeleteFunc(all, func(kind chroma.TokenType, _ string) bool {
		return kind < 0 || kind > chroma.Text && kind.Category() == chroma.Text || colorOf(codeStyles[0], kind)+colorOf(codeStyles[1], kind) == ""
	})
	return all
})

// styleSheet returns the style of the page with the colors of code.
var styleSheet = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString(pageStyle)
	for i, media := range []string{"print, (prefers-color-scheme: light)", "screen and (prefers-color-scheme: dark)"} {
		of := map[string][]string{}
		for kind, class := range classes() {
			if c := colorOf(codeStyles[i], kind); c != "" {
				of[c] = append(of[c], "."+class)
			}
		}
		fmt.Fprintf(&b, "@media %s {\n", media)
		for _, c := range slices.Sorted(maps.Keys(of)) {
			slices.Sort(of[c])
			fmt.Fprintf(&b, "pre :is(%s) { color: %s }\n", strings.Join(of[c], ", "), c)
		}
		b.WriteString("}\n")
	}
	return b.String()
})

// pageStyle is the style of the page without the colors of code. Paper is always light, and shows what is folded.
const pageStyle = `
:root { --ground: #fff; --text: #1f2328; --quiet: #59636e; --line: #d1d9e0; --soft: #f6f8fa; --red: #c1121f; --added: #e6ffec; --removed: #fff0ee; }
@media screen and (prefers-color-scheme: dark) {
:root { --ground: #0d1117; --text: #e6edf3; --quiet: #9198a1; --line: #3d444d; --soft: #151b23; --red: #ff7b72; --added: #0e2a18; --removed: #401a1d; }
}
body { background: var(--ground); color: var(--text); font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 50rem; padding: 1.5rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; margin: 0; }
h2 { font-size: .875rem; font-weight: normal; margin: 0 0 .25rem; }
h3 { font-size: 1.25rem; }
h4, h5, h6 { font-size: 1rem; }
header p, .quiet, h2 { color: var(--quiet); }
header p, .quiet { font-size: .875rem; }
a { color: inherit; }
h2 a { text-decoration: none; }
:focus-visible { outline: 2px solid; outline-offset: 2px; }
article { border-top: 1px solid var(--line); padding-top: 1rem; margin-top: 1.5rem; content-visibility: auto; contain-intrinsic-size: auto 20rem; }
.prompt { background: var(--soft); border-left: 3px solid var(--quiet); padding: .75rem 1rem; white-space: pre-wrap; }
section, .reasoning { overflow-x: auto; }
pre, code { font: .875rem/1.45 ui-monospace, monospace; tab-size: 4; }
pre { background: var(--soft); border-radius: 6px; margin: .75rem 0; overflow-x: auto; padding: .75rem 1rem; }
blockquote { border-left: 3px solid var(--line); margin: .75rem 0; padding-left: 1rem; }
summary { cursor: pointer; }
.tool, .reasoning, .agent { margin: .5rem 0; }
.agent > :not(summary) { margin-left: 1rem; }
.reasoning, .tool > summary { color: var(--quiet); }
.problem { color: var(--red); }
.line { display: block; min-height: 1.45em; min-width: max-content; }
.added { background: var(--added); }
.removed { background: var(--removed); }
.hunk { color: var(--quiet); }
table { border-collapse: collapse; display: block; margin: .75rem 0; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .25rem .75rem; }
img { display: block; max-width: 100%; }
@page { margin: 1.5cm; }
@media print {
body { max-width: none; padding: 0; print-color-adjust: exact; }
article { content-visibility: visible; }
pre { white-space: pre-wrap; border: 1px solid var(--line); }
.line { min-width: 0; }
table { display: table; }
td { overflow-wrap: anywhere; }
h1, h2, h3, h4, h5, h6, summary, .prompt { break-after: avoid; }
tr, img { break-inside: avoid; }
img { max-height: 20cm; }
details::details-content { content-visibility: visible; display: block; height: auto; }
}
`
