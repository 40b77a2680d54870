package paint

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// order is an action that its caller waits for.
type order struct {
	what action
	tail []string
	done chan struct{}
}

type action uint8

const (
	release action = iota
	retake
	stop
)

// flickerBytes is the size of a write from which the cursor is hidden meanwhile, so that it is not seen running over the
// screen. Terminals with synchronized output do not need that.
const flickerBytes = 128

// terminal has the settings of the terminal.
type terminal struct {
	title     string
	visible   bool // the cursor
	shape     int  // of the cursor, 0 if it is the user's
	shaped    bool // a shape was set
	graphemes bool
	mouse     bool
}

// writer is the goroutine that writes. No other uses its fields.
type writer struct {
	*Painter
	screen *screen
	inline *inline // nil if the whole screen is painted
	pace   pacer
	msg    bytes.Buffer // what goes out in one write

	rows    []string // of the last frame
	has     terminal
	asks    string // the questions to the terminal
	shapes  bool   // the terminal knows shapes
	afresh  int    // the calls of Repaint that were handled
	shown   bool   // a frame was painted
	given   bool   // the terminal is given back
	repaint bool   // the frame must be painted although it is not fresh
	asked   bool
}

// run takes the terminal, then waits for wishes and orders. It has no ticker, and a timer only while a frame waits for its
// turn.
func (w *writer) run() {
	defer close(w.ended)
	turn := time.NewTimer(time.Hour)
	turn.Stop()
	w.takeModes()
	for {
		select {
		case <-w.wake:
		case <-turn.C:
		case o := <-w.order:
			stopped := w.obey(o)
			close(o.done)
			if stopped {
				return
			}
		}
		if wait := w.step(); wait > 0 {
			turn.Reset(wait)
		} else {
			turn.Stop()
		}
	}
}

// step carries out the wish and returns how long its frame must wait, 0 if it was painted.
func (w *writer) step() time.Duration {
	q := w.look()
	w.pace.blurred = q.blurred
	if q.sequences != "" {
		if seq := w.takeSequences(); !w.given {
			w.write([]byte(seq))
		}
	}
	if w.given || q.w <= 0 || q.h <= 0 {
		return 0
	}
	if q.mouse != w.has.mouse {
		w.setMouse(q.mouse)
	}
	if q.stale && w.shown && w.inline != nil {
		return 0
	}
	if q.w != w.screen.w || q.h != w.screen.h {
		if w.inline != nil {
			w.inline.resize(q.w, q.h)
		} else {
			w.screen.resize(q.w, q.h)
		}
		w.repaint = w.shown
	}
	if q.graphemes != w.has.graphemes {
		w.setGraphemes(q.graphemes)
		w.repaint = w.shown
	}
	if q.afresh != w.afresh {
		w.afresh = q.afresh
		w.screen.forget()
		if w.inline != nil {
			w.inline.again()
		}
		w.repaint = w.shown
	}
	if !q.fresh && !w.repaint {
		return 0
	}
	if wait := w.pace.wait(time.Now(), q.when); wait > 0 && !w.repaint {
		return wait
	}
	begun := time.Now()
	taken, ok := w.take(w.rows, w.screen.w, w.screen.h)
	if !ok {
		return w.step()
	}
	w.repaint, q = false, taken
	w.paint(q)
	w.pace.painted(begun, time.Now())
	w.mu.Lock()
	w.stats.Shown = q.number
	w.mu.Unlock()
	return 0
}

// paint writes the difference between the screen and the frame, if there is any, in one write.
func (w *writer) paint(q wish) {
	w.rows, w.shown = q.frame.Rows, true
	at := q.frame.Cursor
	w.screen.out.Reset()
	var changed int
	if w.inline != nil {
		changed = w.inline.paint(q.above, w.rows, at)
	} else {
		at.X, at.Y = min(max(at.X, 0), w.screen.w-1), min(max(at.Y, 0), w.screen.h-1)
		changed = w.screen.paint(w.rows, at)
	}
	w.mu.Lock()
	w.stats.Painted++
	w.stats.Rows += changed
	w.mu.Unlock()

	w.msg.Reset()
	if q.sync {
		w.msg.WriteString(ansi.SetModeSynchronizedOutput)
	}
	empty := w.msg.Len()
	w.compose(q)
	if w.msg.Len() == empty {
		return
	}
	if q.sync {
		w.msg.WriteString(ansi.ResetModeSynchronizedOutput)
	}
	w.write(w.msg.Bytes())
}

