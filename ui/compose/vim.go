package compose

// Mode is what keys do in a field with vim's keys.
type Mode uint8

// The modes of vim's keys.
const (
	Insert Mode = iota
	Normal
	Visual
	VisualLine
)

// Vim gives a composer the keys of vim: modes, counts, operators with motions and text objects, the dot. It is used by
// the goroutine that uses the composer. What it deletes and yanks goes to the kill ring, what it puts comes from there.
//
// Keys have the names that Bubble Tea gives them: a character is its own name, but "space"; others are "esc", "ctrl+r",
// "left" and so on.
type Vim struct {
	c    *Composer
	mode Mode

	typed  []string // the keys of the command so far
	count  int      // before the operator
	op     string   // an operator that waits for its motion
	count2 int      // before the motion
	prefix string   // a key that waits for another

	anchor  pos      // where the visual mode began
	find    finding  // the last f, F, t or T
	linear  int      // what Composer.kills was when whole lines were killed
	lines   string   // these lines
	change  []string // the keys of the last change, for the dot
	added   string   // what was typed after it
	began   pos      // where the insert mode was entered
	doc     *document
	redoing bool
}

// finding is a search for a character within a line.
type finding struct {
	key  string // f, F, t or T
	char string
}

// NewVim returns vim's keys for the composer, in insert mode.
func NewVim(c *Composer) *Vim { return &Vim{c: c} }

// Mode is the present mode.
func (v *Vim) Mode() Mode { return v.mode }

// Pending are the keys of a command that is not complete, to be shown.
func (v *Vim) Pending() string {
	s := ""
	for _, k := range v.typed {
		s += k
	}
	return s
}

// Reset goes back to insert mode, as after a prompt was sent.
func (v *Vim) Reset() {
	v.clear()
	v.unmark()
	v.finish()
	v.mode = Insert
}

// Key takes a key and reports whether it is one of vim's. In insert mode only the escape key is.
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
		busy := len(v.typed) > 0 || v.mode != Normal
		v.clear()
		v.toNormal()
		return busy
	}
	if name, ok := vimNames[key]; ok && v.prefix == "" {
		key = name
	}
	if named := key == "ctrl+r" || key == "enter" && v.prefix == "r"; !named && (key == "" || next(key) != len(key)) {
		v.clear()
		return false
	}
	v.typed = append(v.typed, key)
	if v.step(key) {
		v.clear()
	}
	return true
}

// vimNames are keys that do what a character does.
var vimNames = map[string]string{
	"left": "h", "right": "l", "up": "k", "down": "j", "home": "0", "end": "$", "backspace": "h", "delete": "x", " ": "l",
}

// clear forgets the command.
func (v *Vim) clear() {
	v.typed, v.count, v.count2, v.op, v.prefix = v.typed[:0], 0, 0, "", ""
}

// step takes a key of a command and reports whether the command is complete.
func (v *Vim) step(key string) (done bool) {
	if v.prefix != "" {
		prefix := v.prefix
		v.prefix = ""
		return v.prefixed(prefix, key)
	}
	if key >= "1" && key <= "9" && len(key) == 1 || key == "0" && v.counting() {
		n := &v.count
		if v.op != "" {
			n = &v.count2
		}
		*n = min(*n*10+int(key[0]-'0'), 9999)
		return false
	}
	switch {
	case len(key) == 1 && indexByte("fFtTgr", key[0]), v.wantsObject() && (key == "i" || key == "a"):
		v.prefix = key
		return false
	}
	if m, ok := motions[key]; ok {
		v.move(m, key)
		return true
	}
	if v.mode != Normal {
		v.visualKey(key)
		return true
	}
	if key == "d" || key == "c" || key == "y" || key == ">" || key == "<" {
		if v.op == "" {
			v.op = key
			return false
		}
		if v.op == key {
			v.wholeLines(v.times())
		}
		return true
	}
	if v.op == "" {
		v.normalKey(key)
	}
	return true
}

