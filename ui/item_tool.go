package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"parley/session"
	"parley/session/toolview"
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

// words returns how the call reads.
func (it *toolItem) words(dir string) toolview.Display {
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

// running reports whether the row counts seconds.
func (it *toolItem) running() bool { return !it.tool.Ended && !it.announced() && !it.waiting() }

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

// unanswered reports whether permission was asked for the call and none was given: it never ran.
func (it *toolItem) unanswered() bool {
	return it.ask != nil && it.ask.Permission != nil && (!it.ask.Settled || it.ask.Settlement.Answer.Decision != session.Allow)
}

func (it *toolItem) layout(l *style.Look) []string {
	d := it.words(l.Dir)
	rows := []string{it.row(l, d)}
	open := it.isOpen(false)
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
	} else if t := it.tool; t.Outcome == session.ToolDenied && t.Result.Summary == session.BlockedByHook && t.Result.Text != "" && !it.isOpen(false) {
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
		verb = strings.Replace(d.Want, "wants", "wanted", 1)
	case t.Outcome == session.ToolCancelled:
		verb = d.Present
	case t.Outcome == session.ToolFailed:
		bullet = l.Theme.Warn.Of("•")
		switch d.Kind {
		case toolview.Read, toolview.Search, toolview.Edit, toolview.Fetch: // others may have done a part
			verb = strings.Replace(d.Want, "wants to", "could not", 1)
		}
	}
	right := it.summary(l)
	if it.marked && it.foldable() && !it.waiting() {
		right = strings.TrimPrefix(right+"  "+l.Fold(), "  ")
	}
	took := t.Duration
	if since := it.since(); it.running() && !since.IsZero() {
		took = l.Now().Sub(since)
	}
	time := ""
	if took >= style.Noticeable && !it.waiting() && !it.announced() && t.Outcome != session.ToolDenied {
		time = "  " + style.Seconds(took)
	}
	if l.Times && !t.Started.IsZero() {
		time = "  " + l.Clock(t.Started)
		if t.Ended {
			time += ", " + exactly(t.Duration)
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

// result is what the call gave back, else what it has written so far.
func (it *toolItem) result() string {
	if text := it.tool.Result.Text; text != "" {
		return text
	}
	return it.tool.Output()
}

// tail is the end of what a running or failed command wrote.
func (it *toolItem) tail(l *style.Look, text string) []string {
	text, before := style.LastLines(text, outputTail)
	if cut := len(text) - tailBytes; cut > 0 { // lines without end
		text, before = strings.ToValidUTF8(text[cut:], ""), true
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	rows := outputRows(l, text, l.Inner()-2)
	if n := len(rows); n > outputTail {
		rows, before = rows[n-outputTail:], true
	}
	if before && it.marked {
		rows[0] = l.Theme.Dim.Of("… " + l.Fold() + " shows all")
	}
	return style.Indent(rows)
}

// body is all of the call: what it was given and what it gave back.
func (it *toolItem) body(l *style.Look, d toolview.Display) []string {
	t := it.tool
	var rows []string
	if given := it.given(d); given != "" {
		for _, s := range l.Measure.Hardwrap(style.Visible(given), l.Inner()-2) {
			rows = append(rows, "    "+s)
		}
	}
	rows = append(rows, it.edits(l, unfoldedMax)...)
	text := it.result()
	if len(t.Edits) > 0 && t.Outcome == session.ToolOK {
		return rows
	}
	if text != "" {
		if rows != nil {
			rows = append(rows, "")
		}
		rows = append(rows, it.output(l, d, text)...)
	}
	return rows
}

// output is the result as far as it is shown.
func (it *toolItem) output(l *style.Look, d toolview.Display, text string) []string {
	text = strings.TrimRight(text, "\n")
	var rows []string
	known := false
	if d.Renderer == toolview.RenderRead && it.tool.Outcome == session.ToolOK {
		rows, known = style.FileRows(l, d.Subject, style.PlainOutput(text), l.Inner()-2)
	}
	if !known {
		rows = outputRows(l, text, l.Inner()-2)
	}
	if n := len(rows) - unfoldedMax; n > 0 {
		rows = append(rows[:unfoldedMax:unfoldedMax], l.Theme.Dim.Of("… "+style.Group(n)+" more rows"))
	}
	if r := it.tool.Result; r.Truncated {
		s := "… cut here"
		if r.FullPath != "" {
			s += "; all of it is in " + style.Visible(r.FullPath)
		}
		rows = append(rows, l.Theme.Dim.Of(l.Measure.Clip(s, l.Inner()-2)))
	}
	return style.Indent(rows)
}

// edits are the changes of the call, at most so many rows of them.
func (it *toolItem) edits(l *style.Look, limit int) []string {
	var rows []string
	for _, e := range it.tool.Edits {
		if len(it.tool.Edits) > 1 {
			rows = append(rows, l.Theme.Bold.Of(l.Measure.ClipLeft(style.Visible(e.Path), l.Inner()-2)))
		}
		rows = append(rows, style.EditRows(l, e.Path, e.Patch, l.Inner()-2, limit)...)
	}
	if n := len(rows) - limit; n > 1 {
		rows = append(rows[:limit:limit], l.More(n, "rows", it.marked))
	}
	return style.Indent(rows)
}

// given is what the call was given, where the row does not say it all.
func (it *toolItem) given(d toolview.Display) string {
	t := it.tool
	switch d.Kind {
	case toolview.Command:
		if command := commandOf(t.Input); strings.Contains(strings.TrimSpace(command), "\n") || len(command) > commandWidth {
			return "$ " + command
		}
		return ""
	case toolview.Read, toolview.Edit, toolview.Search, toolview.Fetch:
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, t.Input, "", "  ") != nil || b.Len() <= 2 {
		return ""
	}
	return b.String()
}

// outputRows lays out what a program wrote: colours dropped, progress lines as they ended up, cut at the width where a
// line is longer.
func outputRows(l *style.Look, text string, w int) []string {
	rows := l.Measure.Hardwrap(style.Visible(style.PlainOutput(text)), max(1, w))
	for i := range rows {
		rows[i] = l.Theme.Dim.Of(rows[i])
	}
	return rows
}
