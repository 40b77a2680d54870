package tool

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/md"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
)

// Call is the row of a tool call: in the present tense while it runs and the past when it is done, with its input and output folded
// below. Its fields are set by who follows the session.
type Call struct {
	Tool *session.Tool
	// Ask is the permission asked for this call, nil if none was.
	Ask *session.Ask
	// Wait is how the call stands to earlier ones that the user was asked about.
	Wait toolview.Wait
	// Sends is the key that sends a command that runs to the background, "" for none.
	Sends string

	hidden int        // lines of output that the last layout left out
	whole  bool       // it showed all of the output
	read   *described // nil until the call was visible, as few of many are
}

// Fold is the amount of a call that is drawn.
type Fold struct {
	// Open reports that all of it is shown, Marked that the fold key acts on it, Grouped that it stands below the row of a group.
	Open, Marked, Grouped bool
}

// described is the description of a call at one revision.
type described struct {
	rev uint64
	toolview.Display
}

const (
	tailBytes    = 4096 // of live output read for its tail
	liveTail     = 5    // rows of output shown while the call runs
	doneTail     = 3    // rows of the output of a command that has ended
	diffRowsMax  = 16   // rows of a change shown while it is folded
	unfoldedMax  = 2000 // rows of output shown at most
	commandWidth = 80   // commands longer than this are folded
)

// IndentWidth is the cells before the rows below the first one.
const IndentWidth = 4

// describe returns the words for the call, cached by its revision.
func (c *Call) describe(dir string) toolview.Display {
	if rev := c.Tool.Rev(); c.read == nil || c.read.rev != rev {
		c.read = &described{rev, toolview.Describe(c.Tool.Name, c.Input(), dir)}
	}
	return c.read.Display
}

// Input returns the input of the call, or what the model has written of c.
func (c *Call) Input() json.RawMessage {
	if c.Tool.Ready {
		return c.Tool.Input
	}
	return json.RawMessage(c.Tool.Partial())
}

// display returns the last description.
func (c *Call) display() toolview.Display {
	if c.read == nil {
		return toolview.Display{}
	}
	return c.read.Display
}

// Foldable reports whether the call hides something, or shows what it could hide.
func (c *Call) Foldable() bool {
	t := c.Tool
	if len(t.Edits) > 0 && t.Outcome == session.ToolOK {
		n := 0
		for _, e := range t.Edits {
			n += style.Lines(e.Patch)
		}
		return n > diffRowsMax
	}
	if c.whole && c.found() == nil && t.Result.Ran == "" && !t.Result.Truncated && c.given(c.display()) == "" {
		return false
	}
	return c.found() != nil || t.Result.Text != "" || len(t.Edits) > 0 || t.Output() != "" || t.Ready && c.given(c.display()) != ""
}

// Counting reports whether the call runs, so that its row counts seconds.
func (c *Call) Counting() bool { return !c.Tool.Ended && !c.announced() && !c.Waiting() }

// Since returns when the call began to run, zero if unknown.
func (c *Call) Since() time.Time {
	if c.Wait.Free.After(c.Tool.Started) {
		return c.Wait.Free
	}
	return c.Tool.Started
}

// announced reports whether the call has not begun: the model still writes it, or it waits for its turn.
func (c *Call) announced() bool { return !c.Tool.Ended && (!c.Tool.Ready || c.Wait.Behind) }

// Waiting reports whether the call waits for permission.
func (c *Call) Waiting() bool { return c.Ask != nil && !c.Ask.Settled && !c.Tool.Ended }

// never reports whether the call was stopped while it waited behind another one.
func (c *Call) never() bool {
	return c.Wait.Withdrawn && c.Ask == nil && c.Tool.Outcome == session.ToolCancelled && c.Tool.Output() == ""
}

// unanswered reports whether the call never ran, because it or an earlier one was not allowed.
func (c *Call) unanswered() bool {
	return c.never() || c.Ask != nil && c.Ask.Permission != nil && (!c.Ask.Settled || c.Ask.Settlement.Answer.Decision != session.Allow)
}

// Rows lays the call out.
func (c *Call) Rows(l *style.Look, f Fold) []string {
	d := c.describe(l.Dir)
	tail := c.ending(l, f)
	rows := []string{c.row(l, d, f)}
	switch {
	case c.Waiting():
		rows = append(rows, EditRows(l, c.shownEdits(f), math.MaxInt, false)...)
	case f.Open:
		rows = append(append(rows, c.body(l, d, f)...), c.foundRows(l)...)
	case !c.Tool.Ended:
		rows = append(rows, tail...)
	case c.prints():
		rows = append(rows, tail...)
	case len(c.Tool.Edits) > 0:
		rows = append(rows, c.edits(l, diffRowsMax, f)...)
	}
	return append(rows, c.SaidRows(l, f)...)
}

