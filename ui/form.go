package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/style"
)

// form is a row of questions with options or free words, shown one after the other, and where there are several a last
// step that shows all answers before they go. Every question that an agent or an MCP server may put becomes one, so that
// none of them can leave a session hanging.
type form struct {
	fields []field
	at     int // the step shown: a field, or behind the last one the review
	sel    int // the option selected in it
	input  *style.LineInput
	// trouble says why the answer of the step is not taken.
	trouble string
	// optional says that a form of which nothing is filled in is an answer and no refusal.
	optional bool

	top int // the first row of the step on the screen
	// snap asks the next layout to bring the selected option onto the screen, seen says that it was on the last one.
	snap, seen bool
	// above and below say that the selected option goes on beyond the rows last shown.
	above, below bool
}

// field is one question.
type field struct {
	key     string // what the answer is filed under
	tab     string // the question in a word or two
	text    string
	note    string // what an answer must be like
	options []session.QuestionOption
	values  []string // what picking an option means, where that is not its label
	multi   bool
	free    bool
	// required fields must be answered; check says what is wrong with words, "" for nothing.
	required bool
	check    func(words string) string

	chosen []string // values of the options picked
	own    string   // words of the user's own
	first  int      // the option selected to begin with
}

// freeLabel is the option that leads to words of one's own.
const freeLabel = "something else…"

// questionForm makes a form of an agent's questions.
func questionForm(q *session.QuestionAsk) *form {
	f := &form{}
	for _, q := range q.Questions {
		f.fields = append(f.fields, field{key: q.Text, tab: q.Header, text: q.Text, options: q.Options, multi: q.Multi, free: q.Free})
	}
	f.enter(0)
	return f
}

// steps is how many steps the form has: one for each question, and one to look all answers over where there are several.
func (f *form) steps() int {
	if len(f.fields) > 1 {
		return len(f.fields) + 1
	}
	return len(f.fields)
}

// reviewing reports whether the answers are being looked over.
func (f *form) reviewing() bool { return f.at >= len(f.fields) }

// enter shows a step.
func (f *form) enter(i int) {
	f.at, f.sel, f.input, f.trouble, f.top, f.snap = i, 0, nil, "", 0, false
	if f.reviewing() {
		return
	}
	fd := &f.fields[i]
	if len(fd.options) == 0 {
		f.input = &style.LineInput{}
		f.input.Set(fd.own)
		return
	}
	f.sel = fd.first
	for n := range fd.options {
		if slices.Contains(fd.chosen, fd.value(n)) {
			f.sel = n
			break
		}
	}
}

// writing reports whether words are being written.
func (f *form) writing() bool { return f.input != nil }

// rows is how many lines of the step can be selected.
func (fd *field) rows() int {
	n := len(fd.options)
	if fd.free && n > 0 {
		n++
	}
	return n
}

// key handles a key. It returns the answer when the form is sent or declined.
func (f *form) key(k tea.KeyPressMsg) (session.Answer, bool) {
	if len(f.fields) == 0 {
		return declined(), true
	}
	f.trouble = ""
	switch {
	case f.reviewing():
		return f.reviewKey(k.String())
	case f.writing():
		return f.writeKey(k)
	}
	return f.pickKey(k.String())
}

// pickKey handles a key while options are chosen from.
func (f *form) pickKey(s string) (session.Answer, bool) {
	switch s {
	case "esc":
		return declined(), true
	case "up":
		f.move(-1)
	case "down":
		f.move(1)
	case "tab", "right":
		f.step(1)
	case "shift+tab", "left":
		f.step(-1)
	case "enter":
		if !f.seen { // what is picked has been looked at
			f.snap = true
			break
		}
		return f.pick()
	}
	return session.Answer{}, false
}

// selects reports whether a printable key selects something in the step.
func (f *form) selects(s string) bool {
	switch {
	case len(f.fields) == 0 || f.writing():
		return false
	case f.reviewing():
		return digit(s) < len(f.fields)
	}
	fd := &f.fields[f.at]
	return fd.multi && (s == "space" || s == " ") && f.sel < len(fd.options) || digit(s) < fd.rows()
}

// choose does what such a key selects. It answers nothing.
func (f *form) choose(s string) {
	if !f.selects(s) {
		return
	}
	n := digit(s)
	if f.reviewing() {
		f.enter(n)
		return
	}
	fd := &f.fields[f.at]
	if n < fd.rows() {
		f.sel, f.snap = n, true
	}
	if fd.multi && f.sel < len(fd.options) {
		fd.toggle(f.sel)
	}
}

// digit is what a digit from 1 on stands for, counted from 0; more than there can be for anything else.
func digit(s string) int {
	if len(s) == 1 && s[0] >= '1' && s[0] <= '9' {
		return int(s[0] - '1')
	}
	return 1 << 30
}

// copy returns the form as it is, to go back to.
func (f *form) copy() *form {
	c := *f
	c.fields = slices.Clone(f.fields)
	for i := range c.fields {
		c.fields[i].chosen = slices.Clone(c.fields[i].chosen)
	}
	return &c
}

