package record

import (
	"strings"
	"time"

	"parley/session"
)

// Recorder collects events. It knows the session and the turn that they belong to.
type Recorder struct {
	Head  session.Head   // session and generation of every event
	Turn  session.TurnID // the running turn, empty between turns
	Turns int            // turns begun so far

	childTurns map[session.ChildID]session.TurnID
	events     []session.Event
	unknown    map[string]int
}

// New returns a recorder without events.
func New(id session.ID, gen session.Generation) *Recorder {
	return &Recorder{Head: session.Head{Session: id, Gen: gen}, childTurns: map[session.ChildID]session.TurnID{}, unknown: map[string]int{}}
}

// At returns the head of a top-level event.
func (r *Recorder) At(at time.Time) session.Head {
	h := r.Head
	h.Turn, h.At = r.Turn, at
	return h
}

// In returns the head of an event of a child, of a top-level event for an empty child. A child belongs to the turn that started it,
// even after the end of that turn.
func (r *Recorder) In(child session.ChildID, at time.Time) session.Head {
	h := r.At(at)
	h.Child = child
	if turn := r.childTurns[child]; turn != "" {
		h.Turn = turn
	}
	return h
}

// Emit adds an event.
func (r *Recorder) Emit(e session.Event) { r.events = append(r.events, e) }

// Take returns the events since the last call.
func (r *Recorder) Take() []session.Event {
	events := r.events
	r.events = nil
	return events
}

// Count counts something that makes no event.
func (r *Recorder) Count(kind string) { r.unknown[kind]++ }

// Unknown returns what made no event, by type, for the log.
func (r *Recorder) Unknown() map[string]int { return r.unknown }

// Begin begins a turn as e says.
func (r *Recorder) Begin(e session.TurnStarted, turn session.TurnID, at time.Time) {
	r.Turn = turn
	r.Turns++
	e.Head = r.At(at)
	r.Emit(e)
}

// Exit reports the end of the process. cut is the turn whose problem names the same end, empty for none.
func (r *Recorder) Exit(cut session.TurnID, detail string, at time.Time) {
	e := session.RuntimeChanged{Head: r.At(at), State: session.RuntimeExited, Detail: detail}
	e.Turn = cut
	r.Emit(e)
}

// Died returns why a turn failed in the middle of which its runtime, such as "Claude Code", ended. The first line of detail says how.
func Died(runtime, detail string) *session.Problem {
	how, _, _ := strings.Cut(strings.TrimSpace(detail), "\n")
	how = strings.TrimSuffix(strings.TrimSpace(how), ".")
	return &session.Problem{Kind: session.KindRuntime,
		What: strings.TrimSuffix("The "+runtime+" runtime ended in the middle of the turn: "+how, ": ") + ".",
		Next: "Send the prompt again; the runtime is started again with it.", Retry: true}
}

// Cause is the reason why a runtime may begin the next turn by itself: news from the background. The zero value is none.
type Cause struct {
	News string
	Call session.CallID // whose end is the first of the news, empty if unknown
}

// Add adds news. News without words are none, and the same news count once.
func (c *Cause) Add(call session.CallID, news string) {
	news = strings.TrimSpace(news)
	switch {
	case news == "" || news == c.News:
	case c.News == "":
		c.News, c.Call = news, call
	default:
		c.News += "; " + news
	}
}

// Turn returns the beginning of a turn with that cause.
func (c *Cause) Turn() session.TurnStarted {
	return session.TurnStarted{Origin: session.OriginAutonomous, Because: c.News, Call: c.Call}
}
