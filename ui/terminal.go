package ui

import (
	"context"
	"image/color"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"parley/ui/attention"
	"parley/ui/chat"

	"parley/ui/paint"
	"parley/ui/style"
)

// terminal exchanges with the terminal what is not part of a frame: background, modes, progress, notifications.
type terminal struct {
	opts    *Options
	ctx     context.Context
	painter *paint.Painter
	look    *style.Look
	watch   *attention.Watch
	chat    *chat.Model

	fixedTheme bool        // whatever the background is
	answers    bool        // the terminal reports its background when asked
	light      bool        // what it is, as far as it is known
	background color.Color // nil until it was reported
}

// notifiedMsg reports whether the system showed a notification.
type notifiedMsg struct{ err error }

// notify reports to the terminal what changed since the last message, and notifies a user who looks elsewhere.
func (tm *terminal) notify() tea.Cmd {
	if tm.chat.Session() == nil {
		return nil
	}
	s := tm.chat.Scene()
	tm.painter.Send(tm.watch.Progress(s))
	title, text := tm.watch.News(s)
	a := &tm.opts.Appearance
	switch {
	case title == "" || a.Notify == "off":
		return nil
	case a.Notify == "desktop" && a.Desktop != nil:
		show, ctx := a.Desktop, tm.ctx
		return func() tea.Msg { return notifiedMsg{show(ctx, title, text)} }
	}
	tm.painter.Send(tm.watch.Notice(title, text))
	return nil
}

// notified rings the bell where the system's notifications do not work.
func (tm *terminal) notified(err error) {
	if err != nil {
		tm.painter.Send(attention.BellSequence)
	}
}

// title returns the title of the window, "" if it is left alone.
func (tm *terminal) title() string {
	switch {
	case !tm.watch.Titles:
		return ""
	case tm.chat.Session() == nil:
		return "parley"
	}
	return tm.look.Plainly(tm.watch.WindowTitle(tm.chat.Scene()))
}

// report handles a report of the terminal, and returns whether everything has to be laid out again.
func (tm *terminal) report(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		tm.answers, tm.background, tm.light = true, msg.Color, !msg.IsDark()
		return tm.setBackground(msg.Color)
	case uv.DarkColorSchemeEvent:
		tm.light = false
		tm.askBackground() // which dark it is
		return tm.setDark(true)
	case uv.LightColorSchemeEvent:
		tm.light = true
		tm.askBackground()
		return tm.setDark(false)
	case tea.ModeReportMsg:
		return tm.modeReport(msg)
	}
	return false
}

// setDark changes the theme to fit a dark or light background, and reports whether it did.
func (tm *terminal) setDark(dark bool) bool {
	old := tm.look.Theme
	if old.Dark == dark || tm.fixedTheme {
		return false
	}
	tm.look.Theme = old.Turned(dark)
	return true
}

// setBackground mixes the theme's colors from the terminal's background, and reports whether they changed. A theme that was
// chosen for another kind of background stays as it is.
func (tm *terminal) setBackground(c color.Color) bool {
	next := tm.look.Theme.On(c)
	if next.Same(&tm.look.Theme) || tm.fixedTheme && next.Dark != tm.look.Theme.Dark {
		return false
	}
	tm.look.Theme = next
	return true
}

// modeReport measures text as the terminal does, and reports whether that changed.
func (tm *terminal) modeReport(msg tea.ModeReportMsg) bool {
	if msg.Mode == nil {
		return false
	}
	method := ansi.WcWidth
	if tm.painter.ModeReport(msg.Mode.Mode(), int(msg.Value)) {
		method = ansi.GraphemeWidth
	}
	changed := method != tm.look.Measure.Method
	tm.look.Measure.Method = method
	return changed
}

// focus records whether the window has the focus; without it less is drawn.
func (tm *terminal) focus(on bool) {
	tm.watch.Focus(on)
	tm.painter.SetFocused(on)
	if on {
		tm.askBackground()
	}
}

// askBackground requests the background color again: not every terminal reports a change.
func (tm *terminal) askBackground() {
	if tm.answers && !tm.fixedTheme && !tm.opts.Quiet {
		tm.painter.Send(ansi.RequestBackgroundColor)
	}
}
