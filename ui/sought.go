package ui

import (
	"strings"

	"parley/session"
	"parley/session/toolview"
	"parley/ui/chat"
	"parley/ui/md"
	"parley/ui/style"
)

// This file says what text items hold, for finding.

// Text is all text of the item, what is folded away included.
func (c *cell) Text() string {
	shown, folded := c.words()
	if folded == "" {
		return shown
	}
	return shown + "\n" + folded
}

// BeginsTurn reports whether the item is a prompt.
func (c *cell) BeginsTurn() bool {
	_, is := c.item.(*userItem)
	return is && !c.state().hidden
}

// words are what the item says: what is always on the screen, and what may be folded away.
func (c *cell) words() (shown, folded string) {
	if c.state().hidden {
		return "", ""
	}
	switch it := c.item.(type) {
	case *partItem:
		if it.part.Kind == session.PartReasoning {
			return "", it.part.Text()
		}
		if c.look.Marks {
			return it.part.Text(), ""
		}
		return unmarked(md.FlattenLinks(it.part.Text(), c.look.Links)), ""
	case *userItem:
		return it.words()
	case *toolItem:
		return it.says(c.look.Dir)
	case *childItem:
		return it.child.Name + " " + it.child.Description, childWords(it.child)
	case *askItem:
		return it.words()
	case *noticeItem:
		text, _ := chat.NoticeText(it.mark.Event)
		return text, it.rest()
	case *endItem:
		if p := it.turn.Problem; p != nil {
			return p.What + "\n" + p.Next, ""
		}
	}
	return "", ""
}

// searchMarks are the marks of markdown that stand within words that are read as one.
const searchMarks = "*`"

// marksIn reports whether what is looked for is to be found in the source: it has marks of markdown in it, or an address,
// which the reader may not see.
func marksIn(query string) bool {
	return strings.ContainsAny(query, searchMarks) || strings.Contains(query, "](") || strings.Contains(query, "://")
}

// unmarked is an answer about as it is read: without the marks of emphasis and code, and with its lines joined where a
// line break is not one for the reader.
func unmarked(s string) string {
	if !strings.ContainsAny(s, searchMarks+"\n") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case c == '*' || c == '`':
		case c == '\n' && i > 0 && s[i-1] != '\n' && i+1 < len(s) && isLetter(s[i+1]):
			b = append(b, ' ')
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// isLetter reports whether a line that begins with the byte may go on with the paragraph before it.
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 }

func (it *userItem) words() (shown, folded string) {
	text := it.prompt.Text
	if !it.foldable() {
		return text, ""
	}
	head, _ := firstLines(text, longPrompt, 1) // surely on the screen
	return head, text[len(head):]
}

// says is what a call was about, was given and gave back.
func (it *toolItem) says(dir string) (shown, folded string) {
	t, d := it.tool, it.words(dir)
	var b strings.Builder
	switch d.Kind {
	case toolview.Read, toolview.Edit, toolview.Search, toolview.Fetch: // the row says it all
	case toolview.Command:
		if len(t.Input) > commandWidth {
			b.WriteString(it.given(d) + "\n")
		}
	default:
		b.Write(t.Input)
		b.WriteByte('\n')
	}
	for _, e := range t.Edits {
		b.WriteString(e.Path)
		b.WriteByte('\n')
		b.WriteString(e.Patch)
	}
	text := t.Result.Text
	if text == "" {
		text = t.Output()
	}
	b.WriteString(style.PlainOutput(text))
	return d.Past + " " + style.OneLine(d.Subject) + " " + it.denial(), b.String()
}

func (it *askItem) words() (shown, folded string) {
	a := it.ask
	var b strings.Builder
	switch {
	case a.Plan != nil:
		return "proposed a plan " + a.Settlement.Answer.Message, a.Plan.Plan
	case a.Permission != nil:
		b.WriteString(a.Permission.Tool)
	case a.Question != nil:
		for _, q := range a.Question.Questions {
			b.WriteString(style.OneLine(q.Text) + " " + strings.Join(a.Settlement.Answer.Choices[q.Text], ", ") + "\n")
		}
	case a.Elicitation != nil:
		b.WriteString(a.Elicitation.Server + " asks: " + style.OneLine(a.Elicitation.Message))
	}
	b.WriteString(a.Settlement.Answer.Message)
	return b.String(), ""
}

// childWords is what a child agent said and what its calls were given.
func childWords(c *session.Child) string {
	var b strings.Builder
	for _, e := range c.Entries {
		switch e := e.(type) {
		case *session.Part:
			if e.Kind == session.PartText && !e.Retracted {
				b.WriteString(e.Text() + "\n")
			}
		case *session.Tool:
			b.Write(e.Input)
			b.WriteByte('\n')
		case *session.Child:
			b.WriteString(e.Name + "  " + e.Description + "\n" + childWords(e))
		}
	}
	return b.String()
}
