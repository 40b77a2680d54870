package question

import (
	"slices"
	"strings"

	"parley/session"
	"parley/ui/style"
)

// Form is a list of fields, shown one after the other, and where there are several a last step that reviews all answers
// before they are sent. Every question of an agent or an MCP server becomes one, so that none can leave a session hanging.
type Form struct {
	Fields []Field
	At     int // the step: an index of Fields, or behind the last one the review
	Sel    int // the selected option of the step
	// Input is the free text being written, nil while options are chosen from.
	Input *style.LineInput
	// Trouble is why the answer of the step is not accepted.
	Trouble string
	// Entered counts how often a step was entered: a view shows each from its top.
	Entered int

	optional bool // a form without any answer is an answer, not a refusal
}

// questionForm returns the form of an agent's questions.
func questionForm(q *session.QuestionAsk) *Form {
	f := &Form{}
	for _, q := range q.Questions {
		f.Fields = append(f.Fields, Field{Key: q.Text, Tab: q.Header, Text: q.Text, Options: q.Options, Multi: q.Multi, Free: q.Free})
	}
	f.Enter(0)
	return f
}

// Steps returns the number of steps: one per field, and one for the review where there are several.
func (f *Form) Steps() int {
	if len(f.Fields) > 1 {
		return len(f.Fields) + 1
	}
	return len(f.Fields)
}

// Reviewing reports whether the step is the review.
func (f *Form) Reviewing() bool { return f.At >= len(f.Fields) }

// Writing reports whether free text is being written.
func (f *Form) Writing() bool { return f.Input != nil }

// Enter goes to a step.
func (f *Form) Enter(i int) {
	f.At, f.Sel, f.Input, f.Trouble = i, 0, nil, ""
	f.Entered++
	if f.Reviewing() {
		return
	}
	fd := &f.Fields[i]
	if len(fd.Options) == 0 {
		f.write()
		return
	}
	for n := range fd.Options {
		if slices.Contains(fd.Chosen, fd.Value(n)) {
			f.Sel = n
			break
		}
	}
}

// Key handles a key by its name and the text that it types; the keys that move the selection are the caller's, see Move. It
// returns the answer once the form is sent or declined.
func (f *Form) Key(name, typed string) (a session.Answer, done bool) {
	if len(f.Fields) == 0 {
		return Declined(), true
	}
	f.Trouble = ""
	switch {
	case f.Reviewing():
		return f.reviewKey(name)
	case f.Writing():
		return f.writeKey(name, typed)
	}
	return f.pickKey(name)
}

// pickKey handles a key while options are chosen from.
func (f *Form) pickKey(name string) (session.Answer, bool) {
	switch name {
	case "esc":
		return Declined(), true
	case "tab", "right":
		f.step(1)
	case "shift+tab", "left":
		f.step(-1)
	case "enter":
		return f.Pick()
	}
	return session.Answer{}, false
}

// writeKey handles a key while free text is written.
func (f *Form) writeKey(name, typed string) (session.Answer, bool) {
	fd := &f.Fields[f.At]
	switch name {
	case "enter":
		if f.take() {
			return f.next()
		}
	case "tab", "shift+tab":
		if !f.take() {
			break
		}
		if name == "tab" {
			f.step(1)
		} else {
			f.step(-1)
		}
	case "esc":
		if len(fd.Options) == 0 {
			return Declined(), true
		}
		f.Input = nil
	default:
		f.Input.Key(name, typed)
	}
	return session.Answer{}, false
}

// reviewKey handles a key of the review.
func (f *Form) reviewKey(name string) (session.Answer, bool) {
	switch name {
	case "enter":
		return f.Send()
	case "esc", "shift+tab", "left":
		f.step(-1)
	}
	return session.Answer{}, false
}

