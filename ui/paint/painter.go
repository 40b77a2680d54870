package paint

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"parley/internal/crash"
)

// Painter paints frames on a terminal. It is safe for concurrent use. Only Release, Retake and Stop wait for the terminal.
type Painter struct {
	opts  Options
	modes []mode // those that are always taken

	mu      sync.Mutex // never held while writing
	wish    wish
	stats   Stats
	err     error // the first of a write; nothing is written after it
	started bool

	wake  chan struct{} // the wish changed
	order chan order    // what a caller waits for
	ended chan struct{} // the writer has returned

	tty       chan struct{}          // held by a send while writing
	held      atomic.Pointer[string] // the sequence that gives back the modes; nil when none is taken
	dead      atomic.Bool            // nothing may be written
	emergency sync.Once
	spared    func() // the program may crash without giving the terminal back
}

// wish is the screen as the callers want it. The writer takes a copy of it.
type wish struct {
	frame     Frame
	fresh     bool // the frame is not painted yet
	number    int  // of the frame, counted by Draw
	when      Urgency
	w, h      int
	graphemes bool
	mouse     bool
	sync      bool
	blurred   bool
	above     []string // finished rows that are not written yet
	sequences string   // sequences that are not written yet
	afresh    int      // how often Repaint was called
	stale     bool     // the frame was drawn for another size
}

// New returns a Painter that has not touched the terminal yet.
func New(o Options) *Painter {
	if o.Profile == colorprofile.Unknown {
		o.Profile = colorprofile.Env(o.Env)
	}
	return &Painter{
		opts:  o,
		modes: borrowed(o),
		wish:  wish{w: o.Width, h: o.Height, mouse: o.Mouse},
		wake:  make(chan struct{}, 1),
		order: make(chan order),
		ended: make(chan struct{}),
		tty:   make(chan struct{}, 1),
	}
}

// Start takes the terminal and requests what it supports. The answers arrive as input; the caller passes those about modes
// to ModeReport. The terminal must be in raw mode, or it echoes them. A second call does nothing.
func (p *Painter) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started {
		return
	}
	p.started = true
	env := uv.Environ(p.opts.Env)
	w := &writer{Painter: p, screen: newScreen(p.opts.Profile, p.opts.AltScreen), has: terminal{mouse: p.opts.Mouse}, shapes: shapes(env.Getenv("TERM")),
		asks: questionsFor(env.Getenv("TERM"))}
	w.screen.fills = fills(env)
	if p.opts.Inline && !p.opts.AltScreen {
		w.inline = &inline{screen: w.screen, reflows: reflows(env), climb: -1}
	}
	w.pace.remote = env.Getenv("SSH_TTY") != "" || env.Getenv("SSH_CONNECTION") != ""
	p.spared = crash.Last(p.Emergency)
	crash.Go(w.run)
}

// Draw paints the frame, at once or when its turn comes, unless a newer one replaces it. It never waits for the terminal.
// The caller may reuse the slice of rows.
func (p *Painter) Draw(f Frame, when Urgency) {
	p.mu.Lock()
	p.stats.Drawn++
	p.wish.above = append(p.wish.above, f.Above...)
	f.Rows, f.Above = append(p.wish.frame.Rows[:0], f.Rows...), nil
	if !p.wish.fresh || when > p.wish.when {
		p.wish.when = when
	}
	p.wish.frame, p.wish.fresh, p.wish.stale, p.wish.number = f, true, false, p.stats.Drawn
	p.mu.Unlock()
	p.nudge()
}

// Resize sets the size of the terminal in cells. The newest frame is painted again, cut or filled to that size, until one
// of the right size is drawn, which must be soon. Inline nothing is painted before it, because the terminal itself has moved
// rows.
func (p *Painter) Resize(w, h int) { p.change(func(q *wish) { q.w, q.h, q.stale = w, h, true }) }

// Repaint paints the newest frame again as if nothing were on the screen, because something else wrote to it.
func (p *Painter) Repaint() { p.change(func(q *wish) { q.afresh++ }) }

// SetFocused sets whether the window has the focus. Without it streaming text is painted less often.
func (p *Painter) SetFocused(on bool) { p.change(func(q *wish) { q.blurred = !on }) }

// SetMouse sets whether the terminal reports clicks, drags and the wheel. While it does, its own selection needs a modifier
// key.
func (p *Painter) SetMouse(on bool) { p.change(func(q *wish) { q.mouse = on }) }

