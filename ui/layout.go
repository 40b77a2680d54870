package ui

import "math"

// wants says how many rows the parts of the chat would like to have.
type wants struct {
	tasks    int // the agent's task list: one row while it is folded
	pending  int // prompts that wait
	along    int // what goes along with the next prompt
	prompt   int // the ask above the composer, 0 for none
	popup    int // commands to choose from
	composer int // rows of what is written
}

// rects says how many rows the parts get. Header, status, rule and footer take one each; a prompt takes a rule of its own.
type rects struct {
	air, body, tasks, pending, along, prompt, popup, composer int
	gap                                                       int // empty rows below the conversation
}

// divide shares the rows of the window out. The conversation keeps a few rows whatever else there is; what asks
// something comes before what is only handy.
func divide(height int, w wants) rects {
	const fixed, leastPrompt = 4, 3
	r := rects{composer: max(1, min(w.composer, height/3))}
	if height >= 16 {
		r.air = 1
	}
	if height >= 20 {
		r.gap = 1
	}
	least := min(3, max(1, height-fixed-1-r.composer))
	if w.prompt > 0 && height < 20 {
		least = 1
	}
	left := height - fixed - r.air - r.gap - r.composer - least
	if w.prompt > 0 {
		// What is being written gives way, so that there is always room to answer.
		r.composer = min(r.composer, max(1, height-fixed-least-1-leastPrompt))
		left = height - fixed - r.air - r.gap - r.composer - least
		r.prompt = max(1, min(w.prompt, left-1))
		left -= r.prompt + 1
	}
	r.popup = max(0, min(w.popup, left))
	left -= r.popup
	r.pending = max(0, min(w.pending, min(left, 4)))
	left -= r.pending
	r.along = max(0, min(w.along, left, max(1, height/3)))
	left -= r.along
	if w.tasks > 1 || height >= 16 { // a low window shows them when it is asked to
		r.tasks = max(0, min(w.tasks, left, max(1, height/3)))
		left -= r.tasks
	}
	r.body = least + left
	if r.body < 0 {
		r.body = 0
	}
	return r
}

// want says what the parts would like to have now.
func (v *view) want() wants {
	w := wants{tasks: v.reader.tasks.Want(v.conv.Transcript().Todos, v.conv.Running() != nil), pending: len(v.conv.Transcript().Queue), popup: v.input.WantList(), along: v.input.WantAttached(v.jobs.runningShell())}
	if v.asks.ask.Open() {
		v.asks.ask.SetWaiting(len(v.conv.Transcript().Asks))
		w.prompt = v.asks.ask.Want(v.look.Width, math.MaxInt)
	}
	if v.conv.Viewing() {
		w.pending, w.along, w.popup, w.composer = 0, 0, 0, 1
		return w
	}
	v.input.Suggest(v.suggestion())
	w.composer = v.input.Want(v.screen.width, max(1, v.screen.height/3))
	return w
}
