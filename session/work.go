package session

import (
	"slices"
	"strings"
	"time"
)

// Work is a command or a child agent that runs in the background. Exactly one of Tool and Child is set; both belong to the
// transcript.
type Work struct {
	Tool  *Tool
	Child *Child
}

// Call returns the call that started the work, empty for a child agent whose call is unknown.
func (w Work) Call() CallID {
	if w.Child != nil {
		return w.Child.Call
	}
	return w.Tool.Call
}

// Since returns the time at which the work began, zero if unknown.
func (w Work) Since() time.Time {
	if w.Child != nil {
		return w.Child.Started
	}
	return w.Tool.Started
}

// ended reports whether the work has ended, or has gone to the background as a command.
func (w Work) ended() bool {
	if w.Child != nil {
		return w.Child.Ended
	}
	return w.Tool.Ended
}

// Background returns what runs in the background, in the order in which it went there: commands whose result says so, and
// child agents. A call that started a child agent is not listed beside it.
func (t *Transcript) Background() []Work {
	var all []Work
	for w := range t.index.behind.all() {
		if w.Child != nil || !w.Tool.delegated {
			all = append(all, w)
		}
	}
	return all
}

// Foreground returns the running calls of the top level and the running child agents that are not in the background, in the
// order in which they began. A call that started a child agent is not listed beside it. Only the newest turns have any.
func (t *Transcript) Foreground() []Work {
	if len(t.Turns) == 0 || !t.Turns[len(t.Turns)-1].Running() {
		return nil
	}
	var all []Work
	for w := range t.Turns[len(t.Turns)-1].Open() {
		if c := w.Child; c != nil && c.Parent == "" && !c.Background || c == nil && w.Tool.Child == "" && w.Tool.Ready && !w.Tool.delegated {
			all = append(all, w)
		}
	}
	return all
}

// Call returns a call by its id, nil if unknown.
func (t *Transcript) Call(id CallID) *Tool {
	if s := t.index.tools[id]; s != nil {
		return s.it
	}
	return nil
}

// FindChild returns a child agent by its id, nil if unknown.
func (t *Transcript) FindChild(id ChildID) *Child {
	if s := t.index.children[id]; s != nil {
		return s.it
	}
	return nil
}

// EndedBackground returns what ran in the background and has ended, in the order of the ends.
func (t *Transcript) EndedBackground() []Work { return slices.Collect(t.index.past.all()) }

// list adds work to the background or removes it.
func (x *index) list(w Work, runs bool) {
	if !runs {
		x.behind.remove(behind, w)
	} else if x.behind.add(behind, w) {
		x.past.remove(past, w)
	}
}

// outputBlock bounds the live output of one call: between one and two blocks of its end stay.
const outputBlock = 128 << 10

// trim drops the beginning of a long output. What stays depends only on the length of everything written, however it came.
func (t *Tool) trim() {
	total := t.dropped + t.output.Len()
	from := (total/outputBlock - 1) * outputBlock
	if from <= t.dropped {
		return
	}
	rest := strings.Clone(t.output.String()[from-t.dropped:])
	t.output.Reset()
	t.output.WriteString(rest)
	t.dropped = from
	t.Epoch++
}

// Output returns the live output so far. Of a long one only its end is kept, from the beginning of a line.
func (t *Tool) Output() string {
	text := t.output.String()
	if t.dropped > 0 {
		if _, rest, ok := strings.Cut(text, "\n"); ok {
			return rest
		}
		return strings.ToValidUTF8(text, "")
	}
	return text
}

// Dropped returns how many bytes of the live output are no longer kept.
func (t *Tool) Dropped() int { return t.dropped }