// Send writes a sequence between two frames: for the clipboard, a notification, progress, the bell. It drops it while the
// terminal is given back, and drops everything except operating system commands (OSC), those wrapped for a multiplexer
// (DCS), and the bell.
func (p *Painter) Send(seq string) {
	if sendable(seq) {
		p.change(func(q *wish) { q.sequences += seq })
	}
}

// sendable reports whether a sequence may be written for a caller.
func sendable(seq string) bool {
	return strings.HasPrefix(seq, "\x1b]") || strings.HasPrefix(seq, "\x1bP") || seq == "\a"
}

// The values of a mode report (DECRPM) and the modes whose reports matter.
const (
	reportSet, reportReset, reportAlwaysSet = 1, 2, 3

	modeSync, modeGraphemes = 2026, 2027
)

// ModeReport handles the terminal's answer about a mode: 0 unknown, 1 set, 2 reset, 3 always set, 4 always reset. It turns
// on synchronized output (2026) and grapheme clusters (2027) where the terminal supports them, and returns whether text is
// measured by clusters from now on.
func (p *Painter) ModeReport(mode, value int) (grapheme bool) {
	able := value == reportSet || value == reportReset || value == reportAlwaysSet
	p.change(func(q *wish) {
		switch mode {
		case modeSync:
			q.sync = able
		case modeGraphemes:
			q.graphemes = able
		}
		grapheme = q.graphemes
	})
	return grapheme
}

func (p *Painter) change(f func(*wish)) {
	p.mu.Lock()
	f(&p.wish)
	p.mu.Unlock()
	p.nudge()
}

func (p *Painter) nudge() {
	select {
	case p.wake <- struct{}{}:
	default: // a nudge is pending; the writer will see this wish too
	}
}

// Release gives the terminal back, for a suspension or a program in the foreground such as an editor. When it returns, the
// terminal is in the state in which it was found. Retake paints the newest frame drawn meanwhile.
func (p *Painter) Release() { p.do(order{what: release}) }

// Retake takes the terminal again after Release and paints the newest frame.
func (p *Painter) Retake() { p.do(order{what: retake}) }

// Stop gives the terminal back for good and prints rows, such as the end of the conversation, on the normal screen. When it
// returns, the writer has ended. A second call does nothing.
func (p *Painter) Stop(tail []string) { p.do(order{what: stop, tail: tail}) }

func (p *Painter) do(o order) {
	p.mu.Lock()
	started := p.started
	if started && o.what == stop {
		p.spared()
	}
	p.mu.Unlock()
	if !started {
		return
	}
	o.done = make(chan struct{})
	select {
	case p.order <- o:
		<-o.done
	case <-p.ended:
	}
}

// Stats returns the counts so far.
func (p *Painter) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// take returns a copy of the wish and marks its frame as taken. It reports false if the size differs from the screen's.
func (p *Painter) take(into []string, width, height int) (wish, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.wish
	if w.w != width || w.h != height {
		return wish{}, false
	}
	w.frame.Rows = append(into[:0], w.frame.Rows...)
	p.wish.fresh, p.wish.above = false, nil
	return w, true
}

// takeSequences removes and returns the sequences to write.
func (p *Painter) takeSequences() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	seq := p.wish.sequences
	p.wish.sequences = ""
	return seq
}

// look returns a copy of the wish without its rows.
func (p *Painter) look() wish {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.wish
	w.frame.Rows = nil
	return w
}

// plainTitle returns the title without anything that could end its sequence.
func plainTitle(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r <= 0x9f {
			return -1
		}
		return byteSafe(r)
	}, s)
}

// byteSafe replaces a character whose UTF-8 contains the byte 0x9c, at which some terminals end a string and show the rest
// of it as text.
func byteSafe(r rune) rune {
	switch s := string(r); {
	case strings.IndexByte(s, 0x9c) < 0:
		return r
	case r == '“':
		return '"'
	}
	return '·'
}

// heldModes returns the modes to give back.
func (p *Painter) heldModes(withGraphemes, withMouse, withShape bool) []mode {
	ms := slices.Clone(p.modes)
	if withShape {
		ms = append(ms, cursorShape)
	}
	if withMouse {
		ms = append(ms, mouseButtons, mouseSGR)
	}
	if withGraphemes {
		ms = append(ms, graphemes)
	}
	return ms
}
