package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/picker"
	"parley/ui/style"
)

// RuntimeOffer is a runtime that can be installed.
type RuntimeOffer struct {
	// Name is what InstallRuntime is called with, such as "claude"; Title is what the user calls it, such as "the Claude
	// Code runtime".
	Name, Title string
	// Bytes is how much has to be fetched; 0 if that is not known.
	Bytes int64
}

// install is a runtime being installed.
type install struct {
	offer  RuntimeOffer
	cancel context.CancelFunc // nil while nothing is being installed
	began  time.Time
	done   bool // it is installed
	got    *fetched
}

// InstallProgress is how far an installation is.
type InstallProgress struct {
	// Stage is what is being done, in a few words such as "downloading"; empty for just installing.
	Stage string
	// Done and Total are bytes of the stage; Total is 0 while it is not known.
	Done, Total int64
	// PerSecond is the present rate in bytes, Left how long the rest of the stage will take; 0 while they are not known.
	PerSecond int64
	Left      time.Duration
}

// fetched is how far an installation is. It is written by who installs and read by the event loop.
type fetched struct {
	mu  sync.Mutex
	now InstallProgress
}

func (f *fetched) set(p InstallProgress) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = p
}

func (f *fetched) get() InstallProgress {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

type (
	// installedMsg says how an installation ended.
	installedMsg struct{ err error }
	// fetchingMsg says that it is time to show how far an installation is.
	fetchingMsg struct{}
)

// fetchEvery is how often it is shown how far an installation is.
const fetchEvery = 250 * time.Millisecond

// offerInstall is what is said at the start of a new session about a runtime that is not there.
func (o *Options) offerInstall() string {
	if o.Offer == nil || o.InstallRuntime == nil || o.Session == nil || o.Opening != nil || !o.Session.Draft() { // a session keeps its agent
		return ""
	}
	return "/install gets " + style.Visible(style.OneLine(o.Offer.Title)) + inBrackets(o.Offer.Bytes)
}

// startTip is what a new user may want to know, "" if that is nothing.
func (o *Options) startTip() string {
	switch tip := o.offerInstall(); {
	case tip != "":
		return tip
	case o.Demo && o.Width < 80:
		return "Simulated model: say anything."
	case o.Demo:
		return "The model is simulated, all else is real. Say anything: the tour begins."
	}
	return ""
}

func inBrackets(n int64) string {
	if n <= 0 {
		return ""
	}
	return " (" + chat.Megabytes(n) + ")"
}

// installCommand asks whether the runtime is to be installed, or stops that.
func (m *Model) installCommand(arg string) tea.Cmd {
	o := m.opts.Offer
	switch {
	case arg == "stop" && m.install.cancel != nil:
		m.install.cancel()
		return nil
	case arg == "stop":
		m.say("nothing is being installed", false)
		return nil
	case m.install.cancel != nil:
		m.say("it is being installed: /install stop stops that", false)
		return nil
	case o == nil || m.opts.InstallRuntime == nil || m.install.done:
		m.say("there is nothing to install", false)
		return nil
	}
	p := m.openPicker(pickInstall, picker.Options{Title: "Install " + style.Visible(style.OneLine(o.Title)) + "?", Keys: "enter chooses · esc goes back"})
	p.SetRows([]picker.Row{{ID: "yes", Cells: []string{"install it now" + inBrackets(o.Bytes)}}, {ID: "no", Cells: []string{"not now"}}})
	return nil
}

// startInstall installs a runtime in the background and shows how far it is.
func (m *Model) startInstall(o RuntimeOffer) tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	got := &fetched{now: InstallProgress{Total: o.Bytes}}
	m.install = install{offer: o, cancel: cancel, began: m.now(), got: got}
	do := m.opts.InstallRuntime
	return tea.Batch(m.after(fetchEvery, fetchingMsg{}), m.command(func() tea.Msg {
		defer cancel()
		return installedMsg{do(ctx, o.Name, got.set)}
	}))
}

// fetching shows how far an installation is, as long as one runs.
func (m *Model) fetching() tea.Cmd {
	if m.install.cancel == nil {
		return nil
	}
	m.touch()
	return m.after(fetchEvery, fetchingMsg{})
}

// installed takes in how an installation ended.
func (m *Model) installed(err error) tea.Cmd {
	o := m.install.offer
	m.install = install{done: err == nil}
	title := style.Visible(style.OneLine(o.Title))
	switch {
	case err == nil:
		m.sayFor(warnStays, "/agent "+style.Visible(o.Name)+" begins a session: "+title+" is installed", false)
	case errors.Is(err, context.Canceled):
		m.say("the installation was stopped; /install begins it again", false)
	default:
		p := session.ProblemOf(err, m.now())
		m.say(style.Visible(style.OneLine("not installed: "+p.What+" "+p.Next)), true)
	}
	return m.listAgents()
}

// installing says how far an installation is in so many columns: what is being done, how much of how much is there, how
// fast it comes, how long the rest will take, and always how to stop it. Empty while nothing is being installed.
func (m *Model) installing(w int) string {
	in := &m.install
	if in.cancel == nil {
		return ""
	}
	p := in.got.get()
	what := "installing " + style.Visible(style.OneLine(in.offer.Title))
	stage, much, rate, left := "", "", "", ""
	if p.Stage != "" {
		stage = " · " + style.Visible(style.OneLine(p.Stage))
	}
	switch {
	case p.Total > 0:
		much = " · " + strings.TrimSuffix(chat.Megabytes(p.Done), " MB") + " of " + chat.Megabytes(p.Total)
	case p.Done > 0:
		much = " · " + chat.Megabytes(p.Done)
	}
	if p.PerSecond > 0 {
		rate = " · " + chat.Megabytes(p.PerSecond) + "/s"
	}
	if p.Left > 0 {
		left = " · " + style.Seconds(p.Left+time.Second-1) + " left"
	}
	const stop = " · esc stops"
	ms := m.look.Measure
	for _, s := range []string{what + stage + much + rate + left + stop, what + stage + much + left + stop, what + much + left + stop,
		"installing" + much + left + stop, "installing" + much + stop, strings.TrimPrefix(much+stop, " · ")} {
		if ms.Width(s) <= w {
			return s
		}
	}
	return ms.Clip("installing"+stop, w)
}

func (m *Model) canInstall() bool {
	return m.opts.Offer != nil && m.opts.InstallRuntime != nil && !m.install.done
}

// fetchedShare is how much of what is being installed is there, such as "42%"; "" while nothing is, or nobody knows.
func (m *Model) fetchedShare() string {
	done, total := m.fetchedSoFar()
	if total <= 0 {
		return ""
	}
	return fmt.Sprintf("%d%%", min(done, total)*100/total)
}