// Selects reports whether a printable key selects something in the step.
func (f *Form) Selects(key string) bool {
	switch {
	case len(f.Fields) == 0 || f.Writing():
		return false
	case f.Reviewing():
		return digit(key) < len(f.Fields)
	}
	fd := &f.Fields[f.At]
	return fd.Multi && (key == "space" || key == " ") && f.Sel < len(fd.Options) || digit(key) < fd.Rows()
}

// Choose selects what such a key stands for, and reports whether the selection went to another option of the same step. It
// answers nothing.
func (f *Form) Choose(key string) (selected bool) {
	if !f.Selects(key) {
		return false
	}
	n := digit(key)
	if f.Reviewing() {
		f.Enter(n)
		return false
	}
	fd := &f.Fields[f.At]
	if n < fd.Rows() {
		f.Sel, selected = n, true
	}
	if fd.Multi && f.Sel < len(fd.Options) {
		fd.Toggle(f.Sel)
	}
	return selected
}

// digit returns the index that a digit from 1 on stands for; more than any list has for other keys.
func digit(key string) int {
	if len(key) == 1 && key[0] >= '1' && key[0] <= '9' {
		return int(key[0] - '1')
	}
	return 1 << 30
}

// Copy returns an independent copy, to go back to. The text being written is shared.
func (f *Form) Copy() *Form {
	c := *f
	c.Fields = slices.Clone(f.Fields)
	for i := range c.Fields {
		c.Fields[i].Chosen = slices.Clone(c.Fields[i].Chosen)
	}
	return &c
}

// Move moves the selection by so many options, and reports false where there is none.
func (f *Form) Move(by int) bool {
	to := f.Sel + by
	if to < 0 || to >= f.Fields[f.At].Rows() {
		return false
	}
	f.Sel = to
	return true
}

// step goes to another step without answering this one, where there is one.
func (f *Form) step(by int) {
	if to := f.At + by; to >= 0 && to < f.Steps() {
		f.Enter(to)
	}
}

// write begins to edit the free text of the field.
func (f *Form) write() {
	f.Input = &style.LineInput{}
	f.Input.Set(f.Fields[f.At].Own)
}

// Pick takes the selected option and goes on; behind the options it begins to write.
func (f *Form) Pick() (session.Answer, bool) {
	fd := &f.Fields[f.At]
	switch {
	case f.Sel >= len(fd.Options) && (fd.Own == "" || !fd.Multi):
		f.write()
		return session.Answer{}, false
	case !fd.Multi:
		fd.Chosen, fd.Own = []string{fd.Value(f.Sel)}, ""
	case len(fd.Chosen) == 0 && fd.Own == "":
		fd.Chosen = []string{fd.Value(f.Sel)}
	}
	return f.next()
}

// take stores the text that was written, and reports whether it is accepted.
func (f *Form) take() bool {
	fd := &f.Fields[f.At]
	words := strings.TrimSpace(f.Input.String())
	if f.Trouble = fd.wrong(words); f.Trouble != "" {
		return false
	}
	if fd.Own = words; words != "" && !fd.Multi {
		fd.Chosen = nil
	}
	if len(fd.Options) > 0 {
		f.Input = nil
	}
	return true
}

// next goes to the next step, or sends the form after the last.
func (f *Form) next() (session.Answer, bool) {
	if f.At+1 < f.Steps() {
		f.Enter(f.At + 1)
		return session.Answer{}, false
	}
	return f.Send()
}

// Send returns the answer of the form. Where a required field is missing it goes there instead and reports false.
func (f *Form) Send() (session.Answer, bool) {
	a := session.Answer{Decision: session.Allow, Choices: map[string][]string{}}
	for i := range f.Fields {
		fd := &f.Fields[i]
		answer := fd.Answer()
		if len(answer) == 0 && fd.Required {
			f.Enter(i)
			f.Trouble = "this must be filled in"
			return session.Answer{}, false
		}
		if len(answer) > 0 && fd.Key != "" {
			a.Choices[fd.Key] = answer
		}
	}
	if len(a.Choices) == 0 && !f.optional {
		return Declined(), true
	}
	return a, true
}
