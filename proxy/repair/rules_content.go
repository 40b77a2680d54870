package repair

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/copilot/jsonedit"
)

// noteImageURLs: the service does not fetch images and keeps no files. An image by reference stays in a conversation for
// good, so that refusing it would end the conversation; the model gets to know instead that there is one it cannot see.
func noteImageURLs(w *work) {
	w.blocks(func(m message, b jsonedit.Node) {
		source := w.Member(b, "source")
		byURL := w.typeIs(source, "url")
		if !w.typeIs(b, "image") || !byURL && !w.typeIs(source, "file") {
			return
		}
		if w.r.o.ImageURL == Refuse {
			w.refuse("messages.%d.content: external image URLs are not supported: the Copilot API does not fetch images. "+
				"Send the image itself, as a base64 source.", m.index)
			return
		}
		note := "[Here is an image that cannot be seen: it was sent by reference, and only images sent as data (base64) get through.]"
		if url := w.String(w.Member(source, "url")); byURL && url != "" {
			note = strings.TrimSuffix(note, "]") + " Its address: " + url + "]"
		}
		for n := range w.Children(b) {
			switch {
			case w.KeyIs(n, "type"):
				w.Replace(n, `"text"`)
			case !w.KeyIs(n, "cache_control"):
				w.Delete(n)
			}
		}
		w.AppendMember(b, "text", jsonedit.Quote(note))
		w.fire("messages.%d.content", m.index)
	})
}

// dropUnsigned drops reasoning that no Claude model has signed, such as that of other models earlier in a conversation.
// Signed reasoning is never touched: its signature is over its bytes.
func dropUnsigned(w *work) {
	for _, m := range w.messages() {
		for b := range w.Children(m.content) {
			if !w.typeIs(b, "thinking") {
				continue
			}
			raw := w.Raw(w.Member(b, "signature"))
			if len(raw) <= 2 || raw[0] != '"' || w.r.o.Foreign != nil && w.r.o.Foreign(raw[1:len(raw)-1]) {
				w.dropBlock(m, b)
				w.fire("messages.%d.content", m.index)
			}
		}
	}
}

// dropBlankText drops text blocks that say nothing. A message that says nothing at all says so.
func dropBlankText(w *work) {
	messages := w.messages()
	for i, m := range messages {
		last := i == len(messages)-1 && i > 0 && w.Is(m.role, "assistant")
		switch w.Kind(m.content) {
		case '"':
			if !isBlank(w.Raw(m.content)) {
				continue
			}
			if w.fire("messages.%d.content", m.index); last {
				w.Delete(m.node) // an answer that has not begun
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

func (w *work) dropBlankBlocks(m message, last bool) {
	for b := range w.Children(m.content) {
		for inner := range w.Children(w.Member(b, "content")) {
			if w.typeIs(inner, "text") && isBlank(w.Raw(w.Member(inner, "text"))) {
				w.Delete(inner)
				w.fire("messages.%d.content", m.index)
			}
		}
		if !w.typeIs(b, "text") || !isBlank(w.Raw(w.Member(b, "text"))) {
			continue
		}
		w.fire("messages.%d.content", m.index)
		if last && w.Len(m.content) == 1 {
			w.Delete(m.node)
			return
		}
		w.dropBlock(m, b)
	}
}

// isBlank reports a JSON string of nothing but white space. It looks no further than the first letter.
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

// escaped reads the four digits of an escape.
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

// dropEmptySystem drops a system prompt that says nothing.
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

// trimPrefill cuts the space that the words put into the assistant's mouth end with.
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

// trailing is the last message if it is the assistant's.
func (w *work) trailing() (message, bool) {
	all := w.messages()
	if len(all) == 0 || w.Len(w.top("messages")) != len(all) {
		return message{}, false
	}
	m := all[len(all)-1]
	return m, w.Is(m.role, "assistant")
}

// answerTrailing ends a conversation with a turn of the user, for models that do not go on with words put into their
// mouth. Calls without results are left for the service to judge.
func answerTrailing(w *work) {
	m, ok := w.trailing()
	if !ok || w.model.Prefill {
		return
	}
	for b := range w.Children(m.content) {
		if w.typeIs(b, "tool_use") {
			return
		}
	}
	if w.Kind(m.content) == '[' && w.Len(m.content) == 0 && m.index > 0 {
		w.Delete(m.node)
	} else {
		w.Append(w.top("messages"), `{"role":"user","content":"Please continue."}`)
	}
	w.fire("messages.%d", m.index)
}
