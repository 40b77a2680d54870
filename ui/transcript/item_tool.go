package transcript

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

// toolItem is a tool call: one row, in the present tense while it runs and the past when it is done, with its input and
// output folded below.
type toolItem struct {
	itemState
	tool *session.Tool
	// ask is the permission asked for this call, nil if none was.
	ask *session.Ask
	// behind reports that an earlier call waits for permission, so that this one has not begun.
	behind bool
	began  time.Time // when that ended; zero if it never waited
	never  bool      // it was stopped while it waited
	// covered reports that something else is shown instead: the child agent it started, its question or plan.
	covered bool
	in      *groupItem // whose row stands for it, nil if it is alone

	read *described // nil until the call was visible, as few of many are
}

// described is the description of a call at one revision.
type described struct {
	rev uint64
	toolview.Display
}

const (
	tailBytes    = 4096 // of live output read for its tail
	outputTail   = 5    // rows of live output shown while the call runs
	diffRowsMax  = 16   // rows of a change shown while it is folded
	unfoldedMax  = 2000 // rows of output shown at most
	commandWidth = 80   // commands longer than this are folded
	indentWidth  = 4    // cells before the rows below the first one
)

// describe returns the words for the call, cached by its revision.
func (it *toolItem) describe(dir string) toolview.Display {
	if rev := it.tool.Rev(); it.read == nil || it.read.rev != rev {
		it.read = &described{rev, toolview.Describe(it.tool.Name, it.input(), dir)}
	}
	return it.read.Display
}

// input returns the input of the call, or what the model has written of it.
func (it *toolItem) input() json.RawMessage {
	if it.tool.Ready {
		return it.tool.Input
	}
	return json.RawMessage(it.tool.Partial())
}

// display returns the last description.
func (it *toolItem) display() toolview.Display {
	if it.read == nil {
		return toolview.Display{}
	}
	return it.read.Display
}

func (it *toolItem) foldable() bool {
	t := it.tool
	if len(t.Edits) > 0 && t.Outcome == session.ToolOK {
		n := 0
		for _, e := range t.Edits {
			n += style.Lines(e.Patch)
		}
		return n > diffRowsMax
	}
	return it.found() != nil || t.Result.Text != "" || len(t.Edits) > 0 || t.Output() != "" || t.Ready && it.given(it.display()) != ""
}

// counting reports whether the call runs, so that its row counts seconds.
func (it *toolItem) counting() bool { return !it.tool.Ended && !it.announced() && !it.waiting() }

// since returns when the call began to run, zero if unknown.
func (it *toolItem) since() time.Time {
	if it.began.After(it.tool.Started) {
		return it.began
	}
	return it.tool.Started
}

// announced reports whether the call has not begun: the model still writes it, or it waits for its turn.
func (it *toolItem) announced() bool { return !it.tool.Ended && (!it.tool.Ready || it.behind) }

// waiting reports whether the call waits for permission.
func (it *toolItem) waiting() bool { return it.ask != nil && !it.ask.Settled && !it.tool.Ended }

// unanswered reports whether the call never ran, because it or an earlier one was not allowed.
func (it *toolItem) unanswered() bool {
	return it.never || it.ask != nil && it.ask.Permission != nil && (!it.ask.Settled || it.ask.Settlement.Answer.Decision != session.Allow)
}

func (it *toolItem) layout(l *style.Look) []string {
	d := it.describe(l.Dir)
	rows := []string{it.row(l, d)}
	open := it.isOpen()
	switch {
	case it.waiting():
		rows = append(rows, editRows(l, it.shownEdits(), math.MaxInt, false)...)
	case open:
		rows = append(append(rows, it.body(l, d)...), it.foundRows(l)...)
	case !it.tool.Ended:
		rows = append(rows, it.tail(l, it.tool.Output())...)
	case it.tool.Outcome == session.ToolFailed && d.Kind == toolview.Command:
		rows = append(rows, it.tail(l, it.result())...)
	case len(it.tool.Edits) > 0:
		rows = append(rows, it.edits(l, diffRowsMax)...)
	}
	return append(rows, it.saidRows(l)...)
}

