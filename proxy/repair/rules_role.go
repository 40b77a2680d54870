package repair

import (
	"fmt"
	"strings"

	"parley/copilot/jsonedit"
)

// foldSystemRole deals with system messages within the conversation, which the service refuses. Folded they become
// blocks of the user's next turn, else of the one before, marked as what they are.
func foldSystemRole(w *work) {
	all := w.messages()
	folding := map[jsonedit.Node]*fold{}
	var order []jsonedit.Node
	into := func(content jsonedit.Node) *fold {
		if folding[content] == nil {
			folding[content] = &fold{}
			order = append(order, content)
		}
		return folding[content]
	}
	for i, m := range all {
		if !w.Is(m.role, "system") {
			continue
		}
		if w.r.o.SystemRole == Refuse {
			w.refuse("messages.%d.role: Input should be 'user' or 'assistant'", m.index)
			return
		}
		w.fire("messages.%d.role", m.index)
		next, before := i+1, i-1
		for next < len(all) && w.Is(all[next].role, "system") {
			next++
		}
		for before >= 0 && w.Is(all[before].role, "system") {
			before--
		}
		texts := w.systemTexts(m.content)
		switch {
		case next < len(all) && w.foldable(all[next]):
			f := into(all[next].content)
			f.before = append(f.before, texts...)
		case before >= 0 && w.foldable(all[before]):
			f := into(all[before].content)
			f.after = append(f.after, texts...)
		default: // nobody to give it to: it is a turn of its own
			w.Replace(m.role, `"user"`)
			continue
		}
		w.Delete(m.node)
	}
	for _, content := range order {
		w.foldInto(content, *folding[content])
	}
}

// fold is what a user's turn gets.
type fold struct{ before, after []string }

// foldable reports a turn of the user that blocks can be put into.
func (w *work) foldable(m message) bool {
	return w.Is(m.role, "user") && (w.Kind(m.content) == '"' || w.Kind(m.content) == '[')
}

// systemTexts are the texts of a system message as blocks.
func (w *work) systemTexts(content jsonedit.Node) []string {
	var out []string
	add := func(n jsonedit.Node) {
		if w.Kind(n) != '"' || isBlank(w.Raw(n)) {
			return
		}
		raw := w.Raw(n)
		out = append(out, fmt.Sprintf(`{"type":"text","text":"<system-reminder>\n%s\n</system-reminder>"}`, raw[1:len(raw)-1]))
	}
	add(content)
	for b := range w.Children(content) {
		if w.typeIs(b, "text") {
			add(w.Member(b, "text"))
		}
	}
	return out
}

// foldInto puts blocks into a turn: before its own words, but after the results of tools, which have to come first.
func (w *work) foldInto(content jsonedit.Node, f fold) {
	if w.Kind(content) == '"' {
		if len(f.before)+len(f.after) == 0 {
			return
		}
		own := `{"type":"text","text":`
		before := strings.Join(append(f.before, own), ",")
		w.Wrap(content, "["+before, strings.Join(append([]string{"}"}, f.after...), ",")+"]")
		return
	}
	at := jsonedit.None
	for b := range w.Children(content) {
		if !w.typeIs(b, "tool_result") {
			at = b
			break
		}
	}
	for _, text := range f.before {
		if at == jsonedit.None {
			w.Append(content, text)
		} else {
			w.InsertBefore(at, text)
		}
	}
	for _, text := range f.after {
		w.Append(content, text)
	}
}
