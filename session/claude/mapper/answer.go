package mapper

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/session/process/record"
)

// answers holds the top-level answer that is streamed and committed.
type answers struct {
	rec     *record.Recorder
	calls   *calls
	current *answer        // nil between answers
	used    map[string]int // answers so far, by message id
}

// answer is one message of the model.
type answer struct {
	id     string         // the id in the names of its parts
	raw    string         // the runtime's id
	blocks []*answerBlock // by index
}

type answerBlock struct {
	kind      string // text, thinking or tool_use
	part      session.PartID
	call      session.CallID
	text      strings.Builder
	started   time.Time
	ended     bool
	committed bool
}

// maxBlocks bounds the index of a block; models answer with a few dozen.
const maxBlocks = 4096

func newAnswers(rec *record.Recorder, calls *calls) *answers {
	return &answers{rec: rec, calls: calls, used: map[string]int{}}
}

// begin starts an answer. A message id that comes again gets a suffix, to keep its parts apart from the earlier ones.
func (a *answers) begin(id string) {
	name := id
	if a.used[id]++; a.used[id] > 1 {
		name = fmt.Sprintf("%s~%d", id, a.used[id])
	}
	a.current = &answer{id: name, raw: id}
}

// is reports whether the current answer has that message id.
func (a *answers) is(id string) bool { return a.current != nil && a.current.raw == id }

// block returns a block of the current answer, nil if there is none.
func (a *answers) block(index int) *answerBlock {
	if a.current == nil || index < 0 || index >= len(a.current.blocks) {
		return nil
	}
	return a.current.blocks[index]
}

// startBlock starts a streamed block.
func (a *answers) startBlock(e streamEvent, at time.Time) {
	if a.current == nil || e.Index < 0 || e.Index >= maxBlocks || a.block(e.Index) != nil {
		a.rec.Count("content_block_start")
		return
	}
	b := &answerBlock{kind: e.Block.Type, started: at}
	for len(a.current.blocks) <= e.Index {
		a.current.blocks = append(a.current.blocks, nil)
	}
	a.current.blocks[e.Index] = b
	switch b.kind {
	case "text", "thinking":
		b.part = a.part(e.Index)
		a.rec.Emit(session.PartStarted{Head: a.rec.At(at), Part: b.part, Kind: partKind(b.kind)})
		a.appendText(b, e.Block.words(), at)
	case "tool_use":
		if call := session.CallID(e.Block.ID); call != "" && a.calls.Find(call) == nil {
			b.call = call
			a.calls.start(e.Block, "", at)
		}
	}
}

// part names the part of a block by message and index: an index alone repeats with every message of a turn.
func (a *answers) part(index int) session.PartID {
	return session.PartID(fmt.Sprintf("%s:%d", a.current.id, index))
}

func partKind(block string) session.PartKind {
	if block == "thinking" {
		return session.PartReasoning
	}
	return session.PartText
}

// delta appends a fragment to a streamed block.
func (a *answers) delta(f fragment, at time.Time) {
	b := a.block(f.index)
	if b == nil || b.ended {
		return
	}
	switch f.kind {
	case "text_delta", "thinking_delta":
		a.appendText(b, f.text, at)
	case "input_json_delta":
		if b.call != "" && f.text != "" && !a.calls.Find(b.call).Ready {
			b.text.WriteString(f.text)
			a.rec.Emit(session.ToolInput{Head: a.rec.At(at), Call: b.call, Fragment: f.text})
		}
	}
}

func (a *answers) appendText(b *answerBlock, text string, at time.Time) {
	if text == "" || b.part == "" {
		return
	}
	b.text.WriteString(text)
	a.rec.Emit(session.PartDelta{Head: a.rec.At(at), Part: b.part, Text: text})
}

// stopBlock ends a streamed block. The streamed input of a call counts until the commit, which may differ in defaults;
// malformed input is left to the commit or the result.
func (a *answers) stopBlock(index int, at time.Time) {
	b := a.block(index)
	if b == nil {
		return
	}
	a.endBlock(b, at)
	if b.call == "" || a.calls.Find(b.call).Ready {
		return
	}
	if input := b.text.String(); json.Valid([]byte(input)) {
		a.calls.ready(b.call, json.RawMessage(input), at)
	}
}

func (a *answers) endBlock(b *answerBlock, at time.Time) {
	if b.part != "" && !b.ended {
		a.rec.Emit(session.PartEnded{Head: a.rec.At(at), Part: b.part, Duration: at.Sub(b.started)})
	}
	b.ended = true
}

// retract takes back the streamed blocks without a commit: the attempt was thrown away.
func (a *answers) retract(at time.Time) {
	if a.current == nil {
		return
	}
	for _, b := range a.current.blocks {
		switch {
		case b == nil || b.committed:
		case b.part != "":
			a.rec.Emit(session.PartRetracted{Head: a.rec.At(at), Part: b.part})
		case b.call != "":
			a.calls.End(session.ToolEnded{Head: a.rec.At(at), Call: b.call, Outcome: session.ToolCancelled})
		}
	}
	a.current = nil
}

// end ends the answer. Streamed blocks without a commit stay, because no other attempt replaces them.
func (a *answers) end(at time.Time) {
	if a.current == nil {
		return
	}
	for _, b := range a.current.blocks {
		if b == nil {
			continue
		}
		a.endBlock(b, at)
		if b.call != "" && !b.committed {
			a.calls.End(session.ToolEnded{Head: a.rec.At(at), Call: b.call, Outcome: session.ToolCancelled})
		}
	}
	a.current = nil
}

// commit matches a committed block with the first streamed one of its kind without a commit, or adds it.
func (a *answers) commit(b block, at time.Time) {
	i := slices.IndexFunc(a.current.blocks, func(s *answerBlock) bool {
		return s != nil && !s.committed && s.kind == b.Type && (b.Type != "tool_use" || s.call == session.CallID(b.ID))
	})
	isNew := i < 0
	if isNew {
		i = len(a.current.blocks)
		a.current.blocks = append(a.current.blocks, &answerBlock{kind: b.Type, started: at})
	}
	live := a.current.blocks[i]
	live.committed = true
	switch b.Type {
	case "text", "thinking":
		if isNew {
			a.commitWhole(live, i, b, at)
		} else {
			a.commitText(live, b, at)
		}
	case "tool_use":
		a.commitTool(live, b, at)
	}
}

// commitWhole makes a part of a block that was never streamed.
func (a *answers) commitWhole(live *answerBlock, index int, b block, at time.Time) {
	live.ended = true
	if b.words() == "" {
		return
	}
	live.part = a.part(index)
	a.rec.Emit(session.PartReplaced{Head: a.rec.At(at), Part: live.part, Kind: partKind(b.Type), Text: b.words()})
}

// commitText ends a streamed part. Committed text replaces the streamed one. Reasoning may be committed empty or shortened,
// and stays as it was streamed.
func (a *answers) commitText(live *answerBlock, b block, at time.Time) {
	if b.Type == "text" && live.text.String() != b.Text {
		a.rec.Emit(session.PartReplaced{Head: a.rec.At(at), Part: live.part, Kind: session.PartText, Text: b.Text})
		live.ended = true
		return
	}
	a.endBlock(live, at)
}

func (a *answers) commitTool(live *answerBlock, b block, at time.Time) {
	call := session.CallID(b.ID)
	if call == "" {
		a.rec.Count("tool_use without id")
		return
	}
	live.call = call
	a.calls.start(b, "", at)
	a.calls.ready(call, b.Input, at)
}
