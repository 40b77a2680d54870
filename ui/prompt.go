package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// quiet is how long no key may have come before a prompt takes the keyboard: what somebody was typing when the prompt
// appeared must never answer it.
const quiet = 200 * time.Millisecond

// quietWriting is the same while something is being written: people pause in mid-sentence.
const quietWriting = 600 * time.Millisecond

// unseenPoll is how often it is looked whether the terminal has shown the prompt.
const unseenPoll = 50 * time.Millisecond

// prompt is the ask that is pinned above the composer. One is shown at a time, the oldest.
type prompt struct {
	ask *session.Ask // nil for what parley asks itself
	// drawn is the number of the first frame that shows the prompt, 0 before it; since is when the terminal was found to
	// have taken that frame in, zero before that.
	drawn int
	since time.Time
	// focused says that the prompt has the keyboard.
	focused bool

	body    []string // what is asked about, as text that was made visible, whole
	title   string
	detail  string
	choices []choice
	at      int // the selected choice
	scroll  int // the first row of the body shown
	rows    int // rows of the body, as last laid out
	fits    int // rows of the body shown, as last laid out
	form    *form
	// saying is the reason being written, nil otherwise.
	saying *lineInput
	why    string // what the reason is for
	// escapes is what the escape key does; nil lets it interrupt the turn.
	escapes *choice
	// summoned prompts take the keyboard only when the user asks for that, and called says that it was asked for.
	summoned, called bool
	// reveal asks the next frame to show the beginning of what is asked about.
	reveal bool
	// revealed says that the end of the conversation was left for that.
	revealed bool
}

// choice is one way to answer.
type choice struct {
	key, label string
	short      string // the label where there is little room
	answer     session.Answer
	// say asks for words first, which go along as the answer's message.
	say string
	// act does something instead of answering.
	act func(m *Model) tea.Cmd
}

// reply is what a key made of a prompt: nothing yet, an answer, or something to do.
type reply struct {
	answer session.Answer
	done   bool
	act    func(m *Model) tea.Cmd
}

// capital makes the first letter a capital.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// key handles a key while the prompt has the keyboard.
func (p *prompt) key(k tea.KeyPressMsg) reply {
	s := k.String()
	switch {
	case p.saying != nil:
		a, done := p.sayKey(k)
		return reply{answer: a, done: done}
	case p.form != nil && s == "m" && !p.form.writing():
		return p.pick(0)
	case p.form != nil:
		a, done := p.form.key(k)
		return reply{answer: a, done: done}
	case s == "esc" && p.escapes != nil:
		return reply{p.escapes.answer, p.escapes.act == nil, p.escapes.act}
	}
	switch s {
	case "enter":
		return p.pick(p.at)
	case "right", "l":
		p.at = min(len(p.choices)-1, p.at+1)
	case "left", "h":
		p.at = max(0, p.at-1)
	case "up", "down":
		p.move(s == "down")
	default:
		for i, c := range p.choices {
			if s == c.key {
				return p.pick(i)
			}
		}
	}
	return reply{}
}

// move scrolls a body that does not fit, and moves the selection otherwise.
func (p *prompt) move(down bool) {
	step := -1
	if down {
		step = 1
	}
	if p.rows > p.fits {
		p.scroll = max(0, min(p.scroll+step, p.rows-p.fits))
		return
	}
	p.at = max(0, min(p.at+step, len(p.choices)-1))
}

func (p *prompt) pick(i int) reply {
	p.at = i
	c := p.choices[i]
	switch {
	case c.act != nil:
		return reply{act: c.act}
	case c.say == "":
		return reply{answer: c.answer, done: true}
	}
	p.saying, p.why = &lineInput{}, c.say
	return reply{}
}

// sayKey handles a key while words are written that go along with a choice.
func (p *prompt) sayKey(k tea.KeyPressMsg) (session.Answer, bool) {
	switch k.String() {
	case "enter":
		a := p.choices[p.at].answer
		if words := strings.TrimSpace(p.saying.String()); words != "" {
			a.Message = words
		}
		return a, true
	case "esc":
		p.saying = nil
	default:
		p.saying.Key(k)
	}
	return session.Answer{}, false
}

// paste puts pasted text where words are being written; elsewhere it is no answer to anything.
func (p *prompt) paste(s string) bool {
	switch {
	case p.saying != nil:
		p.saying.Insert(s)
	case p.form != nil && p.form.writing():
		p.form.input.Insert(s)
	default:
		return false
	}
	return true
}

// escape reports whether the escape key belongs to the prompt: it leaves what is being written, or declines.
func (p *prompt) escape() bool { return p.saying != nil || p.form != nil || p.escapes != nil }

// height is how many rows the prompt would like to have.
func (p *prompt) height(l *look, waiting int) int {
	if p.form != nil && p.saying == nil {
		v := p.form.lay(l, p.focused)
		n := 2 + len(p.detailRows(l)) + len(v.rows)
		if v.tabs != "" {
			n++
		}
		return max(n, 3)
	}
	rows, _, _ := p.view(l, waiting, 1<<20)
	return len(rows)
}

