package repair

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/internal/jsonedit"
)

// noteImageURLs replaces images by URL or file id: the service fetches no images and stores no files. Such an image
// stays in the conversation, so a refusal would end the conversation; instead the model reads that there is one it
// cannot see.
func noteImageURLs(w *work) {
	for m, b := range w.blocks() {
		if b.typ != "image" {
			continue
		}
		byURL := w.typeIs(b.source, "url")
		if !byURL && !w.typeIs(b.source, "file") {
			continue
		}
		if w.r.o.ImageURL == Refuse {
			w.refuse("messages.%d.content: external image URLs are not supported: the Copilot API does not fetch images. "+
				"Send the image itself, as a base64 source.", m.index)
			return
		}
		note := "[Here is an image that cannot be seen: it was sent by reference, and only images sent as data (base64) get through."
		if url := w.String(w.Member(b.source, "url")); byURL && url != "" {
			note += " Its address: " + url
		}
		for n := range w.Children(b.node) {
			switch {
			case w.KeyIs(n, "type"):
				w.Replace(n, `"text"`)
			case !w.KeyIs(n, "cache_control"):
				w.Delete(n)
			}
		}
		w.AppendMember(b.node, "text", jsonedit.Quote(note+"]"))
		b.typ, b.text, b.source = "text", jsonedit.None, jsonedit.None
		w.fire("messages.%d.content", m.index)
	}
}

// dropUnsigned removes reasoning that no Claude model has signed, such as that of other models earlier in a
// conversation. It never changes signed reasoning, whose signature covers its bytes.
func dropUnsigned(w *work) {
	for m, b := range w.blocks() {
		if b.typ != "thinking" || b.inner {
			continue
		}
		raw := w.Raw(b.sig)
		if len(raw) <= 2 || raw[0] != '"' || w.r.o.Foreign != nil && w.r.o.Foreign(raw[1:len(raw)-1]) {
			w.dropBlock(m, b)
			w.fire("messages.%d.content", m.index)
		}
	}
}

// dropBlankText removes blank text blocks. A message without any other content gets a text about that.
func dropBlankText(w *work) {
	messages := w.messages()
	for i := range messages {
		m := &messages[i]
		last := i == len(messages)-1 && i > 0 && w.Is(m.role, "assistant")
		switch w.Kind(m.content) {
		case '"':
			if !isBlank(w.Raw(m.content)) {
				continue
			}
			if w.fire("messages.%d.content", m.index); last {
				w.deleteMessage(m) // an answer that has not begun
				continue
			}
			w.Replace(m.content, `"`+noContent+`"`)
		case '[':
			if w.Len(m.content) == 0 && !last {
				w.Append(m.content, `{"type":"text","text":"`+noContent+`"}`)
				w.fire("messages.%d.content", m.index)
				continue
			}
			w.dropBlankBlocks(m, last)
		}
	}
	for b := range w.Children(w.top("system")) {
		if w.typeIs(b, "text") && isBlank(w.Raw(w.Member(b, "text"))) {
			w.Delete(b)
			w.fire("system")
		}
	}
}

func (w *work) dropBlankBlocks(m *message, last bool) {
	for b := range w.blocksOf(m) {
		if b.typ != "text" || b.text == jsonedit.None || !isBlank(w.Raw(b.text)) {
			continue
		}
		w.fire("messages.%d.content", m.index)
		if last && !b.inner && w.Len(m.content) == 1 {
			w.deleteMessage(m)
			return
		}
		w.dropBlock(m, b)
	}
}

func (w *work) deleteMessage(m *message) {
	w.Delete(m.node)
	w.forget()
}

// isBlank reports whether a JSON string contains only white space. It stops at the first other character.
func isBlank(raw []byte) bool {
	if len(raw) < 2 || raw[0] != '"' {
		return false
	}
	for in := raw[1 : len(raw)-1]; len(in) > 0; {
		switch c := in[0]; {
		case c == ' ':
			in = in[1:]
		case c == '\\' && strings.IndexByte("nrtf", in[1]) >= 0:
			in = in[2:]
		case c == '\\' && in[1] == 'u':
			r, ok := escaped(in[2:6])
			if !ok || !unicode.IsSpace(r) {
				return false
			}
			in = in[6:]
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(in)
			if !unicode.IsSpace(r) {
				return false
			}
			in = in[n:]
		default:
			return false
		}
	}
	return true
}

// escaped decodes the four digits of an escape.
func escaped(digits []byte) (rune, bool) {
	var r rune
	for _, c := range digits {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// dropEmptySystem removes a blank system prompt.
func dropEmptySystem(w *work) {
	n := w.top("system")
	if n == jsonedit.None {
		return
	}
	if w.Kind(n) == 'n' || w.Kind(n) == '[' && w.Len(n) == 0 || isBlank(w.Raw(n)) {
		w.DeleteMember(w.Root(), "system")
		w.fire("system")
	}
}

// trimPrefill removes white space at the end of a prefilled answer.
func trimPrefill(w *work) {
	if !w.model.Prefill {
		return
	}
	m, ok := w.trailing()
	if !ok {
		return
	}
	n := m.content
	for b := range w.Children(m.content) {
		if n = jsonedit.None; w.typeIs(b, "text") {
			n = w.Member(b, "text")
		}
	}
	text := w.String(n)
	if trimmed := strings.TrimRightFunc(text, unicode.IsSpace); trimmed != text {
		w.Replace(n, jsonedit.Quote(trimmed))
		w.fire("messages.%d.content", m.index)
	}
}

// trailing returns the last message if it is the assistant's.
func (w *work) trailing() (*message, bool) {
	all := w.messages()
	if len(all) == 0 || w.Len(w.top("messages")) != len(all) {
		return nil, false
	}
	m := &all[len(all)-1]
	return m, w.Is(m.role, "assistant")
}

// answerTrailing ends a conversation with a turn of the user, for models that refuse a prefilled answer. It leaves
// calls without results to the service.
func answerTrailing(w *work) {
	if w.model.Prefill {
		return
	}
	m, ok := w.trailing()
	for ok && m.index > 0 && w.Kind(m.content) == '[' && w.Len(m.content) == 0 { // an answer that has not begun
		w.fire("messages.%d", m.index)
		w.deleteMessage(m)
		m, ok = w.trailing()
	}
	if !ok {
		return
	}
	for b := range w.blocksOf(m) {
		if b.typ == "tool_use" {
			return
		}
	}
	w.Append(w.top("messages"), `{"role":"user","content":"Please continue."}`)
	w.fire("messages.%d", m.index)
}