// SaidRows returns what the user said with an answer, or a hook with a denial.
func (c *Call) SaidRows(l *style.Look, f Fold) (rows []string) {
	said := c.message()
	if said != "" {
		said = "you said: " + style.Visible(said)
	} else if t := c.Tool; t.Outcome == session.ToolDenied && t.Result.Summary == session.BlockedByHook && t.Result.Text != "" && !f.Open {
		said = "the hook said: " + style.Visible(t.Result.Text)
	}
	if said == "" {
		return nil
	}
	for _, s := range l.Measure.Wrap(said, l.Inner()-2) {
		rows = append(rows, "    "+l.Theme.Dim.Of(s))
	}
	return rows
}

// row returns the first row, which is never folded.
func (c *Call) row(l *style.Look, d toolview.Display, f Fold) string {
	t := c.Tool
	verb, bullet := d.Past, l.Theme.Dim.Of("•")
	if f.Grouped {
		bullet = l.Theme.Dim.Of("·") // the group above has the other
	}
	switch {
	case c.Waiting(), c.announced():
		verb, bullet = d.Want, l.Theme.Accent.Of("•")
	case !t.Ended, t.Result.Background:
		verb, bullet = d.Present, l.Theme.Accent.Of("•")
	case t.Outcome == session.ToolDenied, t.Outcome == session.ToolCancelled && c.unanswered():
		verb = d.Ended(session.ToolDenied)
	case t.Outcome == session.ToolFailed:
		verb, bullet = d.Ended(t.Outcome), l.Theme.Bad.Of("✗")
	}
	right := l.Hint(c.summary(l, f), f.Marked && c.Foldable() && !c.Waiting())
	took := t.Duration
	if t.Ended && t.Result.Background {
		took = 0 // until it went there
	}
	if since := c.Since(); c.Counting() && !since.IsZero() {
		took = l.Now().Sub(since)
	}
	time := ""
	if took >= style.Noticeable && !c.Waiting() && !c.announced() && t.Outcome != session.ToolDenied && !c.never() {
		time = "  " + human.Seconds(took)
	}
	if l.Times && !t.Started.IsZero() {
		time = "  " + l.Clock(t.Started)
		if t.Ended {
			time += ", " + human.Spent(t.Duration)
		}
	}
	w := l.Span() - l.Measure.Width(right) - 2
	left := style.Visible(verb)
	if sub := style.Visible(style.OneLine(d.Subject)); sub != "" {
		left += " " + l.Theme.Bold.Of(sub)
	}
	if n := c.moreLines(d); n > 0 {
		time = " … +" + human.Count(n, "line", "lines") + time
	}
	left = l.Measure.Clip(left, max(8, w-l.Measure.Width(time))) + l.Theme.Dim.Of(time)
	return bullet + " " + l.Measure.Spread(left, l.Theme.Dim.Of(right), l.Span())
}

// prints reports whether the call is a command of which the end of the output is shown.
func (c *Call) prints() bool {
	t := c.Tool
	return t.Ended && (t.Outcome == session.ToolOK || t.Outcome == session.ToolFailed) && !t.Result.Background && len(t.Edits) == 0 &&
		t.Result.Text != "" && c.display().Kind == toolview.Command
}

// ending returns the last rows of the output of a call that runs, or of a command that has ended, and records what they leave out.
func (c *Call) ending(l *style.Look, f Fold) (rows []string) {
	c.hidden, c.whole = 0, false
	switch {
	case f.Open || c.Waiting():
	case !c.Tool.Ended:
		rows, c.hidden = c.tail(l, c.Tool.Output(), liveTail)
	case c.prints():
		rows, c.hidden = c.tail(l, c.result(), doneTail)
		c.whole = c.hidden == 0
	}
	return rows
}

// hiddenLines returns how many lines of output the last layout left out, "" for none.
func (c *Call) hiddenLines() string {
	if c.hidden == 0 {
		return ""
	}
	return human.Count(c.hidden, "more line", "more lines")
}

// sending returns the key that sends a command that runs to the background, "" where there is none or little room.
func (c *Call) sending(l *style.Look) string {
	if c.Sends == "" || l.Width < 60 || !c.Counting() || c.display().Kind != toolview.Command {
		return ""
	}
	return c.Sends + " background"
}

// moreLines returns how many lines of a command the row leaves out.
func (c *Call) moreLines(d toolview.Display) int {
	if d.Kind != toolview.Command || !c.Tool.Ready {
		return 0
	}
	return max(0, len(strings.Split(strings.TrimSpace(commandOf(c.Tool.Input)), "\n"))-1)
}

