package question

import (
	"parley/session"
	"parley/ui/style"
)

// Key handles a key by its name and the text that it types; the keys that move the selection are the caller's, see Move. It
// returns the answer once the form is sent, declined or closed.
func (f *Form) Key(name, typed string) (a session.Answer, done bool) {
	switch {
	case len(f.Fields) == 0:
		return Declined(), true
	case f.mode == leaving && name == "esc":
		return Closed(), true
	case f.mode == leaving:
		if name == "enter" {
			f.mode = filling
		}
	case f.mode == reading:
		if name == "esc" || name == "enter" {
			f.mode = filling
		}
	case f.Reviewing():
		return f.reviewKey(name)
	case f.Writing():
		return f.writeKey(name, typed)
	default:
		return f.pickKey(name)
	}
	return session.Answer{}, false
}

// pickKey handles a key while options are chosen from.
func (f *Form) pickKey(name string) (session.Answer, bool) {
	switch name {
	case "esc":
		return f.leave()
	case "tab", "right":
		f.step(1)
	case "shift+tab", "left":
		f.step(-1)
	case "backspace", "delete":
		f.Fields[f.At].Clear()
	case "enter":
		return f.Pick()
	}
	return session.Answer{}, false
}

// leave declines the form; one of a server asks how to leave it first.
func (f *Form) leave() (session.Answer, bool) {
	if f.server {
		f.mode = leaving
		return session.Answer{}, false
	}
	return Declined(), true
}

// writeKey handles a key while free text or a note is written.
func (f *Form) writeKey(name, typed string) (session.Answer, bool) {
	fd, note := &f.Fields[f.At], f.mode == noting
	switch name {
	case "enter":
		if f.take(); note {
			break
		}
		if fd.Trouble == "" {
			if len(fd.Options) > 0 {
				f.Input = nil
			}
			return f.next()
		}
	case "tab":
		f.take()
		f.step(1)
	case "shift+tab":
		f.take()
		f.step(-1)
	case "esc":
		switch {
		case note:
			f.mode, f.Input = filling, nil
		case len(fd.Options) == 0:
			return f.leave()
		default:
			f.Input = nil
		}
	default:
		if f.Input.Key(name, typed); !note {
			fd.Trouble = ""
		}
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

// Moves reports whether a key that types nothing means something in the step, besides those that move the selection.
func (f *Form) Moves(name string) bool {
	switch name {
	case "esc":
		return true
	case "left", "right":
		return !f.Writing()
	case "tab", "shift+tab":
		return f.Steps() > 1 && f.mode != reading && f.mode != leaving
	case "backspace", "delete":
		return f.mode == filling && !f.Writing() && !f.Reviewing() && f.Fields[f.At].Answered()
	}
	return false
}

// Acts reports whether a letter does something in the step: n writes a note, p reads the preview, and where the form is to
// be left d declines it.
func (f *Form) Acts(key string) bool {
	switch {
	case f.mode == leaving:
		return key == "d"
	case f.mode == reading:
		return key == "p"
	case f.Reviewing() || f.Writing():
		return false
	}
	fd := &f.Fields[f.At]
	return key == "n" && fd.Notes || key == "p" && fd.Preview(f.Sel) != ""
}

// Act does what such a letter stands for.
func (f *Form) Act(key string) (session.Answer, bool) {
	switch {
	case !f.Acts(key):
	case key == "d":
		return Declined(), true
	case key == "p" && f.mode == reading:
		f.mode = filling
	case key == "p":
		f.mode = reading
	case key == "n":
		f.mode, f.Input = noting, &style.LineInput{}
		f.Input.Set(f.Fields[f.At].Note)
	}
	return session.Answer{}, false
}

// Selects reports whether a printable key selects something in the step.
func (f *Form) Selects(key string) bool {
	switch {
	case len(f.Fields) == 0 || f.Writing() || f.mode != filling:
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
