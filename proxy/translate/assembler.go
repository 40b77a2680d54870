package translate

import "strings"

// assembler arranges pieces that arrive in any order as the Messages API requires: one block at a time, none reopened.
// Pieces of a later block wait until the one before is complete.
type assembler struct {
	plan    *answerPlan
	out     sink
	started bool
	queue   []*segment // the first is being written, unless it has no text yet
	tools   int        // calls seen
	called  bool       // a call was passed on
	ids     map[string]bool
	cut     stopCutter
	stopped bool // a stop sequence was found; nothing more is passed on
	refused bool // the model declined
}

// segment is one block in progress.
type segment struct {
	kind     kind
	id, name string // of a call
	seal     sealed // of reasoning
	text     []byte // all text so far, of which written bytes were passed on
	written  int
	open     bool
	complete bool
}

func newAssembler(plan *answerPlan, out sink) *assembler {
	return &assembler{plan: plan, out: out, cut: stopCutter{stops: plan.stops}}
}

// start begins the message, once.
func (a *assembler) start() {
	if !a.started {
		a.started = true
		a.out.start()
	}
}

// begin appends a block. It returns nil for one that the client does not want.
func (a *assembler) begin(k kind) *segment {
	a.start()
	if k == kindThinking && !a.plan.shows {
		return nil
	}
	if k == kindTool {
		a.tools++
	}
	s := &segment{kind: k}
	a.queue = append(a.queue, s)
	return s
}

// add adds text to a block. It ignores text for a complete one.
func (a *assembler) add(s *segment, text string) {
	if s == nil || s.complete || text == "" {
		return
	}
	s.text = append(s.text, text...)
	a.pump()
}

// catchUp adds the part of a block's whole text that was not streamed.
func (a *assembler) catchUp(s *segment, whole string) {
	if s != nil && strings.HasPrefix(whole, string(s.text)) {
		a.add(s, whole[len(s.text):])
	}
}

// complete records that a block is complete.
func (a *assembler) complete(s *segment) {
	if s != nil {
		s.complete = true
		a.pump()
	}
}

// completeAll records that all blocks are complete.
func (a *assembler) completeAll() {
	for _, s := range a.queue {
		s.complete = true
	}
	a.pump()
}

// pump writes everything that can be written.
func (a *assembler) pump() {
	for len(a.queue) > 0 {
		s := a.queue[0]
		a.write(s)
		if !s.complete {
			return
		}
		a.end(s)
		a.queue = a.queue[1:]
	}
}

// write passes on the new part of a block, and opens the block if there is any.
func (a *assembler) write(s *segment) {
	if a.stopped || s.kind == kindTool && (s.name == "" || s.id == "") {
		return
	}
	if s.written == len(s.text) && s.kind != kindTool {
		return
	}
	fresh := string(s.text[s.written:])
	s.written = len(s.text)
	switch s.kind {
	case kindText:
		fresh, a.stopped = a.cut.pass(fresh)
	case kindThinking:
		if a.plan.silent {
			return
		}
	case kindTool:
		a.unfold(s)
	}
	if fresh != "" {
		a.unfold(s)
		a.out.add(s.kind, fresh)
	}
}

// unfold opens the block.
func (a *assembler) unfold(s *segment) {
	if !s.open {
		s.open, a.called = true, a.called || s.kind == kindTool
		a.out.open(s.kind, s.id, s.name)
	}
}

// end closes a block. It omits one that was never opened, unless it is reasoning with only a signature.
func (a *assembler) end(s *segment) {
	if s.kind == kindText && !a.stopped {
		if rest := a.cut.rest(); rest != "" {
			a.unfold(s)
			a.out.add(kindText, rest)
		}
	}
	signature := ""
	switch {
	case s.kind == kindThinking:
		if s.seal.Content != "" && !a.stopped {
			a.unfold(s)
		}
		s.seal.Model = a.plan.sealed
		signature = sign(a.plan.api, s.seal)
	case s.kind == kindTool && s.open && strings.TrimSpace(string(s.text)) == "":
		a.out.add(kindTool, "{}") // some clients take an input without any text for a broken one
	}
	if s.open {
		a.out.close(signature)
	}
}

// finish ends the message, with the stop reason from the service's ending.
func (a *assembler) finish(e ending) {
	a.start()
	a.completeAll()
	if e.reason == "tool_use" && !a.called {
		e.reason = "end_turn"
	}
	switch {
	case a.stopped:
		e.reason, e.stop = "stop_sequence", a.cut.met
	case a.refused && e.reason == "end_turn":
		e.reason = "refusal"
	}
	a.out.finish(e)
}

// uniqueID spells the id of a call for the client. It replaces a missing or repeated id.
func (a *assembler) uniqueID(id, messageID string) string {
	if id == "" || a.ids[id] {
		id = madeID(messageID, a.tools)
	}
	if a.ids == nil {
		a.ids = map[string]bool{}
	}
	a.ids[id] = true
	return toolUseID(id)
}
