package attention

import (
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

const (
	// longTurn is the time that a turn must have run for its end to be reported, if nothing else is configured.
	longTurn = 10 * time.Second
	// awayAfter is the time without a key after which the user counts as away, where the terminal does not report its focus.
	awayAfter = 30 * time.Second
	// progressEvery is the interval at which progress is written again: some terminals drop it after fifteen seconds without news.
	progressEvery = 10 * time.Second
	// maxSubject is the most columns of a prompt that name the session.
	maxSubject = 60
)

// Scene describes the session that is shown. Its texts are visible.
type Scene struct {
	Running *session.Turn // nil for none
	Asks    int           // open questions
	Queued  int           // prompts that wait
	// Ask is the question that is shown, "" for none, and Question its title.
	Ask      session.AskID
	Question string
	// Installing reports that a runtime is installed, Share how much of it is there, such as "42%", and Percent the same as a
	// number; "" while that is not known.
	Installing bool
	Share      string
	Percent    int
	// News grows with each news of a session that is not shown, Elsewhere is the last.
	News      int
	Elsewhere string
	// Subject returns what the session is about.
	Subject func() string
}

// Watch decides what is reported to a terminal about a session: progress, the title, and news for a user who looks elsewhere. It
// belongs to one goroutine.
type Watch struct {
	Terminal
	// Least is the time that a turn must have run for its end to be reported; 0 means ten seconds, less means every turn.
	Least time.Duration
	Now   func() time.Time

	blurred, reports bool // the window has not the focus; the terminal reports it
	lastKey          time.Time

	turn    *session.Turn // that ran at the last look
	ask     session.AskID // that was reported
	news    int           // that was reported
	state   State         // of progress
	percent int
	written time.Time
}

// Focus records whether the window has the focus.
func (w *Watch) Focus(on bool) { w.blurred, w.reports = !on, true }

// Focused reports whether the window has the focus, which it has until the terminal reports otherwise.
func (w *Watch) Focused() bool { return !w.blurred }

// Key records that the user pressed a key now.
func (w *Watch) Key() { w.lastKey = w.Now() }

// LastKey returns when the user pressed a key last.
func (w *Watch) LastKey() time.Time { return w.lastKey }

// away reports whether the user looks elsewhere.
func (w *Watch) away() bool {
	if w.reports {
		return w.blurred
	}
	return w.Now().Sub(w.lastKey) >= awayAfter
}

// Invalidate forces progress to be written again after another program used the terminal.
func (w *Watch) Invalidate() { w.state, w.written = Done, time.Time{} }

// Progress returns the sequence that shows progress in the task bar, "" if it has not changed and is not forgotten yet.
func (w *Watch) Progress(s Scene) string {
	if !w.Terminal.Progress {
		return ""
	}
	state, percent := Done, 0
	switch {
	case s.Running != nil && s.Asks > 0:
		state, percent = Paused, 100
	case s.Running != nil:
		state = Busy
	case s.Share != "":
		state, percent = Running, s.Percent
	case s.Installing:
		state = Busy
	}
	now := w.Now()
	if state == w.state && percent == w.percent && (state == Done || now.Sub(w.written) < progressEvery) {
		return ""
	}
	w.state, w.percent, w.written = state, percent, now
	return w.Working(state, percent)
}

// News returns what a user who looks elsewhere is notified of, an empty title for nothing: a new question, or the end of a
// long turn. It is to be called after every change.
func (w *Watch) News(s Scene) (title, text string) {
	ended := w.turn
	w.turn = s.Running
	if s.Ask != "" && s.Ask != w.ask {
		w.ask = s.Ask
		if w.away() {
			return "parley asks", s.Question
		}
	}
	if s.News != w.news {
		if w.news = s.News; w.away() {
			return "parley", s.Elsewhere
		}
	}
	if ended == nil || ended.Running() || s.Running != nil || s.Queued > 0 || ended.Outcome == session.TurnCancelled || !w.long(ended) || !w.away() {
		return "", ""
	}
	if ended.Problem != nil {
		return "parley: " + style.Visible(style.OneLine(ended.Problem.What)), s.Subject()
	}
	return "parley is done after " + human.Seconds(ended.Duration), s.Subject()
}

// long reports whether a turn ran long enough for its end to be reported.
func (w *Watch) long(t *session.Turn) bool {
	took, least := t.Duration, w.Least
	if took == 0 && !t.Started.IsZero() {
		took = w.Now().Sub(t.Started)
	}
	if least == 0 {
		least = longTurn
	}
	return took >= least
}

// WindowTitle returns the title of the window, "" if it is left alone. What the session does stands first, where a narrow
// tab shows it.
func (w *Watch) WindowTitle(s Scene) string {
	doing := ""
	switch {
	case !w.Titles:
		return ""
	case s.Running == nil && s.Share != "":
		doing = s.Share + " "
	case s.Running == nil:
	case s.Asks > 0:
		doing = "? "
	default:
		doing = "… "
	}
	return doing + "parley: " + s.Subject()
}

// Subject returns what a session is about: its title, else its first prompt, else its directory as the user knows it.
func Subject(ms style.Measure, title, first, dir string) string {
	if title != "" {
		return style.Visible(style.OneLine(title))
	}
	if first = style.OneLine(first); first != "" {
		return ms.Clip(style.Visible(first), maxSubject)
	}
	return style.Visible(dir)
}