// move moves the selection, or the text where the selected option is not all on the screen yet or none follows.
func (f *form) move(step int) {
	to := f.sel + step
	if to < 0 || to >= f.fields[f.at].rows() || step < 0 && f.above || step > 0 && f.below {
		f.top, f.snap = f.top+step, false // the layout keeps it in bounds
		return
	}
	f.sel, f.snap = to, true
}

// step shows the next question or the one before, without answering this one.
func (f *form) step(by int) {
	if to := f.at + by; to >= 0 && to < f.steps() {
		f.enter(to)
	}
}

// write begins to write words of one's own.
func (f *form) write() {
	f.input, f.snap = &style.LineInput{}, true
	f.input.Set(f.fields[f.at].own)
}

// pick takes the selected option and goes on.
func (f *form) pick() (session.Answer, bool) {
	fd := &f.fields[f.at]
	switch {
	case f.sel >= len(fd.options) && (fd.own == "" || !fd.multi):
		f.write()
		return session.Answer{}, false
	case !fd.multi:
		fd.chosen, fd.own = []string{fd.value(f.sel)}, ""
	case len(fd.chosen) == 0 && fd.own == "":
		fd.chosen = []string{fd.value(f.sel)}
	}
	return f.next()
}

// writeKey handles a key while words are written.
func (f *form) writeKey(k tea.KeyPressMsg) (session.Answer, bool) {
	fd := &f.fields[f.at]
	switch s := k.String(); s {
	case "enter":
		if f.take() {
			return f.next()
		}
	case "tab", "shift+tab":
		if !f.take() {
			break
		}
		if s == "tab" {
			f.step(1)
		} else {
			f.step(-1)
		}
	case "esc":
		if len(fd.options) == 0 {
			return declined(), true
		}
		f.input = nil
	default:
		f.input.Key(k.String(), keymap.Typed(k))
	}
	return session.Answer{}, false
}

// take takes the words that were written, and reports whether they will do.
func (f *form) take() bool {
	fd := &f.fields[f.at]
	words := strings.TrimSpace(f.input.String())
	if f.trouble = fd.wrong(words); f.trouble != "" {
		return false
	}
	if fd.own = words; words != "" && !fd.multi {
		fd.chosen = nil
	}
	if len(fd.options) > 0 {
		f.input = nil
	}
	return true
}

// wrong says what is wrong with words of the user's own, "" for nothing.
func (fd *field) wrong(words string) string {
	switch {
	case words == "" && fd.required && len(fd.options) == 0:
		return "this must be filled in"
	case words != "" && fd.check != nil:
		return fd.check(words)
	}
	return ""
}

// next shows the next step, or answers after the last.
func (f *form) next() (session.Answer, bool) {
	if f.at+1 < f.steps() {
		f.enter(f.at + 1)
		return session.Answer{}, false
	}
	return f.send()
}

// reviewKey handles a key while the answers are looked over.
func (f *form) reviewKey(s string) (session.Answer, bool) {
	switch s {
	case "enter":
		return f.send()
	case "esc", "shift+tab", "left":
		f.step(-1)
	case "up":
		f.top--
	case "down":
		f.top++
	}
	return session.Answer{}, false
}

// send answers with what was filled in, unless something that must be is missing.
func (f *form) send() (session.Answer, bool) {
	a := session.Answer{Decision: session.Allow, Choices: map[string][]string{}}
	for i := range f.fields {
		fd := &f.fields[i]
		answer := fd.answer()
		if len(answer) == 0 && fd.required {
			f.enter(i)
			f.trouble = "this must be filled in"
			return session.Answer{}, false
		}
		if len(answer) > 0 && fd.key != "" {
			a.Choices[fd.key] = answer
		}
	}
	if len(a.Choices) == 0 && !f.optional {
		return declined(), true
	}
	return a, true
}

// declined is the answer of somebody who does not want to answer. What the model reads then is up to the agent, unless
// the user says why.
func declined() session.Answer { return session.Answer{Decision: session.Deny} }

// answer is what was picked, in the order of the options, and then words of the user's own.
func (fd *field) answer() []string {
	var out []string
	for i := range fd.options {
		if v := fd.value(i); slices.Contains(fd.chosen, v) {
			out = append(out, v)
		}
	}
	if fd.own != "" {
		out = append(out, fd.own)
	}
	return out
}

// said is the answer in the words it was chosen by.
func (fd *field) said() string {
	var out []string
	for i, o := range fd.options {
		if slices.Contains(fd.chosen, fd.value(i)) {
			out = append(out, style.Visible(style.OneLine(o.Label)))
		}
	}
	if fd.own != "" {
		out = append(out, style.Visible(style.OneLine(fd.own)))
	}
	return strings.Join(out, ", ")
}

func (fd *field) value(i int) string {
	if i < len(fd.values) {
		return fd.values[i]
	}
	return fd.options[i].Label
}

func (fd *field) toggle(i int) {
	v := fd.value(i)
	if at := slices.Index(fd.chosen, v); at >= 0 {
		fd.chosen = slices.Delete(fd.chosen, at, at+1)
		return
	}
	fd.chosen = append(fd.chosen, v)
}
