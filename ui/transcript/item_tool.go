package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"parley/session"
	"parley/session/toolview"
	"parley/ui/md"
	"parley/ui/scroll"
	"parley/ui/style"
)

// toolItem is a tool call: one row, present tense while it runs and past tense when it is done, with what it was given
// and gave back folded below.
type toolItem struct {
	itemState
	tool *session.Tool
	// ask is the permission asked for this call, nil if none was.
	ask *session.Ask
	// behind says that a call announced before it waits for permission: this one has not begun.
	behind bool
	began  time.Time // when that was over, zero if it never was so
	never  bool      // it was stopped while it waited so
	// covered says that something else is shown instead: the child agent it started, the question or plan it asks.
	covered bool

	read *described // how it reads; nil until somebody looked, which few of many calls are
}

// described is how a call reads, at one revision of it.
type described struct {
	rev uint64
	toolview.Display
}

const (
	tailBytes    = 4096 // of live output looked at for its tail
	outputTail   = 5    // rows of live output shown while the call runs
	diffRowsMax  = 16   // rows of a change shown while it is folded
	unfoldedMax  = 2000 // rows of output shown at most; the rest is where the result says
	commandWidth = 80   // the first line of a command is cut there, so that longer ones hide something
)

// describe returns the words for the call, cached by its revision.
func (it *toolItem) describe(dir string) toolview.Display {
	if rev := it.tool.Rev(); it.read == nil || it.read.rev != rev {
		in := it.tool.Input
		if !it.tool.Ready {
			in = json.RawMessage(it.tool.Partial())
		}
		it.read = &described{rev, toolview.Describe(it.tool.Name, in, dir)}
	}
	return it.read.Display
}

// display is how it read when somebody looked last.
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
	return t.Result.Text != "" || len(t.Edits) > 0 || t.Output() != "" || t.Ready && it.given(it.display()) != ""
}

// counting reports whether the call runs, so that its row counts seconds.
func (it *toolItem) counting() bool { return !it.tool.Ended && !it.announced() && !it.waiting() }

// since is when the call began to run, zero if nobody knows.
func (it *toolItem) since() time.Time {
	if it.began.After(it.tool.Started) {
		return it.began
	}
	return it.tool.Started
}

// announced reports whether the call was announced and has not begun: the model still writes it, or it waits for its turn.
func (it *toolItem) announced() bool { return !it.tool.Ended && (!it.tool.Ready || it.behind) }

// waiting reports whether the call waits for permission.
func (it *toolItem) waiting() bool { return it.ask != nil && !it.ask.Settled && !it.tool.Ended }

// unanswered reports whether the call, or one that it waited behind, was asked about and not allowed: it never ran.
func (it *toolItem) unanswered() bool {
	return it.never || it.ask != nil && it.ask.Permission != nil && (!it.ask.Settled || it.ask.Settlement.Answer.Decision != session.Allow)
}

func (it *toolItem) layout(l *style.Look) []string {
	d := it.describe(l.Dir)
	rows := []string{it.row(l, d)}
	open := it.isOpen()
	switch {
	case it.waiting():
		if p := it.ask.Permission; p != nil && p.Edit != nil {
			rows = append(rows, style.Indent(style.EditRows(l, p.Edit.Path, p.Edit.Patch, l.Inner()-2, 0))...)
		}
	case open:
		rows = append(rows, it.body(l, d)...)
	case !it.tool.Ended:
		rows = append(rows, it.tail(l, it.tool.Output())...)
	case it.tool.Outcome == session.ToolFailed && d.Kind == toolview.Command:
		rows = append(rows, it.tail(l, it.result())...)
	case len(it.tool.Edits) > 0:
		rows = append(rows, it.edits(l, diffRowsMax)...)
	}
	return append(rows, it.denialRows(l)...)
}