// saidRows returns what the user said with an answer, or a hook with a denial.
func (it *toolItem) saidRows(l *style.Look) (rows []string) {
	said := it.message()
	if said != "" {
		said = "you said: " + style.Visible(said)
	} else if t := it.tool; t.Outcome == session.ToolDenied && t.Result.Summary == session.BlockedByHook && t.Result.Text != "" && !it.isOpen() {
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
func (it *toolItem) row(l *style.Look, d toolview.Display) string {
	t := it.tool
	verb, bullet := d.Past, l.Theme.Dim.Of("•")
	if it.in != nil {
		bullet = l.Theme.Dim.Of("·") // the group above has the other
	}
	switch {
	case it.waiting(), it.announced():
		verb, bullet = d.Want, l.Theme.Accent.Of("•")
	case !t.Ended, t.Result.Background:
		verb, bullet = d.Present, l.Theme.Accent.Of("•")
	case t.Outcome == session.ToolDenied, t.Outcome == session.ToolCancelled && it.unanswered():
		verb = d.Ended(session.ToolDenied)
	case t.Outcome == session.ToolCancelled:
		verb = d.Present
	case t.Outcome == session.ToolFailed:
		verb, bullet = d.Ended(t.Outcome), l.Theme.Bad.Of("✗")
	}
	right := it.summary(l)
	if it.marked && it.foldable() && !it.waiting() {
		right = strings.TrimPrefix(right+" · "+foldHint(l, it.isOpen()), " · ")
	}
	took := t.Duration
	if t.Ended && t.Result.Background {
		took = 0 // until it went there
	}
	if since := it.since(); it.counting() && !since.IsZero() {
		took = l.Now().Sub(since)
	}
	time := ""
	if took >= style.Noticeable && !it.waiting() && !it.announced() && t.Outcome != session.ToolDenied && !it.never {
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
	if n := it.moreLines(d); n > 0 {
		time = " … +" + human.Count(n, "line", "lines") + time
	}
	left = l.Measure.Clip(left, max(8, w-l.Measure.Width(time))) + l.Theme.Dim.Of(time)
	return bullet + " " + l.Measure.Spread(left, l.Theme.Dim.Of(right), l.Span())
}

// foldHint returns the key that opens or folds a row, and what it does where there is room.
func foldHint(l *style.Look, open bool) string {
	switch {
	case l.Width < 60:
		return l.Fold()
	case open:
		return l.Fold() + " folds"
	}
	return l.Fold() + " shows"
}

// moreLines returns how many lines of a command the row leaves out.
func (it *toolItem) moreLines(d toolview.Display) int {
	if d.Kind != toolview.Command || !it.tool.Ready {
		return 0
	}
	return max(0, len(strings.Split(strings.TrimSpace(commandOf(it.tool.Input)), "\n"))-1)
}

// commandOf returns the command in the input of a call.
func commandOf(in json.RawMessage) string {
	var words struct {
		Command string `json:"command"`
	}
	_ = json.Unmarshal(in, &words)
	return words.Command
}

// summary returns the text at the right end of the row.
func (it *toolItem) summary(l *style.Look) string {
	t := it.tool
	if it.waiting() {
		if p := it.ask.Permission; p != nil && p.Edit != nil {
			return toolview.Changes(p.Edits())
		}
		return "asks"
	}
	switch {
	case !t.Ended && it.behind:
		return "waiting"
	case !t.Ended:
		return ""
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
	if c := t.Result.ExitCode; c != nil && *c != 0 {
		parts = append(parts, fmt.Sprintf("exit %d", *c))
	}
	switch n := style.Lines(t.Result.Text); {
	case t.Result.Summary != "":
		parts = append(parts, style.Visible(style.OneLine(t.Result.Summary)))
	case len(t.Edits) > 0:
		parts = append(parts, toolview.Changes(t.Edits))
	case n > 0:
		parts = append(parts, human.Count(n, "line", "lines"))
	}
	if found := it.foundSummary(); found != "" {
		parts = append(parts, found)
	}
	return l.Measure.Clip(strings.Join(parts, ", "), l.Span()/2)
}

// message returns the user's message to the agent with an answer.
func (it *toolItem) message() string {
	switch r := it.tool.Result; {
	case it.ask != nil && it.ask.Settled:
		return it.ask.Settlement.Answer.Message
	case r.Summary == session.RefusedWithWords: // a transcript of another program has no answers
		return r.Text
	}
	return ""
}

// text returns the subject, the input and the output of the call.
func (it *toolItem) text(l *style.Look) (shown, folded string) {
	t, d := it.tool, it.describe(l.Dir)
	var b strings.Builder
	switch d.Kind {
	case toolview.Read, toolview.Edit, toolview.Search, toolview.Fetch: // the row shows all of it
	case toolview.Command:
		if len(t.Input) > commandWidth {
			b.WriteString(it.given(d) + "\n")
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
	b.WriteString(style.PlainOutput(it.result()))
	it.foundText(&b)
	return d.Past + " " + style.OneLine(d.Subject) + " " + it.message(), b.String()
}

// trace maps the rows of changes to their lines without numbers, and other rows to the input and output of the call.
func (it *toolItem) trace(rows []string, l *style.Look) scroll.Trace {
	trace := align.Rows(rows, indentWidth, it.given(it.display()), style.PlainOutput(it.result()))
	var changes scroll.Trace
	edits := it.shownEdits()
	for _, e := range edits {
		if at := 1 + len(changes.Rows); len(edits) > 1 && at < len(trace.Rows) {
			changes.Rows = append(changes.Rows, trace.Rows[at]) // the name of the file
		}
		align.AddChange(&changes, md.TraceDiff(e.Patch, style.DiffOptions(l)), indentWidth)
	}
	if limit := it.maxChanged(); len(changes.Rows)-limit > 1 {
		align.Cut(&changes, limit)
	}
	copy(trace.Rows[min(1, len(trace.Rows)):], changes.Rows) // below the first row
	for _, c := range changes.Left {
		trace.Left = append(trace.Left, scroll.Column{First: 1 + c.First, Rows: c.Rows})
	}
	return align.LeftOfFirst(trace)
}

// maxChanged returns how many rows of changes are shown at most.
func (it *toolItem) maxChanged() int {
	switch {
	case it.waiting():
		return math.MaxInt
	case it.isOpen():
		return unfoldedMax
	}
	return diffRowsMax
}

// shownEdits returns the changes whose rows follow the first row of the call.
func (it *toolItem) shownEdits() []session.FileEdit {
	if it.waiting() {
		if p := it.ask.Permission; p != nil {
			return p.Edits()
		}
		return nil
	}
	if it.isOpen() && it.given(it.display()) != "" {
		return nil // they are further below
	}
	return it.tool.Edits
}

func (it *toolItem) empty() bool    { return it.covered }
func (it *toolItem) finished() bool { return it.covered || it.tool.Ended }
func (it *toolItem) close() bool    { return true }

func (it *toolItem) openAsk() *session.Ask {
	if it.waiting() {
		return it.ask
	}
	return nil
}

// added connects the row with an ask about the call that arrived before it.
func (it *toolItem) added(f *feed, _ int) { f.tieTool(it) }
