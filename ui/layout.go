package ui

import "math"

// wants is how many rows the parts of the chat need.
type wants struct {
	tasks    int // the agent's task list: one row while it is folded
	queue    int // prompts that wait
	attached int // attachments of the next prompt
	ask      int // the question above the field, 0 for none
	popup    int // completions
	composer int // what is written
}

// rects is how many rows the parts get. Header, status line, rule and footer take one each, a question one for its rule.
type rects struct {
	air, body, tasks, queue, attached, ask, popup, composer int
	gap                                                     int // empty rows below the conversation
}

// divide shares the rows of the window out. The conversation always keeps a few rows, and a question comes before lists.
func divide(height int, w wants) rects {
	const fixed, leastAsk = 4, 3
	r := rects{composer: max(1, min(w.composer, height/3))}
	if height >= 16 {
		r.air = 1
	}
	if height >= 20 {
		r.gap = 1
	}
	least := min(3, max(1, height-fixed-1-r.composer))
	if w.ask > 0 && height < 20 {
		least = 1
	}
	left := height - fixed - r.air - r.gap - r.composer - least
	if w.ask > 0 {
		// The field gives way, so that there is always room to answer.
		r.composer = min(r.composer, max(1, height-fixed-least-1-leastAsk))
		left = height - fixed - r.air - r.gap - r.composer - least
		r.ask = max(1, min(w.ask, left-1))
		left -= r.ask + 1
	}
	r.popup = max(0, min(w.popup, left))
	left -= r.popup
	r.queue = max(0, min(w.queue, min(left, 4)))
	left -= r.queue
	r.attached = max(0, min(w.attached, left, max(1, height/3)))
	left -= r.attached
	if w.tasks > 1 || height >= 16 { // a low window shows the list only when it is open
		r.tasks = max(0, min(w.tasks, left, max(1, height/3)))
		left -= r.tasks
	}
	r.body = least + left
	if r.body < 0 {
		r.body = 0
	}
	return r
}

// want returns how many rows the parts need now.
func (v *view) want() wants {
	w := wants{tasks: v.reader.tasks.Want(v.conv.Transcript().Todos, v.conv.Running() != nil), queue: len(v.conv.Transcript().Queue), popup: v.input.WantList(), attached: v.input.WantAttached(v.jobs.runningShell())}
	if v.asks.ask.Open() {
		v.asks.ask.SetWaiting(len(v.conv.Transcript().Asks))
		w.ask = v.asks.ask.Want(v.look.Width, math.MaxInt)
	}
	if v.conv.Viewing() {
		w.queue, w.attached, w.popup, w.composer = 0, 0, 0, 1
		return w
	}
	v.input.Suggest(v.suggestion())
	w.composer = v.input.Want(v.screen.width, max(1, v.screen.height/3)) + len(v.status.rows(v.screen.width))
	return w
}
