package claude

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/session/claude/mapper"
)

// engine is one living runtime with everything that ends with it. Its fields are guarded by the conversation's lock.
//
// It decides which result ends a turn. A runtime makes its own mind up about turns: it takes a prompt that meets a running
// turn into that, or makes a turn of its own for it, alone or together with others; and it may begin a turn by itself when
// background work ends. What it has taken up is told by echoes of our prompts, which come before the result. So a result
// ends the running turn if the prompt of that turn has been taken up, and belongs to something else if not; and once the
// runtime says that it is idle, the turn is over in any case. A prompt that a hook has blocked is never taken up: a result
// for which no model was asked is all that 2.1.112 and 2.1.197 say of it.
type engine struct {
	*started
	gen session.Generation
	m   *mapper.Mapper

	// waiting are the prompts that were written and not taken up, oldest first.
	waiting []written
	// other is the result that belonged to something else, kept until it is clear whether another one comes.
	other []byte
	// echoes says that the runtime tells what it takes up.
	echoes bool
	// began is the prompt of the running turn; empty between turns and in one that the runtime began itself.
	began session.TurnID

	asks  map[session.AskID]*pendingAsk
	tasks map[string]bool // background work by task id
	told  session.Settings
	// telling is set while the process is told a mode: what it says about modes meanwhile is old.
	telling bool
	// stopping is set from the interrupt until the turn is over and the interrupt has been dealt with.
	stopping, interrupted bool
	broken                bool          // ended because it could not be written to
	quietTold             bool          // that this silence has been told
	gone                  chan struct{} // closed when its end has been told
}

// written is a prompt that was written to a runtime.
type written struct {
	uuid   string
	turn   session.TurnID
	prompt session.Prompt
	steer  bool // into a running turn
}

func newEngine(s *started, id session.ID, gen session.Generation, told session.Settings) *engine {
	return &engine{started: s, gen: gen, m: mapper.New(id, gen), told: told,
		asks: map[session.AskID]*pendingAsk{}, tasks: map[string]bool{}, gone: make(chan struct{})}
}

// begin opens the turn of a prompt that is about to be written.
func (e *engine) begin(w written, o session.Origin, at time.Time) []session.Event {
	e.waiting = append(e.waiting, w)
	e.began, e.other, e.interrupted = w.turn, nil, false
	return e.m.Begin(w.turn, w.prompt, o, at)
}

// steer takes note of a prompt that is about to be written into the running turn.
func (e *engine) steer(w written) { e.waiting = append(e.waiting, w) }

// take maps one line.
func (e *engine) take(data []byte, at time.Time) []session.Event {
	p := peek(data)
	e.quietTold = false
	e.work(p)
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
	case p.Type == "result" && !e.ends() && p.unworked() && e.prompted():
		e.waiting = slices.DeleteFunc(e.waiting, func(w written) bool { return w.turn == e.began })
		e.m.BlockPrompt()
		out = append(out, e.m.Map(data, at)...)
	case p.Type == "result" && !e.ends():
		e.other = bytes.Clone(data)
	case p.idle() && e.other != nil && e.m.Turn() != "" && !e.comes():
		out = append(out, e.steeredAll(at)...)
		out = append(out, e.m.Map(e.other, at)...)
	default:
		out = append(out, e.m.Map(data, at)...)
	}
	return append(out, e.closed()...)
}

// closed puts the books in order after a turn has ended.
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

// comes reports whether the prompt of the running turn will still be taken up, although the runtime says that it is idle:
// it was written while the runtime ended work of its own. All prompts are echoed but commands of the runtime, such as
// /compact; a result is all that comes of those.
func (e *engine) comes() bool { return e.echoes && e.prompted() }

// prompted reports whether the prompt of the running turn has not been taken up, and is no command of the runtime.
func (e *engine) prompted() bool {
	return slices.ContainsFunc(e.waiting, func(w written) bool {
		return w.turn == e.began && !strings.HasPrefix(strings.TrimSpace(w.prompt.Text), "/")
	})
}

// takenUp takes note that the runtime works on a prompt. A steered one is now part of the running turn, or opens its own.
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

// steeredAll takes everything steered for taken up, if this runtime does not say what it takes up and has nothing more to
// do.
func (e *engine) steeredAll(at time.Time) []session.Event {
	if e.echoes {
		return nil // it was written just now
	}
	var out []session.Event
	for _, w := range slices.Clone(e.waiting) {
		if w.steer {
			out = append(out, e.takenUp(w.uuid, at)...)
		}
	}
	return out
}

// drop takes note that the runtime will never work on a prompt. If its turn is the running one, that is over.
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

// over reports whether nothing runs and nothing written waits.
func (e *engine) over() bool { return e.m.Turn() == "" && len(e.waiting) == 0 }

// work keeps count of background work, which must not lose its process.
func (e *engine) work(p peeked) {
	if p.Type != "system" {
		return
	}
	switch p.Subtype {
	case "task_started":
		e.tasks[p.TaskID] = true
	case "task_notification":
		delete(e.tasks, p.TaskID)
	case "task_updated":
		switch p.Patch.Status {
		case "completed", "failed", "killed", "stopped":
			delete(e.tasks, p.TaskID)
		}
	case "background_tasks_changed":
		if len(p.Tasks) == 0 { // the runtime's own count decides
			clear(e.tasks)
		}
	}
}

// resting reports whether the process could go without anybody missing it.
func (e *engine) resting() bool {
	return e.over() && len(e.asks) == 0 && len(e.tasks) == 0 && !e.stopping
}

// openAsks are the asks nobody has answered, in a stable order.
func (e *engine) openAsks() []session.AskID { return slices.Sorted(maps.Keys(e.asks)) }
