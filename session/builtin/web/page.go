package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"codeberg.org/readeck/go-readability/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"parley/internal/crash"
)

// page is the readable text of a page.
type page struct {
	address string
	title   string
	text    string
	cut     bool // the page is larger than what was read
}

const (
	// maxNodes bounds the elements of a page that is laid out as markdown; of a larger one only the text is taken.
	maxNodes = 50_000
	// minShare is the part of a page's text that its main content must have; with less, the whole page is taken.
	minShare = 0.3
	maxTitle = 200
)

// readable returns the text of an answer.
func readable(ctx context.Context, a *answer) page {
	p := page{address: a.url.String(), cut: a.cut}
	text := utf8Text(a)
	if a.kind == "text/html" || a.kind == "application/xhtml+xml" {
		p.title, text = markdown(ctx, a, text)
	}
	p.title, p.text = oneLine(p.title), plain(text)
	return p
}

// readableIn is [readable] that returns with its context. The work on a hostile page then ends by itself, within the bounds of
// a page.
func readableIn(ctx context.Context, a *answer) (page, error) {
	done := make(chan page, 1)
	crash.Go(func() { done <- readable(ctx, a) })
	select {
	case p := <-done:
		return p, nil
	case <-ctx.Done():
		return page{}, ctx.Err()
	}
}

// utf8Text returns the body in UTF-8, from the charset that the header or the page names.
func utf8Text(a *answer) string {
	enc, name, sure := charset.DetermineEncoding(a.body[:min(len(a.body), 1024)], a.contentType)
	if name == "utf-8" || !sure && utf8.Valid(a.body) {
		return string(bytes.TrimPrefix(a.body, []byte("\xef\xbb\xbf")))
	}
	out, err := io.ReadAll(io.LimitReader(enc.NewDecoder().Reader(bytes.NewReader(a.body)), 2*maxBody))
	if err != nil {
		return string(a.body)
	}
	return string(out)
}

// markdown returns the title of a page in HTML and its content. What cannot be laid out is taken as bare text.
func markdown(ctx context.Context, a *answer, text string) (title, out string) {
	defer func() {
		if r := recover(); r != nil { // a page that a library cannot bear must not end the call
			out = bareText(text)
		}
	}()
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil || size(doc) > maxNodes {
		return "", bareText(text)
	}
	all := clean(doc)
	parser := readability.NewParser()
	parser.DisableJSONLD = true
	parser.KeepClasses = true // they name the languages of code
	title = titleOf(doc)
	content := doc
	if article, err := parser.ParseDocument(doc, a.url); err == nil && article.Node != nil {
		if t := strings.TrimSpace(article.Title()); t != "" {
			title = t
		}
		if float64(clean(article.Node)) >= minShare*float64(all) {
			content = article.Node
		}
	}
	laid, err := layout(ctx, content, a)
	if err != nil || strings.TrimSpace(laid) == "" && all > 0 {
		return title, bareText(text)
	}
	return title, laid
}

func layout(ctx context.Context, n *html.Node, a *answer) (string, error) {
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	out, err := c.ConvertNode(n, converter.WithContext(ctx), converter.WithDomain(a.url.String()))
	return string(out), err
}

// size returns the number of nodes, counted up to a little more than the bound.
func size(doc *html.Node) int {
	n := 0
	for range doc.Descendants() {
		if n++; n > maxNodes {
			break
		}
	}
	return n
}

// clean removes what is not for readers from a page, and returns the length of the text that is left.
func clean(doc *html.Node) int {
	var drop []*html.Node
	for n := range doc.Descendants() {
		switch n.Type {
		case html.CommentNode:
			drop = append(drop, n)
		case html.ElementNode:
			switch n.DataAtom {
			case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Iframe, atom.Object, atom.Canvas:
				drop = append(drop, n)
				continue
			}
			if hidden(n) {
				drop = append(drop, n)
			}
			if n.DataAtom == atom.Img { // pictures in the page itself are long and say nothing
				for i := range n.Attr {
					if strings.HasPrefix(n.Attr[i].Val, "data:") {
						n.Attr[i].Val = ""
					}
				}
			}
		}
	}
	for _, n := range drop {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
	return textLength(doc)
}

func textLength(n *html.Node) int {
	length := 0
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			length += len(strings.TrimSpace(d.Data))
		}
	}
	return length
}

// hidden reports whether an element is not shown to readers, which is where texts for machines are put.
func hidden(n *html.Node) bool {
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "style":
			style := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}

func titleOf(doc *html.Node) string {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Title && n.FirstChild != nil {
			return n.FirstChild.Data
		}
	}
	return ""
}

// bareText returns the text of HTML without its layout.
func bareText(text string) string {
	var b strings.Builder
	skip := 0
	for z := html.NewTokenizer(strings.NewReader(text)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken, html.EndTagToken:
			name, _ := z.TagName()
			if a := atom.Lookup(name); a == atom.Script || a == atom.Style {
				skip = 1 - skip
			}
		case html.TextToken:
			if t := bytes.TrimSpace(z.Text()); skip == 0 && len(t) > 0 {
				b.Write(t)
				b.WriteByte('\n')
			}
		}
	}
}

// plain returns a text without characters that are invisible to people and not to models, and without rows of empty lines.
func plain(text string) string {
	var b strings.Builder
	breaks := 0
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case r == '\n':
			if breaks++; breaks > 2 {
				continue
			}
		case r == '\r', r != '\t' && unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != '\u200d': // tags, marks of direction; not the joiner of emoji
			continue
		case r != ' ' && r != '\t':
			breaks = 0
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}

func oneLine(s string) string {
	s = strings.Join(strings.Fields(plain(s)), " ")
	if len(s) > maxTitle {
		s = strings.ToValidUTF8(s[:maxTitle], "") + "…"
	}
	return s
}

// unreadable returns an error for the model about an answer that is not a text.
func unreadable(a *answer) error {
	size := ""
	if a.size > 0 {
		size = fmt.Sprintf(" of %.1f MB", float64(a.size)/1e6)
		if a.size < 1e6 {
			size = fmt.Sprintf(" of %d kB", (a.size+999)/1000)
		}
	}
	return errors.New("it is not a text but " + orUnknown(a.kind) + size +
		". If it is needed, download it with Bash (curl -L -o FILE URL) and look at the file with Read, which reads images and PDFs")
}

func orUnknown(kind string) string {
	if kind == "" {
		return "a file of unknown kind"
	}
	return oneLine(kind)
}
