package printed

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/core"
	"parley/ui/style"
)

// Announcer prints the events of a session in lines, for a screen reader or a terminal that can only print. Each text
// begins with its speaker; nothing is drawn, and nothing printed is changed.
type Announcer struct {
	// Transcript is folded from the events. Out prints a line. Dir is the directory that paths are shown within.
	Transcript *session.Transcript
	Out        func(line string)
	Dir        string
	// Echoes reports that the terminal shows what the user types.
	Echoes bool

	spoken map[session.PartID]*spoken
	waited map[session.PromptID]bool // queued prompts: they are printed when they are sent
	// held are the calls that were not printed yet. Most end at once and need one line.
	held  []session.CallID
	waits toolview.Waits
	// Known are the settings that the user knows, which are not printed again when they take effect.
	Known session.Settings
}

// spoken is the part of a text that was printed.
type spoken struct {
	said  int // bytes
	epoch uint64
	begun bool
	// tables aligns those of the text.
	tables tables
}

// New returns what prints a session from its first event on.
func New(id session.ID, dir string, out func(line string)) *Announcer {
	return &Announcer{Transcript: &session.Transcript{Session: id}, Out: out, Dir: dir, spoken: map[session.PartID]*spoken{},
		waited: map[session.PromptID]bool{}}
}

// Print prints a text: the first line behind the name of its speaker, the others unchanged.
func (a *Announcer) Print(who, text string) {
	for i, line := range strings.Split(strings.TrimRight(style.Visible(text), "\n"), "\n") {
		if i == 0 {
			line = who + ": " + line
		}
		a.Out(line)
	}
}

// Apply folds an event into the transcript and prints what the user should know of it.
func (a *Announcer) Apply(e session.Event) {
	c := a.Transcript.Apply(e)
	if c.Dropped {
		return
	}
	if _, is := e.(session.ToolEnded); is && c.Marked {
		if w, ok := core.EndedWork(a.Transcript, e); ok {
			a.Print("background", core.EndText(w, e.Header().At, a.Dir))
		}
		return
	}
	if inChild(e) {
		return // a child agent is summed up when it ends
	}
	switch e := e.(type) {
	case session.TurnStarted:
		if e.Prompt.Text != "" && (!a.Echoes || a.waited[e.Prompt.ID]) {
			a.Print("you", e.Prompt.Text)
		}
		if why := core.BecauseText(e.Because, false); why != "" && e.Prompt.Text == "" {
			a.Print("note", why)
		}
		delete(a.waited, e.Prompt.ID)
	case session.Queued:
		if a.Running() != nil { // else it is sent at once
			a.waited[e.Prompt.ID] = true
			a.Print("queued", style.OneLine(e.Prompt.Text))
		}
	case session.PartDelta:
		a.part(e.Part, false)
	case session.PartEnded:
		a.part(e.Part, true)
	case session.PartReplaced:
		a.part(e.Part, true)
	case session.PartRetracted:
		if s := a.spoken[e.Part]; s != nil && s.begun {
			a.Print("note", "the agent discarded its last words and tries again")
		}
	case session.TurnEnded:
		a.turnEnded(e)
	default:
		a.applyMore(e)
	}
}

func (a *Announcer) applyMore(e session.Event) {
	switch e := e.(type) {
	case session.ToolReady:
		a.held = append(a.held, e.Call)
	case session.ToolEnded:
		a.held = slices.DeleteFunc(a.held, func(id session.CallID) bool { return id == e.Call })
		if t := a.Transcript.Call(e.Call); t != nil {
			a.toolEnded(t)
		}
	case session.FilesChanged:
		if n := len(e.Edits) + e.More; n > 0 {
			a.Print("note", "the command changed "+human.Count(n, "file", "files")+", "+toolview.Changes(e.Edits))
		}
	case session.ChildStarted:
		a.Print("agent", strings.TrimSpace("started "+e.Name+" "+style.OneLine(e.Description)))
	case session.ChildEnded:
		a.childEnded(e)
	case session.RetryScheduled:
		a.Print("note", "retrying in "+human.Seconds(e.Delay+time.Second-1)+": "+style.OneLine(e.Why))
	case session.TodosChanged:
		a.Todos(e.Todos)
	default:
		if a.knows(e) {
			return
		}
		if text, loud := core.NoticeText(e, ""); text != "" && len(a.Transcript.Turns) > 0 {
			who := "note"
			if loud {
				who = "warning"
			}
			a.Print(who, text)
		}
	}
}

