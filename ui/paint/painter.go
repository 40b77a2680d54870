package paint

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
)

// Painter paints frames on a terminal. All methods are safe for concurrent use. Only Release, Retake and Stop wait for
// the terminal.
type Painter struct {
	opts  Options
	modes []mode // but those that come and go

	mu      sync.Mutex // never held while writing
	wish    wish
	stats   Stats
	err     error
	started bool

	wake  chan struct{} // the wish changed
	order chan order    // what has to be done before the caller goes on
	ended chan struct{} // the writer is gone

	tty       chan struct{}          // whoever fills it may write
	held      atomic.Pointer[string] // what gives back the modes that are taken; nil when none is
	dead      atomic.Bool            // nothing may be written any more
	emergency sync.Once
}

// wish is what the callers want to see. The writer takes it in whole.
type wish struct {
	frame     Frame
	fresh     bool // the frame was not painted yet
	number    int  // of the frame, counted by Draw
	when      Urgency
	w, h      int
	graphemes bool
	mouse     bool
	sync      bool
	blurred   bool
	above     []string // rows that were not written yet
	said      string   // sequences that were not written yet
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

// Start takes the terminal and asks it what it can do; the answers come in as input and the caller hands those about
// modes to ModeReport. The terminal must be in raw mode: what it answers is echoed otherwise. Calling it again does
// nothing.
func (p *Painter) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started {
		return
	}
	p.started = true
	env := uv.Environ(p.opts.Env)
	w := &writer{Painter: p, screen: newScreen(p.opts.Profile, p.opts.AltScreen), mouse: p.opts.Mouse, shapes: shapes(env.Getenv("TERM")),
		asks: questionsFor(env.Getenv("TERM"))}
	if p.opts.Inline && !p.opts.AltScreen {
		w.inline = &inline{screen: w.screen, reflows: reflows(env), climb: -1}
	}
	w.pace.remote = env.Getenv("SSH_TTY") != "" || env.Getenv("SSH_CONNECTION") != ""
	go w.run()
}

// Draw shows the frame, at once or when its turn comes, unless a newer one replaces it before. It never waits for the
// terminal. The caller may reuse the slice of rows afterwards.
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

// Resize says how many cells the terminal has now. The newest frame is painted again, cut or filled up to that size,
// until one of the right size is drawn, which has to come soon: inline nothing is painted before, because rows that the
// terminal itself has moved could not be told from those of a frame for another size.
func (p *Painter) Resize(w, h int) { p.change(func(q *wish) { q.w, q.h, q.stale = w, h, true }) }

// Repaint paints the newest frame again as if nothing were on the screen, because something else wrote to it.
func (p *Painter) Repaint() { p.change(func(q *wish) { q.afresh++ }) }

// SetWidthMethod says whether the terminal is to measure text by grapheme clusters (mode 2027, which is then taken) or,
// as at the start, by code points.
func (p *Painter) SetWidthMethod(grapheme bool) { p.change(func(q *wish) { q.graphemes = grapheme }) }

// SetFocused says whether the window has the focus. Without it streaming text is painted less often.
func (p *Painter) SetFocused(on bool) { p.change(func(q *wish) { q.blurred = !on }) }

// SetMouse says whether clicks, drags and the wheel are asked for. While they are, the terminal's own selection needs a
// modifier key.
func (p *Painter) SetMouse(on bool) { p.change(func(q *wish) { q.mouse = on }) }

// Say writes a sequence between two frames: for the clipboard, a notification, progress, the bell. What is said while the
// terminal is given back is dropped, and so is everything but operating system commands (OSC), those wrapped for a
// multiplexer (DCS), and the bell.
func (p *Painter) Say(seq string) {
	if sayable(seq) {
		p.change(func(q *wish) { q.said += seq })
	}
}

// sayable reports whether a sequence may be written for a caller.
func sayable(seq string) bool {
	return strings.HasPrefix(seq, "\x1b]") || strings.HasPrefix(seq, "\x1bP") || seq == "\a"
}

// The values of a mode report (DECRPM) and the modes whose reports matter.
const (
	reportSet, reportReset, reportAlwaysSet = 1, 2, 3

	modeSync, modeGraphemes = 2026, 2027
)

// ModeReport takes in the terminal's answer about a mode: 0 unknown, 1 set, 2 reset, 3 always set, 4 always reset. Only
// after it frames are wrapped in synchronized output (2026), or clusters measured as the terminal then does (2027). It
// returns whether text is measured by grapheme clusters from now on, for those who lay it out.
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
	default: // the writer has not looked at the previous nudge yet, and will see this wish too
	}
}

// Release gives the terminal back: for a suspension, or for a program in the foreground such as an editor. When it
// returns, the terminal is as it was found. Frames drawn meanwhile are kept, the newest of them is painted by Retake.
func (p *Painter) Release() { p.do(order{what: release}) }

// Retake takes the terminal again after Release and paints the newest frame.
func (p *Painter) Retake() { p.do(order{what: retake}) }

// Stop gives the terminal back for good and prints the rows, the end of the conversation for example, on the normal
// screen. When it returns, nothing of the Painter runs any more. A second call does nothing.
func (p *Painter) Stop(tail []string) { p.do(order{what: stop, tail: tail}) }

func (p *Painter) do(o order) {
	p.mu.Lock()
	started := p.started
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

// Err returns the first error of a write, nil if there was none. After an error nothing more is written.
func (p *Painter) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// take returns the wish as it is now and marks its frame as seen. It reports false if the size is no longer that of the
// screen.
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

// takeSaid returns what is to be said, once.
func (p *Painter) takeSaid() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	said := p.wish.said
	p.wish.said = ""
	return said
}

// look returns the wish as it is now, without its rows.
func (p *Painter) look() wish {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.wish
	w.frame.Rows = nil
	return w
}

// plainTitle is the title without anything that could end the sequence it is sent in.
func plainTitle(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r <= 0x9f {
			return -1
		}
		return byteSafe(r)
	}, s)
}

// byteSafe replaces a character whose UTF-8 holds the byte 0x9c: terminals that look for the end of a string byte by byte end
// it there, and show the rest of it as text.
func byteSafe(r rune) rune {
	switch s := string(r); {
	case strings.IndexByte(s, 0x9c) < 0:
		return r
	case r == '“':
		return '"'
	}
	return '·'
}

// heldModes are the modes to give back, given what was granted and asked for meanwhile.
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
