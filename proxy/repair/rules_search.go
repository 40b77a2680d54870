package repair

import (
	"strings"

	"parley/internal/jsonedit"
)

// The blocks of Anthropic's hosted search, which the service does not know.
const (
	blockSearch = "server_tool_use"
	blockPages  = "web_search_tool_result"
)

// plainSearches turns searches of earlier answers and the pages that they found into text, and drops the citations of these pages: the
// conversation was held elsewhere, or with the search of the proxy.
func plainSearches(w *work) {
	messages := w.messages()
	for i := range messages {
		m := &messages[i]
		found := false
		for b := range w.blocksOf(m) {
			var text string
			switch {
			case b.inner:
				continue
			case b.typ == blockSearch && w.Is(w.Member(b.node, "name"), "web_search"):
				text = "[Searched the web for: " + w.String(w.member(b.input, "query")) + "]"
			case b.typ == blockPages:
				text = w.pages(w.Member(b.node, "content"))
			default:
				continue
			}
			for inner := range w.blocksOf(m) {
				if inner.inner && w.Parent(w.Parent(inner.node)) == b.node {
					w.Delete(inner.node)
				}
			}
			w.Replace(b.node, `{"type":"text","text":`+jsonedit.Quote(text)+`}`)
			*b = noBlock(b.node)
			b.typ, found = "text", true
			w.fire("messages.%d.content", m.index)
		}
		for b := range w.blocksOf(m) {
			if found && !b.inner && b.text != jsonedit.None {
				w.DeleteMember(b.node, "citations")
			}
		}
	}
}

// pages returns the found pages as text.
func (w *work) pages(list jsonedit.Node) string {
	if w.Kind(list) != '[' {
		return "[The search failed.]"
	}
	lines := []string{"[Found:"}
	for p := range w.Children(list) {
		lines = append(lines, w.String(w.member(p, "title"))+" "+w.String(w.member(p, "url")))
	}
	return strings.Join(lines, "\n") + "]"
}
