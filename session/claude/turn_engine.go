package claude

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/session/claude/mapper"
	"parley/session/process"
)

// engine is a running process with the state that ends with it. It decides which result ends a turn; the package
// comment has the rules. The conversation's lock guards its fields.
type engine struct {
	*started
	gen    session.Generation
	m      *mapper.Mapper
	custom string // the custom agent that it was started as

	waiting []written      // prompts that were written and not taken up, oldest first
	other   []byte         // a result of something else, until it is clear whether another one comes
	echoes  bool           // the runtime echoes prompts
	began   session.TurnID // the turn of a prompt, empty between turns and in an autonomous one

	asks  *process.Book[*pendingAsk] // the conversation's
	calls calls
	tasks map[string]bool // background work by task id

	followed map[session.CallID]bool  // commands whose output is being read
	readTo   map[session.CallID]int64 // how far, in bytes

	asides int // open questions beside the conversation

	applied applied

	stopping      bool          // from an interrupt until the turn and the interrupt are over
	interrupted   bool          // by the user
	broken        bool          // ended because a write failed
	quietReported bool          // this silence was reported
	gone          chan struct{} // closed when its end has been reported
}

// written is a prompt that was written to a runtime.
type written struct {
	uuid   string
	turn   session.TurnID
	prompt session.Prompt
	steer  bool // into a running turn
}

func newEngine(p *started, id session.ID, gen session.Generation, s session.Settings, asks *process.Book[*pendingAsk]) *engine {
	return &engine{started: p, gen: gen, m: mapper.New(id, gen), custom: s.Custom, applied: applied{settings: s},
		asks: asks, calls: newCalls(), tasks: map[string]bool{},
		followed: map[session.CallID]bool{}, readTo: map[session.CallID]int64{}, gone: make(chan struct{})}
}

// begin opens the turn of a prompt that is about to be written.
func (e *engine) begin(w written, o session.Origin, at time.Time) []session.Event {
	e.waiting = append(e.waiting, w)
	e.began, e.other, e.interrupted = w.turn, nil, false
	return e.m.Begin(w.turn, w.prompt, o, at)
}

// steer records a prompt about to be written into the running turn.
func (e *engine) steer(w written) { e.waiting = append(e.waiting, w) }

// take maps one line.
func (e *engine) take(data []byte, at time.Time) []session.Event {
	p := peek(data)
	e.quietReported = false
	e.countTasks(p)
	var out []session.Event
	e.echoes = e.echoes || p.IsReplay
	for _, uuid := range p.takenUp() {
		out = append(out, e.takenUp(uuid, at)...)
	}
	if uuid := p.dropped(); uuid != "" {
		out = append(out, e.drop(uuid, at)...)
	}
	if e.m.Turn() == "" && p.speaks() && len(e.waiting) > 0 {
		out = append(out, e.takenUp(e.waiting[0].uuid, at)...)
	}
	switch {
	case p.Type == "result" && !e.ends() && p.withoutModel() && e.prompted():
		e.waiting = slices.DeleteFunc(e.waiting, func(w written) bool { return w.turn == e.began })
		e.m.BlockPrompt()
		out = append(out, e.m.Map(data, at)...)
	case p.Type == "result" && !e.ends():
		e.other = bytes.Clone(data)
	case p.idle() && e.other != nil && e.m.Turn() != "" && !e.isExpected():
		out = append(out, e.steeredAll(at)...)
		out = append(out, e.m.Map(e.other, at)...)
	default:
		out = append(out, e.m.Map(data, at)...)
	}
	return append(out, e.closed()...)
}

// closed resets the state of a turn that has ended.
func (e *engine) closed() []session.Event {
	if e.m.Turn() != "" || e.began == "" {
		return nil
	}
	turn := e.began
	e.began, e.other, e.interrupted = "", nil, false
	e.waiting = slices.DeleteFunc(e.waiting, func(w written) bool { return w.turn == turn })
	return nil
}

