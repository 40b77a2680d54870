package wire

import (
	"slices"
	"strings"

	"parley/session"
)

// PrintedType is the type of a part that a command printed. Its turn is not part of the conversation with the model.
const PrintedType = "printed"

// printed reports a turn that only printed something, such as a breakdown of the window.
func printed(t *session.Turn) bool {
	for _, e := range t.Entries {
		if p, ok := e.(*session.Part); ok {
			_, o := partBlock(p)
			return o.Type == PrintedType
		}
	}
	return false
}

// compactions returns the compactions among pieces.
func compactions(pieces []Piece) []Piece {
	var out []Piece
	for _, p := range pieces {
		if p.Compaction != nil {
			out = append(out, p)
		}
	}
	return out
}

// The texts around a summary, and in place of a result that was left out.
const (
	summaryBegin = "<system-reminder>\nThe conversation before this point is no longer sent. This summary stands in its place:\n\n"
	summaryEnd   = "\n\nGo on from there as if the conversation had not been interrupted. Read a file again before you change it.\n</system-reminder>"
	// saidBegin stands before the user's own prompts of what a summary stands for.
	saidBegin = "\n\n# What the user said, word for word, oldest first\n"
	// DroppedNote is the text that the model reads in place of an old result.
	DroppedNote = "[This old result is no longer sent. Call the tool again if it matters.]"
)

// IsSummary reports whether a text of a request is the summary of what is no longer sent.
func IsSummary(text string) bool { return strings.HasPrefix(text, summaryBegin) }

// Resolve returns the pieces that are sent, without compactions: the newest summary with what it keeps and what followed, and
// notes in place of the results that were left out. It is pure and changes nothing that is shared.
func Resolve(pieces []Piece) []Piece {
	active := Active(pieces)
	dropped := map[string]bool{}
	out := pieces
	for _, at := range active {
		c := pieces[at].Compaction
		for _, call := range c.Dropped {
			dropped[string(call)] = true
		}
		if c.Summary != "" {
			out = slices.Concat(summarised(pieces[:at], c), pieces[at:])
		}
	}
	out = slices.DeleteFunc(slices.Clone(out), func(p Piece) bool { return p.Compaction != nil })
	if len(dropped) == 0 {
		return out
	}
	for i, p := range out {
		if slices.ContainsFunc(p.Blocks, func(c Content) bool { return dropped[c.ToolUseID] }) {
			out[i].Blocks = slices.Clone(p.Blocks)
			for k, c := range out[i].Blocks {
				if dropped[c.ToolUseID] {
					out[i].Blocks[k] = Content{Type: c.Type, ToolUseID: c.ToolUseID, IsError: c.IsError, Content: DroppedNote}
				}
			}
		}
	}
	return out
}

// Active returns the indexes of the compactions that hold: those that were not undone, oldest first.
func Active(pieces []Piece) []int {
	var active []int
	for i, p := range pieces {
		switch c := p.Compaction; {
		case c == nil:
		case !c.Undone:
			active = append(active, i)
		case len(active) > 0:
			active = active[:len(active)-1]
		}
	}
	return active
}

// summarised returns what is sent in place of the pieces before a compaction. Of a turn that it cuts within, the prompt stays.
func summarised(before []Piece, c *session.Compacted) []Piece {
	text := summaryBegin + strings.TrimSpace(c.Summary) + said(before, c) + summaryEnd
	out := []Piece{{Role: "user", Blocks: []Content{{Type: "text", Text: text}}}}
	for i, p := range before {
		if p.Turn != c.Keep.Turn || c.Keep.Turn == "" {
			continue
		}
		if p.Answer >= c.Keep.Answer {
			return append(out, before[i:]...)
		}
		if p.Answer == 0 {
			out = append(out, p)
		}
	}
	return out
}

// Bounds of the prompts that stay beside a summary, in bytes: of all, and of each.
const (
	maxSaid   = 24 << 10
	maxPrompt = 4 << 10
)

// said returns the user's own prompts among the pieces that a summary stands for, the newest if there are too many, "" for none. A
// summary may lose what they were about.
func said(before []Piece, c *session.Compacted) string {
	var prompts []string
	for _, p := range before {
		if p.Turn == c.Keep.Turn && c.Keep.Turn != "" {
			break // its prompt stays as it is
		}
		for _, b := range p.Blocks {
			if p.Role == "user" && b.Type == "text" && !strings.HasPrefix(b.Text, "<system-reminder>") && b.Text != InterruptedNote {
				prompts = append(prompts, strings.TrimSpace(b.Text))
			}
		}
	}
	size, from := 0, len(prompts)
	for from > 0 {
		if len(prompts[from-1]) > maxPrompt {
			prompts[from-1] = strings.ToValidUTF8(prompts[from-1][:maxPrompt], "") + " (cut here)"
		}
		if size += len(prompts[from-1]); size > maxSaid {
			break
		}
		from--
	}
	if from == len(prompts) {
		return ""
	}
	return saidBegin + "\n" + strings.Join(prompts[from:], "\n\n---\n\n")
}
