package transcript

import (
	"reflect"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
)

// noticeItem is a notice, a compaction, or a change of model or mode.
type noticeItem struct {
	itemState
	mark *session.Mark
	// first reports that nothing precedes it: what a conversation begins with is not a change.
	first bool
	// superseded reports that a change of the same kind follows directly.
	superseded bool
}

func (it *noticeItem) foldable() bool { text, _ := it.detail(); return text != "" }

// detail returns what can be opened, and what it is: a summary, or what the runtime reported after the first line, such as the end of its error output.
func (it *noticeItem) detail() (text, what string) {
	switch e := it.mark.Event.(type) {
	case session.Compacted:
		return strings.TrimSpace(e.Summary), "the summary"
	case session.RuntimeChanged:
		_, rest, _ := strings.Cut(strings.TrimSpace(e.Detail), "\n")
		return strings.Trim(rest, "\n"), "its output"
	}
	return "", ""
}

func (it *noticeItem) layout(l *style.Look) []string {
	text, loud := core.NoticeText(it.mark.Event, l.Home)
	if text == "" {
		return nil
	}
	rows := l.Measure.Wrap(style.Visible(text), l.Inner())
	if loud {
		rows = style.Gutter(l.Theme.Warn.Of("!"), rows)
	} else {
		for i := range rows {
			rows[i] = l.Theme.Dim.Of(rows[i])
		}
		rows = style.Gutter(" ", rows)
	}
	detail, what := it.detail()
	switch {
	case detail == "":
	case it.isOpen():
		rows = append(rows, style.Indent(l.Measure.Wrap(style.Visible(style.PlainOutput(detail)), max(1, l.Inner()-2)))...)
	default:
		s := "… " + human.Count(style.Lines(detail), "line", "lines") + " of " + what
		if it.marked {
			s += "  " + l.Fold()
		}
		rows = append(rows, "  "+l.Theme.Dim.Of(s))
	}
	return rows
}

func (it *noticeItem) trace(rows []string, _ *style.Look) scroll.Trace {
	text, _ := it.detail()
	return align.Rows(rows, 4, text)
}

func (it *noticeItem) text(l *style.Look) (shown, folded string) {
	shown, _ = core.NoticeText(it.mark.Event, l.Home)
	folded, _ = it.detail()
	return shown, folded
}

func (it *noticeItem) empty() bool {
	text, _ := core.NoticeText(it.mark.Event, "")
	return text == "" || it.superseded || it.first && isChoice(it.mark.Event)
}

// added records what precedes the notice: nothing, or a change of the same kind, which it supersedes.
func (it *noticeItem) added(f *feed, turn int) {
	before := f.turns[turn].entries
	before = before[:len(before)-1]
	it.first = turn == 0 && !slices.ContainsFunc(f.t.Turns[0].Entries[:len(before)], isContent)
	if it.first {
		f.renew(it)
		f.gaps(f.at(turn, len(before)))
	}
	if len(before) == 0 {
		return
	}
	prev, ok := before[len(before)-1].(*noticeItem)
	if !ok || !isChoice(it.mark.Event) || reflect.TypeOf(prev.mark.Event) != reflect.TypeOf(it.mark.Event) {
		return
	}
	prev.superseded = true
	f.renew(prev)
	f.gaps(f.at(turn, len(before)-1))
}

// isChoice reports whether an event records a choice of the user.
func isChoice(e session.Event) bool {
	switch e.(type) {
	case session.ModelChanged, session.ModeChanged, session.CustomChanged, session.DirsChanged:
		return true
	}
	return false
}

// isContent reports whether an entry is something the agent did.
func isContent(e session.Entry) bool {
	_, mark := e.(*session.Mark)
	return !mark
}
