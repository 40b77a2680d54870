package repair

import (
	"iter"

	"parley/internal/jsonedit"
)

// message is one message of the conversation.
type message struct {
	index         int // in the original list
	node          jsonedit.Node
	role, content jsonedit.Node
	from, to      int // its blocks, as indices in the work's list
}

// block is a content block: an element of a message's content, or one within such an element. Missing members are
// [jsonedit.None].
type block struct {
	node  jsonedit.Node
	typ   string // one of blockTypes, "" for any other
	inner bool   // within another block

	text, mark, id, sig, source, input jsonedit.Node
}

// noBlock returns a block of unknown content.
func noBlock(n jsonedit.Node) block {
	const none = jsonedit.None
	return block{node: n, text: none, mark: none, id: none, sig: none, source: none, input: none}
}

// blockTypes are the types that rules look for.
var blockTypes = []string{"text", "thinking", "redacted_thinking", "tool_use", "tool_result", "image", blockSearch, blockPages}

// messages returns the messages that are not deleted. The list is valid until the next call of forget.
func (w *work) messages() []message {
	if !w.index {
		w.survey()
	}
	return w.msgs
}

// forget makes messages survey the conversation again, after one was deleted or its role replaced.
func (w *work) forget() { w.index = false }

// survey reads the conversation once for all rules.
func (w *work) survey() {
	w.index, w.msgs, w.blks = true, nil, nil
	list := w.top("messages")
	if list == jsonedit.None {
		return
	}
	for n := range w.Children(list) {
		m := message{index: len(w.msgs), node: n, role: jsonedit.None, content: jsonedit.None, from: len(w.blks)}
		for c := range w.Children(n) {
			switch {
			case w.KeyIs(c, "role"):
				m.role = c
			case w.KeyIs(c, "content"):
				m.content = c
			}
		}
		w.surveyBlocks(m.content, false)
		m.to = len(w.blks)
		w.msgs = append(w.msgs, m)
	}
}

// surveyBlocks adds the blocks of a list, each followed by those within it.
func (w *work) surveyBlocks(list jsonedit.Node, inner bool) {
	for n := range w.Children(list) {
		b, content := noBlock(n), jsonedit.None
		b.inner = inner
		for c := range w.Children(n) {
			switch {
			case w.KeyIs(c, "type"):
				b.typ = w.blockType(c)
			case w.KeyIs(c, "text"):
				b.text = c
			case w.KeyIs(c, "cache_control"):
				b.mark = c
			case w.KeyIs(c, "id"), w.KeyIs(c, "tool_use_id"):
				b.id = c
			case w.KeyIs(c, "signature"):
				b.sig = c
			case w.KeyIs(c, "source"):
				b.source = c
			case w.KeyIs(c, "input"):
				b.input = c
			case w.KeyIs(c, "content"):
				content = c
			}
		}
		w.blks = append(w.blks, b)
		if !inner {
			w.surveyBlocks(content, true)
		}
	}
}

func (w *work) blockType(n jsonedit.Node) string {
	for _, t := range blockTypes {
		if w.Is(n, t) {
			return t
		}
	}
	return ""
}

// blocks returns all blocks of the conversation that are not deleted, including those within tool results, each after
// the one that contains it.
func (w *work) blocks() iter.Seq2[*message, *block] {
	return func(yield func(*message, *block) bool) {
		messages := w.messages()
		for i := range messages {
			for b := range w.blocksOf(&messages[i]) {
				if !yield(&messages[i], b) {
					return
				}
			}
		}
	}
}

// blocksOf returns the blocks of one message in the same way.
func (w *work) blocksOf(m *message) iter.Seq[*block] {
	return func(yield func(*block) bool) {
		gone := false // the outer block
		for i := m.from; i < m.to; i++ {
			b := &w.blks[i]
			if !b.inner {
				gone = w.Deleted(b.node)
			}
			if !gone && !w.Deleted(b.node) && !yield(b) {
				return
			}
		}
	}
}
