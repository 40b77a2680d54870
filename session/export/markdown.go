package export

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"parley/session"
	"parley/session/toolview"
)

// maxPiece is the rough length of a piece of markdown before the next begins.
const maxPiece = 256 << 10

// MarkdownPieces yields a conversation as markdown source: prompts as quotes, answers as they came, each tool call as one line
// with its result or diff in a fence. Each piece is markdown by itself: a turn, or some of the entries of a long one.
func MarkdownPieces(m session.Meta, t *session.Transcript, o Options) iter.Seq[string] {
	return func(yield func(string) bool) {
		var b strings.Builder
		out := func(least int) bool { // reports whether to go on
			if b.Len() < least {
				return true
			}
			piece := b.String()
			b.Reset()
			if !o.Secrets {
				piece = mask(piece)
			}
			return yield(piece)
		}
		fmt.Fprintf(&b, "# %s\n\n", m.Headline())
		fmt.Fprintf(&b, "%s · %s · %s\n", session.AgentTitle(m.Agent), m.Dir, m.Created.UTC().Format("2006-01-02 15:04 UTC"))
		for _, turn := range t.Turns {
			if turn.Prompt.Text != "" {
				b.WriteString("\n" + quote(turn.Prompt.Text) + "\n")
			}
			for i := range turn.Entries {
				o.writeEntries(&b, turn.Entries[i:i+1], m.Dir)
				if !out(maxPiece) {
					return
				}
			}
			if turn.Problem != nil {
				fmt.Fprintf(&b, "\n**%s** %s\n", turn.Problem.What, turn.Problem.Next)
			} else if turn.Outcome == session.TurnCancelled {
				b.WriteString("\n*interrupted*\n")
			}
			if !out(1) {
				return
			}
		}
		out(1)
	}
}

func (o Options) writeEntries(b *strings.Builder, entries []session.Entry, dir string) {
	for _, e := range entries {
		switch e := e.(type) {
		case *session.Part:
			text := strings.TrimRight(e.Text(), "\n")
			switch {
			case e.Retracted || strings.TrimSpace(text) == "":
			case e.Kind == session.PartText:
				b.WriteString("\n" + text + "\n")
			case o.Reasoning:
				b.WriteString("\n*Reasoning*\n\n" + quote(text) + "\n")
			}
		case *session.Tool:
			o.writeTool(b, e, dir)
		case *session.Child:
			fmt.Fprintf(b, "\n- agent %s: %s\n", e.Name, e.Description)
			o.writeEntries(b, e.Entries, dir)
		case *session.Mark:
			if n, ok := e.Event.(session.Notice); ok {
				fmt.Fprintf(b, "\n*%s*\n", n.Text)
			}
		}
	}
}

func (o Options) writeTool(b *strings.Builder, t *session.Tool, dir string) {
	input := t.Input
	if input == nil {
		input = json.RawMessage(t.Partial())
	}
	d := toolview.Describe(t.Name, input, dir)
	fmt.Fprintf(b, "\n- %s %s", d.Past, codeSpan(d.Subject))
	if t.Ended && t.Outcome != session.ToolOK {
		fmt.Fprintf(b, " (%s)", t.Outcome)
	}
	b.WriteString("\n")
	for _, e := range t.Edits {
		if e.Patch != "" {
			b.WriteString(fence(e.Patch, "diff"))
		}
	}
	if text := strings.TrimRight(t.Result.Text, "\n"); o.Output && text != "" && len(t.Edits) == 0 {
		b.WriteString(fence(text, ""))
	}
}

func quote(s string) string {
	return "> " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n> ")
}

// codeSpan delimits s by more backticks than it holds in a row.
func codeSpan(s string) string {
	if s == "" {
		return ""
	}
	ticks := strings.Repeat("`", maxRun(s, '`')+1)
	pad := ""
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		pad = " "
	}
	return ticks + pad + s + pad + ticks
}

// fence delimits text by a longer fence than any it holds, so that the text stays exactly as it is.
func fence(text, lang string) string {
	ticks := strings.Repeat("`", max(3, maxRun(text, '`')+1))
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	return "\n" + ticks + lang + "\n" + strings.TrimRight(text, "\n") + "\n" + ticks + "\n"
}

func maxRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