// denialRows say why the user or a hook said no, if they did.
func (it *toolItem) denialRows(l *style.Look) (rows []string) {
	said := it.denial()
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

// row is the one row that is always there.
func (it *toolItem) row(l *style.Look, d toolview.Display) string {
	t := it.tool
	verb, bullet := d.Past, l.Theme.Dim.Of("•")
	switch {
	case it.waiting(), it.announced():
		verb, bullet = d.Want, l.Theme.Accent.Of("•")
	case !t.Ended:
		verb, bullet = d.Present, l.Theme.Accent.Of("•")
	case t.Outcome == session.ToolDenied, t.Outcome == session.ToolCancelled && it.unanswered():
		verb = d.Ended(session.ToolDenied)
	case t.Outcome == session.ToolCancelled:
		verb = d.Present
	case t.Outcome == session.ToolFailed:
		verb, bullet = d.Ended(t.Outcome), l.Theme.Warn.Of("•")
	}
	right := it.summary(l)
	if it.marked && it.foldable() && !it.waiting() {
		right = strings.TrimPrefix(right+"  "+l.Fold(), "  ")
	}
	took := t.Duration
	if since := it.since(); it.counting() && !since.IsZero() {
		took = l.Now().Sub(since)
	}
	time := ""
	if took >= style.Noticeable && !it.waiting() && !it.announced() && t.Outcome != session.ToolDenied && !it.never {
		time = "  " + style.Seconds(took)
	}
	if l.Times && !t.Started.IsZero() {
		time = "  " + l.Clock(t.Started)
		if t.Ended {
			time += ", " + spent(t.Duration)
		}
	}
	w := l.Inner() - l.Measure.Width(right) - 2
	left := style.Visible(verb)
	if sub := style.Visible(style.OneLine(d.Subject)); sub != "" {
		left += " " + sub
	}
	if n := it.moreLines(d); n > 0 {
		time = " … +" + style.Count(n, "line", "lines") + time
	}
	left = l.Measure.Clip(left, max(8, w-l.Measure.Width(time))) + l.Theme.Dim.Of(time)
	return bullet + " " + l.Measure.Spread(left, l.Theme.Dim.Of(right), l.Inner())
}

// moreLines is how many lines of a command the row does not show.
func (it *toolItem) moreLines(d toolview.Display) int {
	if d.Kind != toolview.Command || !it.tool.Ready {
		return 0
	}
	return max(0, len(strings.Split(strings.TrimSpace(commandOf(it.tool.Input)), "\n"))-1)
}

// commandOf is the command in the input of a call.
func commandOf(in json.RawMessage) string {
	var words struct {
		Command string `json:"command"`
	}
	_ = json.Unmarshal(in, &words)
	return words.Command
}

// summary is what the row says at its right end.
func (it *toolItem) summary(l *style.Look) string {
	t := it.tool
	if it.waiting() {
		if p := it.ask.Permission; p != nil && p.Edit != nil {
			return toolview.Changes([]session.FileEdit{*p.Edit})
		}
		return "asks"
	}
	switch {
	case !t.Ended && it.behind:
		return "waits"
	case !t.Ended:
		return ""
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
		parts = append(parts, style.Count(n, "line", "lines"))
	}
	return l.Measure.Clip(strings.Join(parts, ", "), l.Inner()/2)
}

// denial is what the user told the agent with a no.
func (it *toolItem) denial() string {
	if it.ask == nil || !it.ask.Settled || it.ask.Settlement.Answer.Decision != session.Deny {
		return ""
	}
	return it.ask.Settlement.Answer.Message
}

// text returns what the call was about, was given and returned.
func (it *toolItem) text(l *style.Look) (shown, folded string) {
	t, d := it.tool, it.describe(l.Dir)
	var b strings.Builder
	switch d.Kind {
	case toolview.Read, toolview.Edit, toolview.Search, toolview.Fetch: // the row says it all
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
	return d.Past + " " + style.OneLine(d.Subject) + " " + it.denial(), b.String()
}

// trace returns the lines of changes without their numbers, and for other rows what the call was given and returned.
func (it *toolItem) trace(rows []string, l *style.Look) scroll.Trace {
	t := it.tool
	trace := traceRows(rows, 4, it.given(it.display()), style.PlainOutput(it.result()))
	at := 1 // after the row that is always there
	for _, e := range it.shownEdits() {
		o := style.DiffOptions(l, l.Inner()-2)
		o.Highlighter = nil // the rows are only counted
		n := len(md.Diff(e.Patch, o))
		if len(t.Edits) > 1 {
			at++ // the name of the file
		}
		cutGutter(trace.Rows[min(at, len(trace.Rows)):min(at+n, len(trace.Rows))], rows[min(at, len(rows)):], 4+md.DiffGutter(e.Patch, o), e.Patch)
		at += n
	}
	return leftOfFirst(trace)
}

// shownEdits returns the changes whose rows follow the first row of the call.
func (it *toolItem) shownEdits() []session.FileEdit {
	if it.waiting() {
		if p := it.ask.Permission; p != nil && p.Edit != nil {
			return []session.FileEdit{*p.Edit}
		}
		return nil
	}
	if it.isOpen() && it.given(it.display()) != "" {
		return nil // they stand further below
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

// added connects the row with what was asked about the call before it was announced.
func (it *toolItem) added(f *feed, _ int) { f.tieTool(it) }