// summary returns the text at the right end of the row.
func (c *Call) summary(l *style.Look, f Fold) string {
	t := c.Tool
	if c.Waiting() {
		if p := c.Ask.Permission; p != nil && p.Edit != nil {
			return toolview.Changes(p.Edits())
		}
		return "asks"
	}
	switch {
	case !t.Ended && c.Wait.Behind:
		return "waiting"
	case !t.Ended && !f.Open:
		return strings.TrimPrefix(strings.TrimSuffix(c.hiddenLines()+" · "+c.sending(l), " · "), " · ")
	case !t.Ended:
		return c.sending(l)
	case t.Result.Background:
		return "in the background"
	}
	var parts []string
	switch t.Outcome {
	case session.ToolDenied:
		if t.Result.Summary == session.BlockedByHook {
			return session.BlockedByHook
		}
		return "denied"
	case session.ToolCancelled:
		return "stopped"
	case session.ToolFailed:
		if t.Result.ExitCode == nil || *t.Result.ExitCode == 0 {
			parts = append(parts, "failed")
		}
	}
	if code := t.Result.ExitCode; code != nil && *code != 0 {
		parts = append(parts, fmt.Sprintf("exit %d", *code))
	}
	switch n := style.Lines(t.Result.Text); {
	case t.Result.Summary != "" && !(c.prints() && !f.Open && t.Result.Summary == human.Count(n, "line", "lines")):
		parts = append(parts, style.Visible(style.OneLine(t.Result.Summary)))
	case len(t.Edits) > 0:
		parts = append(parts, toolview.Changes(t.Edits))
	case n > 0 && c.prints() && !f.Open:
		if more := c.hiddenLines(); more != "" {
			parts = append(parts, more)
		}
	case n > 0:
		parts = append(parts, human.Count(n, "line", "lines"))
	}
	if found := c.foundSummary(); found != "" {
		parts = append(parts, found)
	}
	return l.Measure.Clip(strings.Join(parts, ", "), l.Span()/2)
}

// message returns the user's message to the agent with an answer.
func (c *Call) message() string {
	switch r := c.Tool.Result; {
	case c.Ask != nil && c.Ask.Settled:
		return c.Ask.Settlement.Answer.Message
	case r.Summary == session.RefusedWithWords: // a transcript of another program has no answers
		return r.Text
	}
	return ""
}

// Text returns the subject, the input and the output of the call.
func (c *Call) Text(l *style.Look) (shown, folded string) {
	t, d := c.Tool, c.describe(l.Dir)
	var b strings.Builder
	switch d.Kind {
	case toolview.Read, toolview.Edit, toolview.Search, toolview.Fetch: // the row shows all of it
	case toolview.Command:
		if len(t.Input) > commandWidth {
			b.WriteString(c.given(d) + "\n")
		}
	default:
		b.Write(t.Input)
		b.WriteByte('\n')
	}
	for _, e := range t.Edits {
		b.WriteString(e.Path)
		b.WriteByte('\n')
		b.WriteString(e.Patch)
	}
	b.WriteString(style.PlainOutput(c.result()))
	c.foundText(&b)
	return d.Past + " " + style.OneLine(d.Subject) + " " + c.message(), b.String()
}

// Trace maps the rows of changes to their lines without numbers, and other rows to the input and output of the call.
func (c *Call) Trace(rows []string, l *style.Look, f Fold) scroll.Trace {
	trace := align.Rows(rows, IndentWidth, c.given(c.display()), style.PlainOutput(c.result()))
	var changes scroll.Trace
	edits := c.shownEdits(f)
	for _, e := range edits {
		if at := 1 + len(changes.Rows); len(edits) > 1 && at < len(trace.Rows) {
			changes.Rows = append(changes.Rows, trace.Rows[at]) // the name of the file
		}
		align.AddChange(&changes, md.TraceDiff(e.Patch, style.DiffOptions(l)), IndentWidth)
	}
	if limit := c.maxChanged(f); len(changes.Rows)-limit > 1 {
		align.Cut(&changes, limit)
	}
	copy(trace.Rows[min(1, len(trace.Rows)):], changes.Rows) // below the first row
	for _, left := range changes.Left {
		trace.Left = append(trace.Left, scroll.Column{First: 1 + left.First, Rows: left.Rows})
	}
	return align.LeftOfFirst(trace)
}

// maxChanged returns how many rows of changes are shown at most.
func (c *Call) maxChanged(f Fold) int {
	switch {
	case c.Waiting():
		return math.MaxInt
	case f.Open:
		return unfoldedMax
	}
	return diffRowsMax
}

// shownEdits returns the changes whose rows follow the first row of the call.
func (c *Call) shownEdits(f Fold) []session.FileEdit {
	if c.Waiting() {
		if p := c.Ask.Permission; p != nil {
			return p.Edits()
		}
		return nil
	}
	if f.Open && c.given(c.display()) != "" {
		return nil // they are further below
	}
	return c.Tool.Edits
}

// OpenAsk returns the unanswered ask about the call, nil if there is none.
func (c *Call) OpenAsk() *session.Ask {
	if c.Waiting() {
		return c.Ask
	}
	return nil
}
