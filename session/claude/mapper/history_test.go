package mapper

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"parley/session"
)

// A history is what a runtime could print: tracks of lines that happen at the same time, one for the top level and one
// for each child agent. Within a track the order is the runtime's; between tracks anything may come first, except for what
// waits for another track.
type history struct {
	r     *rand.Rand
	ids   int
	truth truth
}

// truth is what the transcript must hold in the end.
type truth struct {
	said  map[string][]string // words by turn, or by child as "child ID", in order
	tools map[session.CallID]session.TurnID
	ended map[session.CallID]string // result by call
	kids  map[session.ChildID]bool
	turns map[session.TurnID]session.TurnOutcome
}

// track is a sequence of actions, and the tracks that begin along the way.
type track struct{ acts []action }

type action struct {
	line  string // a line of the runtime
	host  func(m *Mapper, at time.Time) []session.Event
	spawn *track
	await *track
}

func (t *track) say(format string, args ...any) {
	t.acts = append(t.acts, action{line: fmt.Sprintf(format, args...)})
}

func (h *history) id(kind string) string {
	h.ids++
	return fmt.Sprintf("%s_%d", kind, h.ids)
}

func (h *history) one(in int) bool { return h.r.IntN(in) == 0 }

func (h *history) words() string {
	all := []string{"alpha", "beta\n", "\"gamma\"", "δέλτα", "字", " ", "\\", "<b>", "🙂", "```\n"}
	var b strings.Builder
	for range 1 + h.r.IntN(8) {
		b.WriteString(all[h.r.IntN(len(all))])
	}
	return b.String()
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// chunks cuts a text anywhere between characters.
func (h *history) chunks(text string) []string {
	var out []string
	rs := []rune(text)
	for len(rs) > 0 {
		n := 1 + h.r.IntN(len(rs))
		out = append(out, string(rs[:n]))
		rs = rs[n:]
	}
	return out
}

// modelBlock is one block of a message as the model means it.
type modelBlock struct {
	kind, text, call, tool string
	input                  map[string]any
}

func (b modelBlock) commit() map[string]any {
	switch b.kind {
	case "thinking":
		return map[string]any{"type": "thinking", "thinking": b.text, "signature": "s"}
	case "tool_use":
		return map[string]any{"type": "tool_use", "id": b.call, "name": b.tool, "input": b.input}
	}
	return map[string]any{"type": "text", "text": b.text}
}

func streamLine(event any) string {
	return asJSON(map[string]any{"type": "stream_event", "event": event, "parent_tool_use_id": nil, "session_id": "s"})
}

func assistantLine(id, parent string, b modelBlock) string {
	l := map[string]any{"type": "assistant", "session_id": "s", "message": map[string]any{"id": id, "model": "m", "content": []any{b.commit()}}}
	if parent != "" {
		l["parent_tool_use_id"] = parent
	}
	return asJSON(l)
}

// stream says the blocks as fragments; those before cut are also committed, the one at cut is left in the middle.
func (h *history) stream(t *track, id string, blocks []modelBlock, cut int) {
	t.say("%s", streamLine(map[string]any{"type": "message_start", "message": map[string]any{"id": id, "model": "m"}}))
	for i, b := range blocks {
		start, field, kind, text := map[string]any{"type": b.kind}, "text", "text_delta", b.text
		switch b.kind {
		case "thinking":
			field, kind = "thinking", "thinking_delta"
		case "tool_use":
			start["id"], start["name"], start["input"] = b.call, b.tool, map[string]any{}
			field, kind, text = "partial_json", "input_json_delta", asJSON(b.input)
		}
		t.say("%s", streamLine(map[string]any{"type": "content_block_start", "index": i, "content_block": start}))
		chunks := h.chunks(text)
		if i == cut {
			chunks = chunks[:h.r.IntN(len(chunks)+1)]
		}
		for _, c := range chunks {
			t.say("%s", streamLine(map[string]any{"type": "content_block_delta", "index": i, "delta": map[string]any{"type": kind, field: c}}))
		}
		if i == cut {
			return
		}
		t.say("%s", assistantLine(id, "", b))
		if !h.one(10) {
			t.say("%s", streamLine(map[string]any{"type": "content_block_stop", "index": i}))
		}
	}
	if cut < 0 {
		t.say("%s", streamLine(map[string]any{"type": "message_stop"}))
	}
}

// blocks makes up an answer: words, reasoning and calls. What is said counts for whom.
func (h *history) blocks(turn session.TurnID, whom string, tools bool) []modelBlock {
	var out []modelBlock
	for range 1 + h.r.IntN(4) {
		switch h.r.IntN(4) {
		case 0:
			out = append(out, modelBlock{kind: "thinking", text: h.words()})
		case 1, 2:
			out = append(out, modelBlock{kind: "text", text: h.words()})
		default:
			if tools {
				out = append(out, modelBlock{kind: "tool_use", call: h.id("toolu"), tool: "Read", input: map[string]any{"file_path": h.words()}})
			}
		}
	}
	for _, b := range out {
		h.meant(turn, whom, b)
	}
	return out
}

func (h *history) meant(turn session.TurnID, whom string, b modelBlock) {
	if b.kind == "tool_use" {
		h.truth.tools[session.CallID(b.call)] = turn
		return
	}
	h.truth.said[whom] = append(h.truth.said[whom], b.kind+":"+b.text)
}

func (h *history) result(t *track, call, parent string, more map[string]any) {
	text := "result of " + call
	h.truth.ended[session.CallID(call)] = text
	l := map[string]any{"type": "user", "session_id": "s", "message": map[string]any{"role": "user", "content": []any{
		map[string]any{"type": "tool_result", "tool_use_id": call, "content": text}}}}
	if parent != "" {
		l["parent_tool_use_id"] = parent
	}
	for k, v := range more {
		l[k] = v
	}
	t.say("%s", asJSON(l))
}

// child makes the track of a child agent.
func (h *history) child(turn session.TurnID, call string, background bool) *track {
	t := &track{}
	h.truth.kids[session.ChildID(call)] = true
	for range 1 + h.r.IntN(3) {
		id := h.id("msg")
		blocks := h.blocks(turn, "child "+call, true)
		for _, b := range blocks {
			t.say("%s", assistantLine(id, call, b))
		}
		for _, b := range blocks {
			if b.kind == "tool_use" {
				h.result(t, b.call, call, nil)
			}
		}
	}
	if background {
		t.say(`{"type":"system","subtype":"task_notification","task_id":"task-%s","tool_use_id":%q,"status":"completed","summary":"s"}`, call, call)
	}
	return t
}

// call carries out the calls of an answer: reads at once or late, agents with a track of their own.
func (h *history) calls(t *track, turn session.TurnID, blocks []modelBlock, late *[]string) []*track {
	var behind []*track
	h.r.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	for _, b := range blocks {
		switch {
		case b.kind != "tool_use":
		case b.tool == "Agent":
			background := b.input["run_in_background"] == true
			t.say(`{"type":"system","subtype":"task_started","task_id":"task-%s","tool_use_id":%q,"task_type":"local_agent","description":"d"}`, b.call, b.call)
			kid := h.child(turn, b.call, background)
			t.acts = append(t.acts, action{spawn: kid})
			if background {
				h.result(t, b.call, "", map[string]any{"tool_use_result": map[string]any{"isAsync": true, "status": "async_launched"}})
				behind = append(behind, kid)
				break
			}
			t.say(`{"type":"system","subtype":"task_notification","task_id":"task-%s","tool_use_id":%q,"status":"completed"}`, b.call, b.call)
			t.acts = append(t.acts, action{await: kid})
			h.result(t, b.call, "", map[string]any{"tool_use_result": map[string]any{"status": "completed"}})
		case h.one(8):
			*late = append(*late, b.call)
		default:
			if h.one(3) {
				h.permit(t, b)
			}
			h.result(t, b.call, "", nil)
		}
	}
	return behind
}

// permit asks the user; sometimes the runtime takes the question back.
func (h *history) permit(t *track, b modelBlock) {
	id := h.id("ask")
	t.say("%s", asJSON(map[string]any{"type": "control_request", "request_id": id, "request": map[string]any{
		"subtype": "can_use_tool", "tool_name": b.tool, "input": b.input, "tool_use_id": b.call}}))
	if h.one(3) {
		t.say(`{"type":"control_cancel_request","request_id":%q}`, id)
		return
	}
	t.acts = append(t.acts, action{host: func(m *Mapper, at time.Time) []session.Event {
		return m.Answered(session.AskID(id), session.Answer{Decision: session.Allow}, session.SettledAnswered, at)
	}})
}

// turn makes one turn of the top level.
func (h *history) turn(t *track, n int, late *[]string, auto bool) []*track {
	turn := session.TurnID(fmt.Sprintf("turn-%d", n))
	if auto {
		turn = session.TurnID(fmt.Sprintf("auto-1-%d", n))
	} else {
		t.acts = append(t.acts, action{host: func(m *Mapper, at time.Time) []session.Event {
			return m.Begin(turn, session.Prompt{ID: session.PromptID(turn), Text: "p"}, session.OriginUser, at)
		}})
	}
	t.say(`{"type":"system","subtype":"init","session_id":"s","model":"m","permissionMode":"default"}`)
	var behind []*track
	for range 1 + h.r.IntN(3) {
		for h.one(5) { // an attempt that is thrown away, in the middle of its first block
			h.ids++
			b := modelBlock{kind: []string{"text", "thinking", "tool_use"}[h.r.IntN(3)], text: h.words(), call: h.id("lost"), tool: "Read",
				input: map[string]any{"file_path": h.words()}}
			h.stream(t, h.id("msg"), []modelBlock{b}, 0)
			t.say(`{"type":"system","subtype":"api_retry","attempt":1,"max_retries":3,"retry_delay_ms":10,"error":"overloaded"}`)
		}
		blocks := h.blocks(turn, string(turn), true)
		if h.one(3) && !auto {
			b := modelBlock{kind: "tool_use", call: h.id("toolu"), tool: "Agent", input: map[string]any{"description": "d", "run_in_background": h.one(2)}}
			h.meant(turn, string(turn), b)
			blocks = append(blocks, b)
		}
		if len(blocks) == 0 {
			blocks = []modelBlock{{kind: "text", text: "x"}}
			h.meant(turn, string(turn), blocks[0])
		}
		if id := h.id("msg"); h.one(6) { // without streaming
			for _, b := range blocks {
				t.say("%s", assistantLine(id, "", b))
			}
		} else {
			h.stream(t, id, blocks, -1)
		}
		behind = append(behind, h.calls(t, turn, blocks, late)...)
		if len(*late) > 0 && h.one(2) {
			h.result(t, (*late)[0], "", nil)
			*late = (*late)[1:]
		}
	}
	if h.one(4) { // interrupted in the middle of an answer, what was said of it committed
		b := modelBlock{kind: "text", text: h.words()}
		h.meant(turn, string(turn), b)
		h.stream(t, h.id("msg"), []modelBlock{b}, -1)
		t.say(`{"type":"user","session_id":"s","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]}}`)
		t.say(`{"duration_ms":5,"subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming","type":"result"}`)
		h.truth.turns[turn] = session.TurnCancelled
		return behind
	}
	t.say(`{"duration_ms":5,"subtype":"success","usage":{"input_tokens":3,"output_tokens":4},"terminal_reason":"completed","type":"result"}`)
	h.truth.turns[turn] = session.TurnCompleted
	return behind
}

func newTruth() truth {
	return truth{map[string][]string{}, map[session.CallID]session.TurnID{}, map[session.CallID]string{}, map[session.ChildID]bool{},
		map[session.TurnID]session.TurnOutcome{}}
}

// make makes a history of several turns. Autonomous ones follow what has ended in the background.
func (h *history) make() *track {
	t := &track{}
	var late []string
	autos := 0
	for n := range 1 + h.r.IntN(4) {
		for _, kid := range h.turn(t, n+1, &late, false) {
			if h.one(2) {
				t.acts = append(t.acts, action{await: kid})
				autos++
				h.turn(t, autos, &late, true)
			}
		}
	}
	for _, call := range late { // those that come between turns
		h.result(t, call, "", nil)
	}
	return t
}

// play lets the tracks happen in some order and returns the events.
func (h *history) play(main *track) []session.Event {
	m := New("s", 1)
	var events []session.Event
	at := testTime
	next := map[*track]int{}
	running := []*track{main}
	for len(running) > 0 {
		i := h.r.IntN(len(running))
		t := running[i]
		if next[t] == len(t.acts) {
			running = append(running[:i], running[i+1:]...)
			continue
		}
		a := t.acts[next[t]]
		if a.await != nil && next[a.await] < len(a.await.acts) {
			continue
		}
		next[t]++
		at = at.Add(time.Millisecond)
		switch {
		case a.line != "":
			events = append(events, m.Map([]byte(a.line), at)...)
		case a.host != nil:
			events = append(events, a.host(m, at)...)
		case a.spawn != nil:
			running = append(running, a.spawn)
		}
	}
	return append(events, m.Exit(false, "", at)...)
}