// compose adds the title, the cells and the cursor if they differ from the terminal's.
func (w *writer) compose(q wish) {
	if t := plainTitle(q.frame.Title); t != "" && t != w.has.title {
		w.has.title = t
		w.msg.WriteString(ansi.SetWindowTitle(t))
	}
	if w.has.visible && (!q.frame.CursorVisible || !q.sync && w.screen.out.Len() > flickerBytes) {
		w.msg.WriteString(ansi.ResetModeTextCursorEnable)
		w.has.visible = false
	}
	w.msg.Write(w.screen.out.Bytes())
	if s := q.frame.CursorShape; s != w.has.shape && s >= 0 && s <= 6 && w.shapes {
		w.has.shape, w.has.shaped = s, true
		w.hold()
		w.msg.WriteString(ansi.SetCursorStyle(s))
	}
	if q.frame.CursorVisible && !w.has.visible {
		w.msg.WriteString(ansi.SetModeTextCursorEnable)
		w.has.visible = true
	}
}

func (w *writer) obey(o order) (stopped bool) {
	switch o.what {
	case release:
		w.giveModes(nil)
	case retake:
		if w.given {
			w.takeModes()
		}
	case stop:
		w.giveModes(o.tail)
		return true
	}
	return false
}

// takeModes borrows the terminal and makes the next frame paint all of it.
func (w *writer) takeModes() {
	w.has.shape = 0
	ms := w.heldModes(w.has.graphemes, w.has.mouse, w.has.shaped)
	give := giving(ms)
	w.held.Store(&give) // before they are taken: an emergency in between gives back too much
	w.msg.Reset()
	if !w.opts.AltScreen && w.inline == nil {
		q := w.look()
		w.msg.WriteString(strings.Repeat(nextLine, max(0, q.h-1))) // the screen moves to the scrollback
	}
	w.msg.WriteString(taking(ms))
	if !w.opts.Quiet && !w.asked {
		w.msg.WriteString(w.asks)
		w.asked = true
	}
	w.write(w.msg.Bytes())
	w.forget()
	w.given, w.repaint = false, w.shown
	w.has.visible, w.has.title = false, ""
}

// giveModes gives the terminal back, once, and prints the tail below.
func (w *writer) giveModes(tail []string) {
	w.msg.Reset()
	if give := w.held.Swap(nil); give != nil && w.inline != nil {
		// Erase the frame: what follows is written below the finished rows.
		w.screen.out.Reset()
		w.inline.leave(w.takeAbove())
		w.msg.WriteString(endingText)
		w.msg.Write(w.screen.out.Bytes())
		w.msg.WriteString(givingBare(w.heldModes(w.has.graphemes, w.has.mouse, w.has.shaped)))
	} else if give != nil {
		w.msg.WriteString(*give)
	}
	if w.inline != nil {
		tail = append(w.takeAbove(), tail...) // rows finished while the terminal was given back
	}
	w.given = true
	out := colorprofile.Writer{Forward: &w.msg, Profile: w.opts.Profile}
	for _, row := range tail {
		_, _ = out.WriteString(row)
		w.msg.WriteString(ansi.ResetStyle + nextLine)
	}
	w.write(w.msg.Bytes())
}

func (w *writer) setGraphemes(on bool) {
	w.has.graphemes = on
	w.hold()
	seq := graphemes.give
	if on {
		seq = graphemes.take
	}
	w.write([]byte(seq))
	w.screen.setGraphemes(on)
}

// setMouse takes or gives back the mouse.
func (w *writer) setMouse(on bool) {
	w.has.mouse = on
	w.hold()
	if on {
		w.write([]byte(mouseButtons.take + mouseSGR.take))
		return
	}
	w.write([]byte(mouseSGR.give + mouseButtons.give))
}

// hold records what to give back. It is called before a mode is taken, so that rather too much is given back.
func (w *writer) hold() {
	if give := giving(w.heldModes(w.has.graphemes, w.has.mouse, w.has.shaped)); w.held.Load() != nil {
		w.held.Store(&give)
	}
}

// forget makes the next frame paint everything, because something else wrote to the terminal.
func (w *writer) forget() {
	w.screen.forget()
	if w.inline != nil {
		w.inline.forget()
	}
}

// takeAbove removes and returns the finished rows that are not written yet.
func (w *writer) takeAbove() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	above := w.wish.above
	w.wish.above = nil
	return above
}

// write writes bytes to the terminal, which may block.
func (w *writer) write(b []byte) {
	if len(b) == 0 {
		return
	}
	w.tty <- struct{}{}
	defer func() { <-w.tty }()
	if w.dead.Load() {
		return
	}
	n, err := w.opts.Out.Write(b)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stats.Writes++
	w.stats.Bytes += n
	if err != nil {
		w.err = fmt.Errorf("writing to the terminal: %w", err)
		w.dead.Store(true)
	}
}