// ends reports whether a result that comes now ends the running turn.
func (e *engine) ends() bool {
	return e.began == "" || e.m.Turn() != e.began || !slices.ContainsFunc(e.waiting, func(w written) bool { return w.turn == e.began })
}

// isExpected reports whether an idle runtime will still take up the prompt of the running turn, which was written while
// the runtime ended other work. Commands of the runtime, such as /compact, are not echoed and only have a result.
func (e *engine) isExpected() bool { return e.echoes && e.prompted() }

// prompted reports whether the prompt of the running turn has not been taken up and is not a command of the runtime.
func (e *engine) prompted() bool {
	return slices.ContainsFunc(e.waiting, func(w written) bool {
		return w.turn == e.began && !strings.HasPrefix(strings.TrimSpace(w.prompt.Text), "/")
	})
}

// takenUp records that the runtime works on a prompt. A steered one joins the running turn, or opens one.
func (e *engine) takenUp(uuid string, at time.Time) []session.Event {
	i := slices.IndexFunc(e.waiting, func(w written) bool { return w.uuid == uuid })
	if i < 0 {
		return nil
	}
	w := e.waiting[i]
	e.waiting = slices.Delete(e.waiting, i, i+1)
	switch {
	case !w.steer:
		return nil
	case e.m.Turn() == "":
		e.began, e.other, e.interrupted = w.turn, nil, false
		return e.m.Begin(w.turn, w.prompt, session.OriginSteer, at)
	}
	return []session.Event{session.Steered{Head: e.m.Head(at), Prompt: w.prompt.ID}}
}

// steeredAll counts all steered prompts as taken up by an idle runtime that does not echo prompts.
func (e *engine) steeredAll(at time.Time) []session.Event {
	if e.echoes {
		return nil // its echo follows
	}
	var out []session.Event
	for _, w := range slices.Clone(e.waiting) {
		if w.steer {
			out = append(out, e.takenUp(w.uuid, at)...)
		}
	}
	return out
}

// drop removes a prompt that the runtime will never work on, and ends its turn if it runs.
func (e *engine) drop(uuid string, at time.Time) []session.Event {
	i := slices.IndexFunc(e.waiting, func(w written) bool { return w.uuid == uuid })
	if i < 0 {
		return nil
	}
	w := e.waiting[i]
	e.waiting = slices.Delete(e.waiting, i, i+1)
	if e.m.Turn() == "" || e.m.Turn() != w.turn {
		return nil
	}
	return append(e.m.Cancel(at), e.closed()...)
}

// over reports whether no turn runs and no prompt waits.
func (e *engine) over() bool { return e.m.Turn() == "" && len(e.waiting) == 0 }

// countTasks counts background work, which needs its process.
func (e *engine) countTasks(p peeked) {
	if p.Type != "system" {
		return
	}
	switch p.Subtype {
	case "task_started":
		e.tasks[p.TaskID] = true
	case "task_notification":
		delete(e.tasks, p.TaskID)
	case "task_updated":
		if mapper.TaskEnded(p.Patch.Status) {
			delete(e.tasks, p.TaskID)
		}
	case "background_tasks_changed":
		if len(p.Tasks) == 0 { // the runtime's count decides
			clear(e.tasks)
		}
	}
}

// idle reports whether the process has no turn, ask or background work.
func (e *engine) idle() bool {
	return e.over() && !e.asks.Any() && len(e.tasks) == 0 && e.asides == 0 && !e.stopping
}

// Turn returns the running turn, "" for none. The lock is held.
func (e *engine) Turn() session.TurnID { return e.m.Turn() }

// Ready reports whether a prompt can be written. The lock is held.
func (e *engine) Ready() bool { return e.over() && !e.stopping }

// Idle reports whether the process has no work. The lock is held.
func (e *engine) Idle() bool { return e.idle() }

// Gone is closed once the end of the process has been reported.
func (e *engine) Gone() <-chan struct{} { return e.gone }