// knows records the settings of an event and reports whether the user knew them.
func (a *Announcer) knows(e session.Event) bool {
	was := a.Known
	now, choice := was.After(e)
	if !choice {
		return false
	}
	a.Known = now
	return was.Model == now.Model && was.Effort == now.Effort && was.Custom == now.Custom && core.ModeName(was.Mode) == core.ModeName(now.Mode)
}

// slow is the time for which a call runs before it is printed.
const slow = time.Second

// behind returns the calls that wait behind one that asks, of the same agent.
func (a *Announcer) behind() map[*session.Tool]bool {
	all := map[*session.Tool]bool{}
	if turn := a.Running(); turn != nil && len(a.Transcript.Asks) > 0 {
		a.waits.Each(turn, func(_ int, call *session.Tool, is toolview.Wait) { all[call] = is.Behind })
	}
	return all
}

// Begun prints the calls that did not end at once.
func (a *Announcer) Begun(now time.Time) {
	if len(a.held) == 0 {
		return
	}
	behind := a.behind()
	a.held = slices.DeleteFunc(a.held, func(id session.CallID) bool {
		t := a.Transcript.Call(id)
		if t == nil || t.Ended {
			return true
		}
		if a.asked(id) || behind[t] || !t.Ready || !t.Started.IsZero() && now.Sub(t.Started) < slow {
			return false
		}
		d := toolview.Describe(t.Name, t.Input, a.Dir)
		a.Print("tool", strings.TrimSpace(d.Present+" "+style.OneLine(d.Subject)))
		return true
	})
}

// inChild reports whether an event belongs to a child agent, except for its start, its end and its asks.
func inChild(e session.Event) bool {
	switch e.(type) {
	case session.ChildStarted, session.ChildEnded, session.Asked, session.Settled:
		return false
	}
	return e.Header().Child != ""
}

// part prints the complete lines of a part, and if all is set the rest too.
func (a *Announcer) part(id session.PartID, all bool) {
	p := a.findPart(id)
	if p == nil || p.Kind == session.PartReasoning {
		if p != nil && all && p.Duration > 0 {
			a.Print("assistant", "thought for "+human.Seconds(max(p.Duration, time.Second)))
		}
		return
	}
	s := a.spoken[id]
	if s == nil {
		s = &spoken{epoch: p.Epoch}
		a.spoken[id] = s
	}
	text := p.Text()
	if s.epoch != p.Epoch {
		s.epoch = p.Epoch
		if s.begun {
			a.Print("note", "the agent corrected its answer")
		}
		s.said, s.begun, s.tables = 0, false, tables{}
	}
	end := strings.LastIndexByte(text, '\n') + 1
	if all {
		end = len(text)
	}
	if !all && end > s.said {
		lines := strings.SplitAfter(text[s.said:end], "\n")
		lines = lines[:len(lines)-1]
		for _, line := range lines[len(lines)-s.tables.open(lines):] {
			end -= len(line) // its columns are not known yet
		}
	}
	if end <= s.said {
		return
	}
	rest := style.Visible(text[s.said:end])
	if all {
		rest = strings.TrimRight(rest, "\n")
	}
	lines := strings.Split(strings.TrimSuffix(rest, "\n"), "\n")
	s.said = end
	for _, line := range s.tables.align(lines) {
		if !s.begun && strings.TrimSpace(line) == "" {
			continue
		}
		if !s.begun {
			line, s.begun = "assistant: "+line, true
		}
		a.Out(line)
	}
	if all {
		delete(a.spoken, id)
	}
}

