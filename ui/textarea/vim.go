package textarea

import (
	"slices"
	"strings"
)

// Mode is a mode of vim.
type Mode uint8

// The modes of vim.
const (
	Insert Mode = iota
	Normal
	Visual
	VisualLine
)

// Vim gives a composer the keys of vim: modes, counts, operators with motions and text objects, the dot. It deletes and
// yanks into the kill ring, and puts from there. It is used by the goroutine that uses the composer.
type Vim struct {
	c    *Composer
	mode Mode

	cmd      command
	find     finding // the last f, F, t or T
	register register
	dot      change

	anchor pos // where the visual mode began
	began  pos // where the insert mode was entered
	doc    *document
}

// change is the last change, for the dot.
type change struct {
	keys      []string
	inserted  string // what was typed after them
	repeating bool
}

// NewVim returns vim's keys for the composer, in insert mode.
func NewVim(c *Composer) *Vim { return &Vim{c: c, register: register{ring: &c.ring}} }

// Mode returns the mode.
func (v *Vim) Mode() Mode { return v.mode }

// Pending returns the keys of an incomplete command for display.
func (v *Vim) Pending() string {
	return strings.Join(v.cmd.keys, "")
}

// Reset returns to insert mode once a prompt was sent.
func (v *Vim) Reset() {
	v.cmd.clear()
	v.unmark()
	v.finish()
	v.mode = Insert
}

// Key handles a key and reports whether it is one of vim's; in insert mode that is the escape key alone. Keys have the
// names that Bubble Tea gives them: a character is its own name, except for "space"; others are "esc", "ctrl+r", "left".
func (v *Vim) Key(key string) (mine bool) {
	if key == "ctrl+[" {
		key = "esc"
	}
	if v.mode == Insert {
		if key != "esc" {
			return false
		}
		v.leaveInsert()
		return true
	}
	if key == "space" {
		key = " "
	}
	if key == "esc" {
		busy := len(v.cmd.keys) > 0 || v.mode != Normal
		v.cmd.clear()
		v.toNormal()
		return busy
	}
	if name, ok := vimNames[key]; ok && v.cmd.prefix == "" {
		key = name
	}
	if named := key == "ctrl+r" || key == "enter" && v.cmd.prefix == "r"; !named && (key == "" || next(key) != len(key)) {
		v.cmd.clear()
		return false
	}
	v.cmd.keys = append(v.cmd.keys, key)
	if v.step(key) {
		v.cmd.clear()
	}
	return true
}

// vimNames maps keys to the character that does the same.
var vimNames = map[string]string{
	"left": "h", "right": "l", "up": "k", "down": "j", "home": "0", "end": "$", "backspace": "h", "delete": "x", " ": "l",
}

// step adds a key to the command and reports whether the command is complete.
func (v *Vim) step(key string) (done bool) {
	if v.cmd.prefix != "" {
		prefix := v.cmd.prefix
		v.cmd.prefix = ""
		return v.prefixed(prefix, key)
	}
	if v.cmd.digit(key) {
		return false
	}
	if len(key) == 1 && strings.Contains("fFtTgr", key) || v.wantsObject() && (key == "i" || key == "a") {
		v.cmd.prefix = key
		return false
	}
	if m, ok := v.motion(key); ok {
		v.move(m, key)
		return true
	}
	if v.mode != Normal {
		v.visualKey(key)
		return true
	}
	if key == "d" || key == "c" || key == "y" || key == ">" || key == "<" {
		if v.cmd.op == "" {
			v.cmd.op = key
			return false
		}
		if v.cmd.op == key {
			v.wholeLines(v.cmd.times())
		}
		return true
	}
	if v.cmd.op == "" {
		v.normalKey(key)
	}
	return true
}

// motion returns the motion of a key.
func (v *Vim) motion(key string) (motion, bool) {
	switch key {
	case ";":
		return v.find.motion(true), true
	case ",":
		return v.find.reversed().motion(true), true
	}
	m, ok := motions[key]
	return m, ok
}

// wantsObject reports whether i and a begin a text object.
func (v *Vim) wantsObject() bool { return v.cmd.op != "" || v.mode == Visual || v.mode == VisualLine }

// prefixed handles the key behind a prefix. The command is complete then.
func (v *Vim) prefixed(prefix, key string) (done bool) {
	switch prefix {
	case "f", "F", "t", "T":
		v.find = finding{prefix, key}
		v.move(v.find.motion(false), prefix)
	case "g":
		switch key {
		case "g":
			v.move(motion{do: firstLine, linear: true}, "gg")
		case "e":
			v.move(motion{do: repeated(wordEndBack(false)), inclusive: true}, "ge")
		case "E":
			v.move(motion{do: repeated(wordEndBack(true)), inclusive: true}, "gE")
		case "_":
			v.move(motion{do: lastNonBlank, inclusive: true}, "g_")
		}
	case "r":
		if v.cmd.op == "" {
			v.replaceChars(key)
		}
	case "i", "a":
		v.object(prefix == "a", key)
	}
	return true
}

// toNormal switches to normal mode.
func (v *Vim) toNormal() {
	v.unmark()
	v.finish()
	v.mode = Normal
	v.settle()
}

// settle moves the cursor of normal mode onto a character, and updates the selection of visual mode.
func (v *Vim) settle() {
	if at := v.c.doc.at; v.mode == Normal && at.off > 0 && at.off == len(v.c.doc.lines[at.line].text) {
		goal := v.c.doc.goal
		v.c.moveTo(v.c.doc.lines.left(at))
		v.c.doc.goal = goal
	}
	if v.mode == Visual || v.mode == VisualLine {
		v.mark()
	}
}

// leaveInsert switches from insert to normal mode.
func (v *Vim) leaveInsert() {
	at := v.c.doc.at
	if v.doc == v.c.doc && v.dot.keys != nil && !v.dot.repeating {
		v.dot.inserted = ""
		if v.began.less(at) {
			v.dot.inserted = v.c.doc.lines.text(v.began, at)
		}
	}
	v.finish()
	v.mode = Normal
	if at.off > 0 {
		v.c.moveTo(v.c.doc.lines.left(at))
	} else {
		v.c.moveTo(at)
	}
}

// begin starts a group of changes that are undone together, up to finish.
func (v *Vim) begin() {
	v.finish()
	v.doc = v.c.doc
	v.doc.past.begin()
}

func (v *Vim) finish() {
	if v.doc != nil {
		v.doc.past.finish()
	}
}

// insert switches to insert mode at p.
func (v *Vim) insert(p pos) {
	v.unmark()
	v.c.moveTo(p)
	v.mode, v.began = Insert, p
}

// changing records the command for the dot.
func (v *Vim) changing() {
	if !v.dot.repeating {
		v.dot.keys, v.dot.inserted = slices.Clone(v.cmd.keys), ""
	}
}

// again repeats the last change, with its own count if count is 0.
func (v *Vim) again(count int) {
	if v.dot.keys == nil || v.dot.repeating {
		return
	}
	keys, inserted := v.dot.keys, v.dot.inserted
	if count > 0 {
		for len(keys) > 0 && keys[0] >= "0" && keys[0] <= "9" && len(keys[0]) == 1 {
			keys = keys[1:]
		}
	}
	v.cmd.clear()
	v.dot.repeating = true
	v.cmd.count = count
	for _, k := range keys {
		if v.step(k) {
			break
		}
	}
	if v.mode == Insert {
		v.c.splice(v.c.doc.at, v.c.doc.at, inserted, other)
		v.leaveInsert()
	}
	v.dot.repeating = false
}