// view lays the prompt out in at most limit rows, of which it needs three. What answers is always among them; a body that
// does not fit scrolls. The cursor is -1, -1 unless words are being written.
func (p *prompt) view(l *look, waiting, limit int) (rows []string, cx, cy int) {
	th, ms, w := l.theme, l.measure, l.width-4
	cx, cy = -1, -1
	if p.form != nil && p.saying == nil {
		return p.formRows(l, waiting, limit)
	}
	var tail []string
	if p.saying != nil {
		lead := "  tell the agent " + p.why + ": "
		text, at := p.saying.View(ms, w-ms.width(lead)-2)
		tail = []string{th.accent.of(lead) + text, "  " + th.dim.of("enter sends it · esc goes back")}
		cx = ms.width(lead) + at
	} else if p.summoned && !p.focused {
		tail = []string{"  " + th.dim.of("f2 decides · /trust · the chat goes on without it")}
	} else {
		room := limit - 1 - min(1, len(p.body))
		if p.summoned {
			room = min(room, 2) // the list is what matters
		}
		tail = p.buttons(l, room)
	}
	detail := p.detailRows(l)
	if 1+len(detail)+min(2, len(p.body))+len(tail) > limit {
		detail = nil
	}
	body, where := p.bodyRows(l, max(0, limit-1-len(detail)-len(tail)))
	rows = append([]string{p.head(l, waiting, where)}, detail...)
	rows = append(rows, body...)
	if cx >= 0 {
		cy = len(rows)
	}
	return append(rows, tail...), cx, cy
}

// head is the first row: what is asked, how many wait, and which part of the body is shown.
func (p *prompt) head(l *look, waiting int, where string) string {
	th, ms, w := l.theme, l.measure, l.width-4
	right := where
	if waiting > 1 {
		right = strings.TrimSuffix("1 of "+group(waiting)+" waiting · "+where, " · ")
	}
	title := th.bold
	if !p.focused {
		title = th.dim
	}
	st := th.dim
	if where != "" {
		st = th.warn
	}
	return "  " + ms.spread(title.of(ms.clip(p.title, w-ms.width(right)-1)), st.of(right), w)
}

func (p *prompt) detailRows(l *look) []string {
	if p.detail == "" {
		return nil
	}
	var rows []string
	for _, s := range l.measure.wrap(p.detail, l.width-4) {
		rows = append(rows, "  "+l.theme.dim.of(s))
	}
	return rows
}

// bodyRows is the part of the body that is shown, and which part it is if there is more.
func (p *prompt) bodyRows(l *look, limit int) (rows []string, where string) {
	var all []string
	for _, line := range p.body {
		all = append(all, l.measure.hardwrap(line, max(1, l.width-8))...)
	}
	p.rows, p.fits = len(all), len(all)
	from, to := 0, len(all)
	if len(all) > limit {
		p.fits = max(1, limit)
		p.scroll = max(0, min(p.scroll, len(all)-p.fits))
		from, to = p.scroll, min(p.scroll+p.fits, len(all))
		where = "rows " + group(from+1) + " to " + group(to) + " of " + group(len(all)) + " · ↑ ↓ scroll"
		if l.width < 60 {
			where = group(to) + "/" + group(len(all)) + " ↑ ↓"
		}
	}
	for _, s := range all[from:to] {
		rows = append(rows, "    "+s)
	}
	return rows, where
}

// mostStacked is how many choices may stand below each other: more of them leave too little of what they are about.
const mostStacked = 4

// buttons are the choices in a row, below each other where a row is too narrow, and with short labels where there are too
// few rows for that.
func (p *prompt) buttons(l *look, limit int) []string {
	labels := func(short bool) (parts []string, wide int) {
		for i, c := range p.choices {
			label := c.label
			if short {
				label = c.short
			}
			s, st := "  "+c.key+" "+label, style("")
			switch {
			case !p.focused:
				st = l.theme.dim
			case i == p.at:
				s, st = "❯ "+c.key+" "+label, l.theme.chosen
			}
			s = l.measure.clip(s, l.width-4)
			parts = append(parts, st.of(s))
			wide += l.measure.width(s) + 2
		}
		return parts, wide
	}
	parts, wide := labels(false)
	switch {
	case wide <= l.width-4:
		return []string{"  " + strings.Join(parts, "  ")}
	case len(parts) <= min(limit, mostStacked):
		for i := range parts {
			parts[i] = "  " + parts[i]
		}
		return parts
	}
	parts, _ = labels(true)
	rows := []string{"  " + parts[0]}
	for _, part := range parts[1:] {
		last := len(rows) - 1
		if l.measure.width(rows[last])+1+l.measure.width(part) > l.width-2 && len(rows)+1 < limit {
			rows = append(rows, "  "+part)
			continue
		}
		rows[last] += " " + part
	}
	for i := range rows {
		rows[i] = l.measure.clip(rows[i], l.width)
	}
	if limit > len(rows) && p.focused {
		rows = append(rows, "    "+l.theme.dim.of(l.measure.clip(p.choices[p.at].label, l.width-6)))
	}
	return rows
}
