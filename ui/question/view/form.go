package view

import (
	"parley/session"
	"parley/ui/question"
)

// form is a question's form with the part of its step that is on the screen.
type form struct {
	*question.Form
	entered int // the step shown, by Form.Entered
	top     int // the first row of it on the screen
	// snap asks the next layout to bring the selected option onto the screen, seen means that it was on the last one.
	snap, seen bool
	// above and below say that the selected option goes on beyond the rows last shown.
	above, below bool
	previews     previews
}

// copy returns an independent copy, to go back to.
func (f *form) copy() *form {
	c := *f
	c.Form = f.Form.Copy()
	return &c
}

// key handles a key by its name and the text that it types.
func (f *form) key(name, typed string) (session.Answer, bool) {
	if len(f.Fields) == 0 || f.Writing() {
		return f.change(func() (session.Answer, bool) { return f.Key(name, typed) })
	}
	scrolls := f.Reviewing() || f.Reading()
	switch {
	case scrolls && name == "up":
		f.top--
	case scrolls && name == "down":
		f.top++
	case scrolls || f.Leaving():
		return f.change(func() (session.Answer, bool) { return f.Key(name, typed) })
	case name == "up":
		f.move(-1)
	case name == "down":
		f.move(1)
	case name == "enter" && !f.seen: // an option is picked only after it was on the screen
		f.snap = true
	default:
		return f.change(func() (session.Answer, bool) { return f.Key(name, typed) })
	}
	return session.Answer{}, false
}

// pick takes the selected option.
func (f *form) pick() (session.Answer, bool) { return f.change(f.Pick) }

// change changes the form: a new step is shown from its top, a new field for text is brought onto the screen.
func (f *form) change(do func() (session.Answer, bool)) (session.Answer, bool) {
	wrote, read := f.Writing(), f.Reading()
	a, done := do()
	switch {
	case f.Entered != f.entered, f.Reading() && !read:
		f.entered, f.top, f.snap = f.Entered, 0, false
	case f.Writing() && !wrote, read, f.Trouble() != "":
		f.snap = true
	}
	return a, done
}

// act does what a letter stands for.
func (f *form) act(key string) (session.Answer, bool) {
	return f.change(func() (session.Answer, bool) { return f.Act(key) })
}

// move moves the selection, or the rows where the selected option is not wholly on the screen or none follows.
func (f *form) move(step int) {
	if step < 0 && f.above || step > 0 && f.below || !f.Move(step) {
		f.top, f.snap = f.top+step, false // the layout bounds it
		return
	}
	f.snap = true
}

// choose selects what a printable key stands for.
func (f *form) choose(key string) {
	f.change(func() (session.Answer, bool) {
		if f.Choose(key) {
			f.snap = true
		}
		return session.Answer{}, false
	})
}

// answered returns the action of a form that is done, nil for one that is not.
func answered(a session.Answer, done bool) Action {
	if !done {
		return nil
	}
	return Answered{a}
}
