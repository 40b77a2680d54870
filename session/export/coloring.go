package export

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
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

// RegisterFuncs replaces what goldmark writes for code, for HTML inside markdown, which is shown as it was written, and for images,
// which are links: the page loads nothing.
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
	r.Register(ast.KindImage, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		to := n.(*ast.Image).Destination
		switch {
		case !entering:
			_, _ = w.WriteString("</a>")
		case goldmarkhtml.IsDangerousURL(to) || bytes.HasPrefix(bytes.ToLower(to), []byte("data:")):
			_, _ = w.WriteString("<a>")
		default:
			_, _ = fmt.Fprintf(w, `<a href="%s">`, escape(string(to)))
		}
		return ast.WalkContinue, nil
	})
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
		if class := chroma.StandardTypes[chroma.TokenType(t.Kind)]; class != "" {
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

// styleSheet returns the style of the page with the colors of code, light and dark.
var styleSheet = sync.OnceValue(func() string {
	var b strings.Builder
	f := chromahtml.New(chromahtml.WithClasses(true), chromahtml.WithCSSComments(false))
	colors := func(name string) {
		var css bytes.Buffer
		_ = f.WriteCSS(&css, styles.Get(name)) // a buffer takes everything
		for line := range strings.Lines(css.String()) {
			if rule, ok := strings.CutPrefix(line, ".chroma ."); ok {
				b.WriteString("pre ." + rule)
			}
		}
	}
	b.WriteString(pageStyle)
	b.WriteString("@media print, (prefers-color-scheme: light) {\n")
	colors("github")
	b.WriteString("}\n@media screen and (prefers-color-scheme: dark) {\n")
	colors("github-dark")
	b.WriteString("}\n")
	return b.String()
})

// pageStyle is the style of the page without the colors of code. Paper is always light, and shows what is folded.
const pageStyle = `
:root { --ground: #fff; --text: #1f2328; --quiet: #59636e; --line: #d1d9e0; --soft: #f6f8fa; --red: #c1121f; --added: #dafbe1; --removed: #ffebe9; }
@media screen and (prefers-color-scheme: dark) {
:root { --ground: #0d1117; --text: #e6edf3; --quiet: #9198a1; --line: #3d444d; --soft: #151b23; --red: #ff7b72; --added: #0e2a18; --removed: #401a1d; }
}
body { background: var(--ground); color: var(--text); font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 50rem; padding: 1.5rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; margin: 0; }
header p, .quiet { color: var(--quiet); font-size: .875rem; }
a { color: inherit; }
article { border-top: 1px solid var(--line); padding-top: 1rem; margin-top: 1.5rem; }
.prompt { background: var(--soft); border-left: 3px solid var(--quiet); padding: .75rem 1rem; white-space: pre-wrap; }
pre, code { font: .875rem/1.45 ui-monospace, monospace; }
pre { background: var(--soft); border-radius: 6px; margin: .75rem 0; overflow-x: auto; padding: .75rem 1rem; }
summary { cursor: pointer; }
.tool, .reasoning, .agent { margin: .5rem 0; }
.agent > :not(summary) { margin-left: 1rem; }
.reasoning, .tool > summary { color: var(--quiet); }
.problem { color: var(--red); }
.line { display: block; min-height: 1.45em; }
.added { background: var(--added); }
.removed { background: var(--removed); }
.hunk { color: var(--quiet); }
table { border-collapse: collapse; margin: .75rem 0; }
th, td { border: 1px solid var(--line); padding: .25rem .75rem; }
img { display: block; max-width: 100%; }
@media print {
body { max-width: none; padding: 0; print-color-adjust: exact; }
pre { white-space: pre-wrap; border: 1px solid var(--line); }
summary, .prompt, h1 { break-after: avoid; }
details::details-content { content-visibility: visible; display: block; height: auto; }
}
`