func (v *Vim) counting() bool { return v.op == "" && v.count > 0 || v.op != "" && v.count2 > 0 }

func (v *Vim) wantsObject() bool { return v.op != "" || v.mode == Visual || v.mode == VisualLine }

func indexByte(s string, b byte) bool {
	for i := range len(s) {
		if s[i] == b {
			return true
		}
	}
	return false
}

// times is the count of the command, 1 if there is none.
func (v *Vim) times() int { return min(max(v.count, 1)*max(v.count2, 1), 9999) }

// prefixed takes the key behind one that waited for it.
func (v *Vim) prefixed(prefix, key string) (done bool) {
	switch prefix {
	case "f", "F", "t", "T":
		v.find = finding{prefix, key}
		v.move(motion{do: func(v *Vim, p pos, n int) (pos, bool) { return v.findChar(v.find, p, n, false) },
			inclusive: prefix == "f" || prefix == "t"}, prefix)
	case "g":
		switch key {
		case "g":
			v.move(motion{do: firstLine, lines: true}, "gg")
		case "e":
			v.move(motion{do: repeated(wordEndBack(false)), inclusive: true}, "ge")
		case "E":
			v.move(motion{do: repeated(wordEndBack(true)), inclusive: true}, "gE")
		case "_":
			v.move(motion{do: lastNonBlank, inclusive: true}, "g_")
		}
	case "r":
		if v.op == "" {
			v.replaceChars(key)
		}
	case "i", "a":
		v.object(prefix == "a", key)
	}
	return true
}

// toNormal goes to normal mode, in which the cursor is on a character.
func (v *Vim) toNormal() {
	v.unmark()
	v.finish()
	v.mode = Normal
	v.settle()
}

// settle keeps the cursor off the end of a line that is not empty.
func (v *Vim) settle() {
	if at := v.c.doc.at; v.mode == Normal && at.off > 0 && at.off == len(v.c.doc.lines[at.line].text) {
		goal := v.c.doc.goal
		v.c.moveTo(v.c.left(at))
		v.c.doc.goal = goal
	}
	if v.mode == Visual || v.mode == VisualLine {
		v.mark()
	}
}

// leaveInsert goes from insert to normal mode.
func (v *Vim) leaveInsert() {
	at := v.c.doc.at
	if v.doc == v.c.doc && v.change != nil && !v.redoing {
		v.added = ""
		if v.began.less(at) {
			v.added = v.c.doc.text(v.began, at)
		}
	}
	v.finish()
	v.mode = Normal
	if at.off > 0 {
		v.c.moveTo(v.c.left(at))
	} else {
		v.c.moved()
	}
}

// begin makes what is changed until finish one step for undo.
func (v *Vim) begin() {
	v.finish()
	v.doc = v.c.doc
	v.doc.begin()
}

func (v *Vim) finish() {
	if v.doc != nil {
		v.doc.finish()
	}
}

// insert goes to insert mode at p.
func (v *Vim) insert(p pos) {
	v.unmark()
	v.c.moveTo(p)
	v.mode, v.began = Insert, p
}

// changing remembers the command for the dot.
func (v *Vim) changing() {
	if !v.redoing {
		v.change, v.added = append([]string(nil), v.typed...), ""
	}
}

// again does the last change once more, with another count if there is one.
func (v *Vim) again(count int) {
	if v.change == nil || v.redoing {
		return
	}
	keys, added := v.change, v.added
	if count > 0 {
		for len(keys) > 0 && keys[0] >= "0" && keys[0] <= "9" && len(keys[0]) == 1 {
			keys = keys[1:]
		}
	}
	v.clear()
	v.redoing = true
	v.count = count
	for _, k := range keys {
		if v.step(k) {
			break
		}
	}
	if v.mode == Insert {
		v.c.splice(v.c.doc.at, v.c.doc.at, added, other)
		v.leaveInsert()
	}
	v.redoing = false
}
