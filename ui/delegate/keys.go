package delegate

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/style"
	"parley/ui/textarea"
)

// handKey hands over where the user has no key that sends into the running turn.
const handKey = "ctrl+s"

// press handles a key.
func (f *form) press(k tea.KeyPressMsg) (panel.Effect, panel.Cmd) {
	s := k.String()
	act := f.o.Keys.Acts[s].Act
	switch {
	case s == "esc" || s == "ctrl+c":
		return f.leave()
	case f.phase == pushing:
		return nil, nil
	case act == keymap.Steer, s == handKey && act == keymap.None:
		return f.hand()
	case s == "tab":
		f.step(1)
		return nil, nil
	case s == "shift+tab":
		f.step(-1)
		return nil, nil
	}
	switch f.at {
	case statement:
		if act == keymap.Editor {
			f.stopSummary()
			return panel.EditText{Text: f.text.Value()}, nil
		}
		f.write(k)
	case work:
		f.chooseWork(s)
	case after:
		switch s {
		case "left", "right", "space", "enter":
			f.open = !f.open
		case "up":
			f.step(-1)
		case "down":
			f.step(1)
		}
	default:
		f.writeLine(k)
	}
	return nil, nil
}

// leave stops what the form waits for, else closes it.
func (f *form) leave() (panel.Effect, panel.Cmd) {
	switch f.phase {
	case pushing:
		if f.push != nil {
			f.push()
		}
	case summarizing:
		f.stopSummary()
	default:
		return panel.Pop{}, nil
	}
	return nil, nil
}

// write handles a key in the statement. What the user writes ends the agent's writing.
func (f *form) write(k tea.KeyPressMsg) {
	s := k.String()
	was := f.text.Version()
	switch edit := f.o.Keys.Edits[s]; {
	case s == "enter":
		f.text.Newline()
	case s == "pgup", s == "pgdown":
		for range 8 {
			if s == "pgup" {
				f.text.Up()
			} else {
				f.text.Down()
			}
		}
	case s == "ctrl+home":
		f.text.Move(textarea.TextStart)
	case s == "ctrl+end":
		f.text.Move(textarea.TextEnd)
	case edit != nil:
		edit(f.text)
	default:
		if text := keymap.Typed(k); text != "" {
			f.text.Insert(text)
		}
	}
	if f.text.Version() != was {
		f.trouble = ""
		f.stopSummary()
	}
}

// writeLine handles a key in a field of one line.
func (f *form) writeLine(k tea.KeyPressMsg) {
	switch s := k.String(); s {
	case "enter", "down":
		f.step(1)
	case "up":
		f.step(-1)
	default:
		if f.lines[f.at].Key(s, keymap.Typed(k)) {
			f.touched[f.at], f.trouble = true, ""
		}
	}
}

// chooseWork handles a key where it is chosen what becomes of the work that is only here.
func (f *form) chooseWork(s string) {
	all := f.current().Choices()
	at := f.draft.At()
	switch s {
	case "left":
		at = max(0, at-1)
	case "right":
		at = min(len(all)-1, at+1)
	case "space", "enter":
		at = (at + 1) % len(all)
	case "up":
		f.step(-1)
		return
	case "down":
		f.step(1)
		return
	}
	f.draft.Send, f.trouble = all[at].Send, ""
}

// paste puts a text into the field.
func (f *form) paste(text string) {
	switch {
	case f.phase == pushing:
	case f.at == statement:
		f.text.Paste(text)
		f.stopSummary()
	case f.lines[f.at] != nil:
		f.lines[f.at].Insert(style.OneLine(text))
		f.touched[f.at] = true
	}
}
