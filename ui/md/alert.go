package md

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// alerts maps the marks that GitHub supports in the first line of a quote to their titles.
var alerts = map[string]string{
	"[!NOTE]": "Note", "[!TIP]": "Tip", "[!IMPORTANT]": "Important", "[!WARNING]": "Warning", "[!CAUTION]": "Caution",
}

// alertOf returns the mark with which a quote begins, "" if it has none.
func alertOf(n ast.Node, src []byte) string {
	p, ok := n.FirstChild().(*ast.Paragraph)
	if !ok || p.Lines().Len() == 0 {
		return ""
	}
	first := p.Lines().At(0)
	mark := strings.ToUpper(string(bytes.TrimSpace(first.Value(src))))
	if alerts[mark] == "" {
		return ""
	}
	return mark
}

// alert appends the title of an alert and the rest of the first paragraph.
func (r *renderer) alert(dst []string, p ast.Node, mark string, src []byte, b box) []string {
	r.run.clear()
	r.run.put(alerts[mark], b.look.with(r.theme.strong.overlay).with(r.theme.alerts[mark]))
	dst = r.flow(dst, b)
	b.next()
	r.run.clear()
	c := p.FirstChild()
	for c != nil {
		t, ok := c.(*ast.Text)
		c = c.NextSibling()
		if ok && (t.SoftLineBreak() || t.HardLineBreak()) {
			break
		}
	}
	if c == nil {
		return dst
	}
	for ; c != nil; c = c.NextSibling() {
		r.inlineNode(c, src, b.look)
	}
	return r.flow(dst, b)
}

// isBreak reports whether a tag is a line break, the only way to have one in a table.
func isBreak(n *ast.RawHTML, src []byte) bool {
	if n.Segments.Len() != 1 {
		return false
	}
	s := n.Segments.At(0)
	name, ok := bytes.CutPrefix(bytes.ToLower(s.Value(src)), []byte("<br"))
	return ok && len(bytes.Trim(name, " />")) == 0
}
