package compact

import (
	"slices"

	"parley/session"
	"parley/session/builtin/wire"
)

const (
	// smallResult is the size of a result up to which leaving it out saves too little.
	smallResult = 1500
	// freshAnswers is the number of newest answers that keep their results whole when old ones are left out.
	freshAnswers = 4
)

// Drop returns the old results to leave out so that a request of size bytes gets below target, oldest first. It returns nothing
// if that is not enough.
func Drop(pieces []wire.Piece, size, target int) []session.CallID {
	answers := 0
	for _, p := range pieces {
		if p.Role == "assistant" && len(p.Blocks) > 0 {
			answers++
		}
	}
	var out []session.CallID
	seen := 0
	for _, p := range pieces {
		if p.Role == "assistant" && len(p.Blocks) > 0 {
			seen++
		}
		if seen > answers-freshAnswers || size <= target {
			break
		}
		for _, c := range p.Blocks {
			if n := sizeOf(c); c.Type == "tool_result" && n > smallResult {
				out = append(out, session.CallID(c.ToolUseID))
				size -= n - len(wire.DroppedNote) - blockBytes
			}
		}
	}
	if size > target {
		return nil
	}
	return out
}

// Keep returns where the newest pieces begin that fit into a number of bytes, as whole answers with their results. If the newest
// answer does not fit, the cut is behind it.
func Keep(pieces []wire.Piece, room int) session.Cut {
	i := len(pieces)
	for i > 0 {
		// From is the beginning of the answer, or of the turn, that ends before i.
		from := i - 1
		for from > 0 && pieces[from-1].Turn == pieces[from].Turn && pieces[from-1].Answer == pieces[from].Answer {
			from--
		}
		size := 0
		for _, p := range pieces[from:i] {
			size += SizeOf(p)
		}
		if size > room {
			break
		}
		room -= size
		i = from
	}
	if i == len(pieces) {
		if i == 0 {
			return session.Cut{}
		}
		return session.Cut{Turn: pieces[i-1].Turn, Answer: pieces[i-1].Answer + 1}
	}
	cut := session.Cut{Turn: pieces[i].Turn, Answer: pieces[i].Answer}
	if cut.Answer == 0 || cut.Turn == pieces[len(pieces)-1].Turn {
		return cut
	}
	// The prompt of a turn that is over stays only if it fits, too.
	for _, p := range pieces[:i] {
		if p.Turn == cut.Turn && p.Answer == 0 {
			room -= SizeOf(p)
		}
	}
	for ; room < 0 && pieces[i].Turn == cut.Turn; i++ {
	}
	return session.Cut{Turn: pieces[i].Turn, Answer: pieces[i].Answer}
}

// Shorten returns pieces that fit into a number of bytes, for a request that asks about them: long results and images go first,
// the oldest first, then the oldest answers, then the ends of long prompts. The beginning of the newest prompt or reminder stays
// in any case. It changes nothing that is shared.
func Shorten(pieces []wire.Piece, room int) []wire.Piece {
	out := slices.Clone(pieces)
	size := 0
	for _, p := range out {
		size += SizeOf(p)
	}
	for i := 0; i < len(out) && size > room; i++ {
		before := SizeOf(out[i])
		out[i].Blocks = lean(out[i].Blocks)
		size -= before - SizeOf(out[i])
	}
	// Whole answers go with their results, never a result alone; prompts and reminders stay as long as anything else can go.
	for i := 0; i < len(out) && size > room; i++ {
		if out[i].Answer == 0 {
			continue
		}
		turn, answer := out[i].Turn, out[i].Answer
		for ; i < len(out) && out[i].Turn == turn && out[i].Answer == answer; i++ {
			size -= SizeOf(out[i])
			out[i].Blocks = nil
		}
		i--
	}
	for i := 0; i < len(out) && size > room; i++ {
		before := SizeOf(out[i])
		out[i].Blocks = begun(out[i].Blocks)
		size -= before - SizeOf(out[i])
	}
	last := len(out) - 1
	for last > 0 && len(out[last].Blocks) == 0 {
		last--
	}
	for i := 0; i < last && size > room; i++ {
		size -= SizeOf(out[i])
		out[i].Blocks = nil
	}
	return out
}

// begun returns blocks with the beginnings of long texts.
func begun(blocks []wire.Content) []wire.Content {
	out := slices.Clone(blocks)
	for i, c := range out {
		if c.Type == "text" && len(c.Text) > smallResult {
			out[i].Text = head(c.Text, smallResult) + "\n[The rest is left out.]"
		}
	}
	return out
}

// lean returns blocks without images and with the beginnings of long results.
func lean(blocks []wire.Content) []wire.Content {
	const begin = 600
	var out []wire.Content
	for _, c := range blocks {
		switch {
		case c.Type == "image" || c.Type == "document":
			c = wire.Content{Type: "text", Text: "[An image or document stands here.]"}
		case c.Type == "tool_result" && (len(c.Content) > smallResult || len(c.Blocks) > 0):
			c.Content, c.Blocks = head(c.Content, begin)+"\n[The rest is left out.]", nil
		}
		out = append(out, c)
	}
	return out
}
