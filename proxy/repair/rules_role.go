package repair

import (
	"fmt"
	"strings"

	"parley/internal/jsonedit"
)

// foldSystemRole moves system messages within the conversation, which the service refuses, into the user's turn before,
// else into the next one, as marked blocks. The turn before is known from the start, so the result is the same for each
// request and stays cached.
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
	isSystem := func(i int) bool { return i >= 0 && i < len(all) && w.Is(all[i].role, "system") }
	for i, m := range all {
		if !isSystem(i) {
			continue
		}
		if w.r.o.SystemRole == Refuse {
			w.refuse("messages.%d.role: Input should be 'user' or 'assistant'", m.index)
			return
		}
		w.fire("messages.%d.role", m.index)
		next, before := i+1, i-1
		for isSystem(next) {
			next++
		}
		for isSystem(before) {
			before--
		}
		texts := w.systemTexts(m.content, next == len(all))
		switch {
		case before >= 0 && w.foldable(all[before]):
			f := into(all[before].content)
			f.after = append(f.after, texts...)
		case next < len(all) && w.foldable(all[next]):
			f := into(all[next].content)
			f.before = append(f.before, texts...)
		default: // no user turn to put it into: it becomes a separate turn
			w.Replace(m.role, `"user"`)
			continue
		}
		w.Delete(m.node)
	}
	if len(w.fired) > 0 {
		w.forget()
	}
	for _, content := range order {
		w.foldInto(content, *folding[content])
	}
}

// fold holds the blocks to add to a user's turn.
type fold struct{ before, after []string }

// foldable reports whether blocks can be put into a message: a turn of the user.
func (w *work) foldable(m message) bool {
	return w.Is(m.role, "user") && (w.Kind(m.content) == '"' || w.Kind(m.content) == '[')
}

// systemTexts returns the texts of a system message as blocks. At the end of the conversation a block keeps its cache
// mark: Claude Code puts the mark for the whole conversation there.
func (w *work) systemTexts(content jsonedit.Node, last bool) []string {
	var out []string
	add := func(n, mark jsonedit.Node) {
		if w.Kind(n) != '"' || isBlank(w.Raw(n)) {
			return
		}
		cache := ""
		if last && w.placed == 0 && w.Kind(mark) == '{' {
			cache, w.placed = `,"cache_control":`+w.plainMark(mark), 1
		}
		raw := w.Raw(n)
		out = append(out, fmt.Sprintf(`{"type":"text","text":"<system-reminder>\n%s\n</system-reminder>"%s}`, raw[1:len(raw)-1], cache))
	}
	add(content, jsonedit.None)
	for b := range w.Children(content) {
		if w.typeIs(b, "text") {
			add(w.Member(b, "text"), w.Member(b, "cache_control"))
		}
	}
	return out
}

// foldInto puts blocks into a turn: before its text, but after tool results, which have to come first.
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