// toolEnded prints the outcome of a call.
func (a *Announcer) toolEnded(t *session.Tool) {
	d := toolview.Describe(t.Name, t.Input, a.Dir)
	if t.Result.Background {
		a.Print("tool", strings.TrimSpace(d.Present+" "+style.OneLine(d.Subject))+" in the background")
		return
	}
	said := strings.TrimSpace(d.Ended(t.Outcome) + " " + style.OneLine(d.Subject))
	var notes []string
	switch t.Outcome {
	case session.ToolDenied:
		notes = append(notes, "denied")
		switch t.Result.Summary {
		case session.BlockedByHook:
			notes[len(notes)-1] = session.BlockedByHook + ": " + style.OneLine(t.Result.Text)
		case session.RefusedWithWords:
			notes = append(notes, "you said: "+style.OneLine(t.Result.Text))
		}
	case session.ToolCancelled:
		notes = append(notes, "stopped")
	case session.ToolFailed:
		why := failure(t)
		switch {
		case !d.AllOrNothing(): // the verb does not imply that it failed
			notes = append(notes, strings.TrimSuffix("failed: "+why, ": "))
		case why != "":
			notes = append(notes, why)
		}
	}
	if c := t.Result.ExitCode; c != nil && *c != 0 {
		notes = append(notes, fmt.Sprintf("exit %d", *c))
	}
	switch n := style.Lines(t.Result.Text); {
	case t.Result.Summary == session.BlockedByHook, t.Result.Summary == session.RefusedWithWords:
	case t.Result.Summary != "":
		notes = append(notes, style.OneLine(t.Result.Summary))
	case len(t.Edits) > 0:
		notes = append(notes, toolview.Changes(t.Edits))
	case n > 0 && t.Outcome != session.ToolDenied:
		notes = append(notes, human.Count(n, "line", "lines"))
	}
	if t.Duration >= style.Noticeable {
		notes = append(notes, "took "+human.Seconds(t.Duration))
	}
	if notes != nil {
		said += ", " + strings.Join(notes, ", ")
	}
	a.Print("tool", said)
}

// maxFailure is the most bytes of the first line of an error that are printed; /output prints all of it.
const maxFailure = 200

// failure returns the first line of a failed call's output, "" for a command, whose first line may be anything.
func failure(t *session.Tool) string {
	if t.Result.ExitCode != nil || t.Result.Summary != "" {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(style.PlainOutput(t.Result.Text)), "\n")
	if len(first) > maxFailure {
		first = strings.ToValidUTF8(first[:maxFailure], "") + "…"
	}
	return first
}

func (a *Announcer) childEnded(e session.ChildEnded) {
	c := a.Transcript.FindChild(e.ID)
	if c == nil {
		return
	}
	how := "is done"
	if e.Outcome != session.TurnCompleted {
		how = "ended: " + string(e.Outcome)
	}
	a.Print("agent", strings.TrimSpace(c.Name+" "+how+" "+style.OneLine(e.Summary)))
}

// turnEnded prints the outcome of a turn.
func (a *Announcer) turnEnded(e session.TurnEnded) {
	switch {
	case e.Outcome == session.TurnCancelled:
		a.Print("note", "stopped")
	case e.Problem != nil:
		a.Print("error", strings.TrimSpace(style.OneLine(e.Problem.What)+" "+strings.Replace(style.OneLine(e.Problem.Next), "or choose another model.", "or choose another with /model.", 1)))
		if e.Problem.Retry && e.Problem.RetryAt.Sub(e.At) >= time.Minute {
			a.Print("note", "/later sends the prompt again when the limit ends")
		}
	case e.Outcome == session.TurnCompleted && e.Duration >= style.Noticeable:
		a.Print("note", "done after "+human.Seconds(e.Duration))
	case e.Outcome == session.TurnCompleted:
		a.Print("note", "done")
	default:
		a.Print("note", "the turn ended: "+string(e.Outcome))
	}
}

// Todos prints the progress of the agent's task list.
func (a *Announcer) Todos(list []session.Todo) {
	done, now := 0, ""
	for _, t := range list {
		switch t.State {
		case session.TodoDone:
			done++
		case session.TodoActive:
			now = t.Active
			if now == "" {
				now = t.Text
			}
		}
	}
	s := human.Number(done) + " of " + human.Count(len(list), "task", "tasks") + " done"
	if now != "" {
		s += ", now: " + style.OneLine(now)
	}
	a.Print("tasks", s)
}

// Still prints what a turn is doing.
func (a *Announcer) Still(t *session.Turn, now time.Time) {
	s := core.Activity(t, len(a.Transcript.Asks), now)
	for i := len(t.Entries) - 1; i >= 0; i-- {
		if tool, ok := t.Entries[i].(*session.Tool); ok && tool.Ready && !tool.Ended {
			d := toolview.Describe(tool.Name, tool.Input, a.Dir)
			s = strings.TrimSpace(d.Present + " " + style.OneLine(d.Subject))
			if !tool.Started.IsZero() {
				s += " for " + human.Seconds(now.Sub(tool.Started))
			}
			break
		}
	}
	a.Print("note", "still "+s+". Stop it with /stop or ctrl+c")
}
