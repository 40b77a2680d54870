package ui

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"parley/internal/crash"
	"parley/ui/attention"
	"parley/ui/core"
	"parley/ui/keyboard"
	"parley/ui/paint"
	"parley/ui/panel"
)

// stage is everything that runs while the screen is shown. Only run sets it up and tears it down.
type stage struct {
	opts    Options
	ctx     context.Context
	cancel  context.CancelFunc
	painter *paint.Painter
	prog    *tea.Program
	model   *Model
	wg      sync.WaitGroup
}

// run shows the screen; see Run.
func run(parent context.Context, o Options) (core.Result, error) {
	ctx, cancel := context.WithCancel(parent)
	st := &stage{opts: o, ctx: ctx, cancel: cancel}
	defer st.wg.Wait()
	defer cancel()
	if err := st.setUp(); err != nil {
		return core.Result{}, err
	}
	broken, loopErr := st.loop()
	cancel()
	m := st.model
	if broken == nil {
		closePanels(m.stack)
	}
	m.chat.End(m.result.Reason == core.LeftQuit && broken == nil && loopErr == nil && parent.Err() == nil)
	atMost(patience, m.chat.EndInput) // a disk that does not answer must not keep the program
	r := m.result
	switch {
	case broken != nil:
		st.painter.Emergency()
		st.prog.Kill()
		r.Reason = core.LeftCrashed
		r.CrashFile = crash.Report{Dir: o.CrashDir, Version: o.Version, Now: o.Now, Errors: o.errors()}.Write(broken)
	case parent.Err() != nil && r.Signal == nil:
		r.Reason = core.LeftCanceled
	case loopErr != nil && r.Signal == nil:
		// The input could not be read any more.
		r.Reason = core.LeftClosed
	}
	r.Session, r.Begun = m.chat.Shown()
	if m.failed != nil {
		st.tearDown(nil)
		return core.Result{}, m.failed
	}
	st.tearDown(st.farewell(r))
	return r, nil
}

// closePanels closes what covers the chat at the end of the program: a prompt that was not sent goes back into the field, whose
// draft is stored then.
func closePanels(s *panel.Stack) {
	for _, e := range s.Close() {
		_ = s.Do(0, e)
	}
}

// patience is the time for which the end waits for a terminal that does not read.
const patience = 2 * time.Second

// tearDown restores the terminal for good. A terminal that no longer reads does not keep the program from ending.
func (st *stage) tearDown(tail []string) {
	if !atMost(patience, func() { st.painter.Stop(tail) }) {
		st.painter.Emergency()
	}
}

// atMost runs f and reports whether it returned within d. It goes on after that.
func atMost(d time.Duration, f func()) bool {
	done := make(chan struct{})
	crash.Go(func() {
		defer close(done)
		f()
	})
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}

// setUp creates painter, program and model. Nothing touches the terminal before.
func (st *stage) setUp() error {
	o := st.opts
	out, isTerm := o.Output.(term.File)
	isTerm = isTerm && term.IsTerminal(out.Fd())
	if isTerm && o.Width == 0 {
		w, h, err := term.GetSize(out.Fd())
		if err != nil {
			return fmt.Errorf("asking the terminal for its size: %w", err)
		}
		o.Width, o.Height = w, h
	}
	st.opts = o
	in := keyboard.Watch(o.Input, func() { crash.Go(func() { st.send(closedMsg{}) }) })
	var restore func()
	if f, ok := o.Input.(*os.File); ok {
		if state, err := term.GetState(f.Fd()); err == nil {
			restore = func() { _ = term.Restore(f.Fd(), state) }
		}
	}
	known := o.Appearance.Terminal(o.Getenv)
	st.painter = paint.New(paint.Options{Out: o.Output, Env: o.Env, Width: o.Width, Height: o.Height, Profile: o.Profile,
		AltScreen: !o.NoScreen && !o.Appearance.Inline, Inline: o.Appearance.Inline, Mouse: o.Mouse(), Quiet: o.Quiet,
		Restore: restore,
		Parting: known.Working(attention.Done, 0)})
	st.model = newModel(st.ctx, o, st.painter)
	st.model.pump = st.pump
	st.model.resized = func(w, h int) { st.send(sizeMsg{w, h}) }
	// The loop listens and writes nowhere: the painter owns the terminal. Its own ticker then has nothing to do, and runs
	// as slowly as it can. A panic is ours to handle, since its report would go nowhere.
	st.prog = tea.NewProgram(st.model, tea.WithContext(st.ctx), tea.WithInput(in), tea.WithOutput(io.Discard), tea.WithFPS(1),
		tea.WithEnvironment(o.Env), tea.WithColorProfile(colorprofile.TrueColor), tea.WithoutSignalHandler(),
		tea.WithoutCatchPanics())
	if o.Inspect != nil {
		o.Inspect(st.model)
	}
	st.wg.Go(crash.Guarded(func() { st.model.chat.KeepDrafts(st.ctx) }))
	st.wg.Go(crash.Guarded(st.signals))
	if o.Desk != nil {
		st.wg.Go(crash.Guarded(st.visits))
	}
	if isTerm {
		st.wg.Go(crash.Guarded(func() {
			paint.WatchSize(st.ctx, out.Fd(), func(w, h int) { st.send(sizeMsg{w, h}) })
		}))
	}
	return nil
}

// send delivers a message to the loop; after the end it does nothing.
func (st *stage) send(msg tea.Msg) { st.prog.Send(msg) }

// pump passes a message to the chat whenever an inbox has something, until the program ends.
func (st *stage) pump(b *core.Inbox, msg tea.Msg) {
	st.wg.Go(crash.Guarded(func() { b.Pump(st.ctx, func() { st.send(panel.Reply(panel.Bottom, msg)) }) }))
}

// loop runs the event loop and returns how it ended; broken is not nil if it panicked.
func (st *stage) loop() (broken *crash.Crash, err error) {
	defer func() {
		if v := recover(); v != nil {
			broken = recovered(v)
		}
	}()
	_, err = st.prog.Run()
	return nil, err
}

// signals ends the program on a signal that asks for it.
func (st *stage) signals() {
	sigs := st.opts.Signals
	if sigs == nil {
		ch := make(chan os.Signal, 1)
		signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		defer signal.Stop(ch)
		sigs = ch
	}
	select {
	case <-st.ctx.Done():
	case s := <-sigs:
		st.send(signalMsg{core.Result{Reason: core.LeftSignal, Signal: s}})
	}
}

// visits passes the files that are to be opened in the editor to the loop, which takes one after the other.
func (st *stage) visits() {
	for {
		v, ok := st.opts.Desk.Next(st.ctx)
		if !ok {
			return
		}
		st.send(visitMsg{v})
	}
}

// farewell returns what stays on the normal screen: the end of the conversation and how to resume it.
func (st *stage) farewell(r core.Result) []string {
	m := st.model
	if !r.Begun || r.Reason == core.LeftCrashed {
		return nil
	}
	rows := m.look.PlainRows(m.chat.Farewell(m.height))
	if st.opts.Demo {
		return rows // what the demo stored goes away with it
	}
	return append(rows, "", "Resume with: parley -r "+string(r.Session))
}
