package repair

import (
	"slices"
	"strconv"

	"parley/internal/jsonedit"
)

// maxMarks is the number of cache marks that the service accepts.
const maxMarks = 4

// mark is a cache mark with its place.
type mark struct {
	list    string        // "tools", "system" or "messages"
	index   int           // in the list
	owner   jsonedit.Node // the tool or block
	value   jsonedit.Node
	thought bool // the owner is reasoning
}

// marks returns the cache marks of tools, of the system prompt and of the conversation, each in order.
func (w *work) marks() (tools, system, conversation []mark) {
	find := func(list string, into *[]mark) {
		index := 0
		for n := range w.Children(w.top(list)) {
			if v := w.Member(n, "cache_control"); v != jsonedit.None && w.Kind(v) != 'n' {
				*into = append(*into, mark{list: list, index: index, owner: n, value: v})
			}
			index++
		}
	}
	find("tools", &tools)
	find("system", &system)
	for m, b := range w.blocks() {
		if b.mark != jsonedit.None && !w.Deleted(b.mark) && w.Kind(b.mark) != 'n' {
			conversation = append(conversation, mark{"messages", m.index, b.node, b.mark,
				b.typ == "thinking" || b.typ == "redacted_thinking"})
		}
	}
	return tools, system, conversation
}

func (w *work) allMarks() []mark {
	tools, system, conversation := w.marks()
	return slices.Concat(tools, system, conversation)
}

func (w *work) unmark(m mark) {
	w.DeleteMember(m.owner, "cache_control")
	w.fire("%s.%d", m.list, m.index)
}

// dropThinkingMarks removes marks from reasoning, which cannot carry any.
func dropThinkingMarks(w *work) {
	_, _, conversation := w.marks()
	for _, m := range conversation {
		if m.thought {
			w.unmark(m)
		}
	}
}

// dropDeferredMarks removes marks from tools that are loaded later and so are not part of the cached text.
func dropDeferredMarks(w *work) {
	tools, _, _ := w.marks()
	for _, m := range tools {
		if w.Kind(w.Member(m.owner, "defer_loading")) == 't' {
			w.unmark(m)
		}
	}
}

// dropCacheFields removes fields of marks such as "scope".
func dropCacheFields(w *work) {
	for _, m := range w.allMarks() {
		w.keep(m.value, markField, m.list+"."+strconv.Itoa(m.index)+".cache_control.")
	}
}

// dropExtraMarks keeps four marks. A mark caches everything before it, so the last tool, the last system block and the
// newest marks of the conversation are worth most.
func dropExtraMarks(w *work) {
	tools, system, conversation := w.marks()
	excess := len(tools) + len(system) + len(conversation) + w.placed - maxMarks
	cut := func(list []mark, keep int) {
		for len(list) > keep && excess > 0 {
			w.unmark(list[0])
			list, excess = list[1:], excess-1
		}
	}
	cut(tools, 1)
	cut(system, 1)
	cut(conversation, maxMarks-min(1, len(tools))-min(1, len(system))-w.placed)
}

// placeAutoCache moves a mark on the whole request, which the service does not know and which caches up to the last
// block, to that block if there is room.
func placeAutoCache(w *work) {
	n := w.top("cache_control")
	if n == jsonedit.None {
		return
	}
	w.keep(n, markField, "cache_control.")
	tools, system, conversation := w.marks()
	if w.Kind(n) == '{' && len(tools)+len(system)+len(conversation)+w.placed < maxMarks {
		w.markLast(w.plainMark(n))
	}
	w.DeleteMember(w.Root(), "cache_control")
	w.fire("cache_control")
}

// plainMark returns a mark without fields that the service does not know.
func (w *work) plainMark(mark jsonedit.Node) string {
	if ttl := w.Member(mark, "ttl"); w.Kind(ttl) == '"' {
		return `{"type":"ephemeral","ttl":` + string(w.Raw(ttl)) + `}`
	}
	return `{"type":"ephemeral"}`
}

// markLast puts a mark on the last block of the conversation, unless that has one or cannot have one.
func (w *work) markLast(mark string) {
	all := w.messages()
	if len(all) == 0 {
		return
	}
	m := all[len(all)-1]
	if w.Kind(m.content) == '"' {
		if !w.Wrapped(m.content) {
			w.Wrap(m.content, `[{"type":"text","text":`, `,"cache_control":`+mark+`}]`)
		}
		return
	}
	last := jsonedit.None
	for b := range w.Children(m.content) {
		last = b
	}
	if w.Kind(last) != '{' || w.Member(last, "cache_control") != jsonedit.None || w.typeIs(last, "thinking") ||
		w.typeIs(last, "redacted_thinking") || w.Member(last, "type") == jsonedit.None {
		return
	}
	w.AppendMember(last, "cache_control", mark)
}
