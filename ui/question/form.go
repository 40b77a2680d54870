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
	// Input is the text being written, nil while options are chosen from.
	Input *style.LineInput
	// Warning is what the form leaves out, "" for nothing.
	Warning string
	// Entered counts how often a step was entered: a view shows each from its top.
	Entered int

	mode     mode
	optional bool // a form without any answer is an answer, not a refusal
	server   bool // an MCP server asks: it knows a refusal from a form that was closed
}

// mode is what keys do in a step besides choosing and writing.
type mode uint8

const (
	filling mode = iota // options are chosen from, or free text is written
	noting              // Input is the note to the answer
	reading             // the preview of the selected option is read
	leaving             // whether to decline or to close the form is asked
)

// questionForm returns the form of an agent's questions.
func questionForm(q *session.QuestionAsk) *Form {
	f := &Form{}
	for _, q := range q.Questions {
		f.Fields = append(f.Fields, Field{Key: q.Text, Tab: q.Header, Text: q.Text, Options: q.Options, Multi: q.Multi, Free: q.Free, Notes: len(q.Options) > 0})
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

// Writing reports whether text is being written.
func (f *Form) Writing() bool { return f.Input != nil && f.mode != leaving }

// Noting reports whether the text being written is the note to an answer.
func (f *Form) Noting() bool { return f.mode == noting }

// Reading reports whether the preview of the selected option is read.
func (f *Form) Reading() bool { return f.mode == reading }

// Leaving reports whether the user is asked how to leave the form.
func (f *Form) Leaving() bool { return f.mode == leaving }

// Closes reports whether the form can be closed without a decision.
func (f *Form) Closes() bool { return f.server }

// Trouble returns why the answer of the step is not accepted, "" for nothing.
func (f *Form) Trouble() string {
	if f.Reviewing() {
		return ""
	}
	return f.Fields[f.At].Trouble
}

// Enter goes to a step.
func (f *Form) Enter(i int) {
	f.At, f.Sel, f.Input, f.mode = i, 0, nil, filling
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
	if f.mode != filling || f.Reviewing() || to < 0 || to >= f.Fields[f.At].Rows() {
		return false
	}
	f.Sel = to
	return true
}

// step goes to another step without taking an answer, where there is one. What is wrong with the answer of this one is
// recorded.
func (f *Form) step(by int) {
	to := f.At + by
	if to < 0 || to >= f.Steps() {
		return
	}
	if !f.Reviewing() {
		fd := &f.Fields[f.At]
		if fd.Trouble = ""; fd.Answered() {
			fd.Trouble = fd.problem()
		}
	}
	f.Enter(to)
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

// take stores the text that was written.
func (f *Form) take() {
	fd := &f.Fields[f.At]
	words := strings.TrimSpace(f.Input.String())
	if f.mode == noting {
		fd.Note, f.mode, f.Input = words, filling, nil
		return
	}
	if fd.Own = words; words != "" && !fd.Multi {
		fd.Chosen = nil
	}
	fd.Trouble = fd.wrong(words)
}

// next goes to the next step, or sends the form after the last, unless something is wrong with the answer.
func (f *Form) next() (session.Answer, bool) {
	fd := &f.Fields[f.At]
	if fd.Trouble = fd.problem(); fd.Trouble != "" {
		return session.Answer{}, false
	}
	if f.At+1 < f.Steps() {
		f.Enter(f.At + 1)
		return session.Answer{}, false
	}
	return f.Send()
}

// Send returns the answer of the form. Where an answer is missing or wrong it goes there instead and reports false. A form
// of questions without any answer is a refusal, with the notes as its message.
func (f *Form) Send() (session.Answer, bool) {
	a := session.Answer{Decision: session.Allow, Choices: map[string][]string{}}
	var said []string
	for i := range f.Fields {
		fd := &f.Fields[i]
		if trouble := fd.problem(); trouble != "" {
			f.Enter(i)
			fd.Trouble = trouble
			return session.Answer{}, false
		}
		answer := fd.Answer()
		if len(answer) == 0 && fd.Multi && fd.Required {
			answer = []string{}
		}
		if answer != nil && fd.Key != "" {
			a.Choices[fd.Key] = answer
		}
		if fd.Note != "" {
			if a.Notes == nil {
				a.Notes = map[string]string{}
			}
			a.Notes[fd.Key] = fd.Note
			said = append(said, fd.Note)
		}
	}
	if len(a.Choices) == 0 && !f.optional {
		no := Declined()
		no.Message = strings.Join(said, "\n")
		return no, true
	}
	return a, true
}

// Wrong reports whether an answer is missing or wrong, so that the form cannot be sent.
func (f *Form) Wrong() bool {
	for i := range f.Fields {
		if f.Fields[i].problem() != "" {
			return true
		}
	}
	return false
}

// Unanswered returns how many fields have no answer.
func (f *Form) Unanswered() (n int) {
	for i := range f.Fields {
		if !f.Fields[i].Answered() {
			n++
		}
	}
	return n
}
