package transcript

import (
	"strings"

	"parley/session"
	"parley/ui/core"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
	"parley/ui/transcript/tool"
)

// workItem is the end of something that ran in the background, where the conversation was at the time. Opened it shows the
// last lines of the output.
type workItem struct {
	itemState
	mark *session.Mark
	work session.Work // unknown before it was added
	told bool
}

// workLines is the number of lines of output that an opened row shows; the panel shows all.
const workLines = 20

func (it *workItem) foldable() bool {
	return it.told && strings.TrimSpace(core.WorkOutput(it.work)) != ""
}

func (it *workItem) layout(l *style.Look) []string {
	if !it.told {
		return nil
	}
	bullet := l.Theme.Dim.Of("•")
	if core.WorkFailed(it.work) {
		bullet = l.Theme.Bad.Of("✗")
	}
	right := l.Hint("", it.marked && it.foldable())
	how := " " + core.EndWords(it.work, it.mark.At)
	room := l.Span() - l.Measure.Width(right+how) - 2
	left := l.Measure.Clip(core.WorkLabel(it.work, l.Dir), max(8, room)) + how
	rows := []string{bullet + " " + l.Measure.Spread(left, l.Theme.Dim.Of(right), l.Span())}
	if !it.isOpen() {
		return rows
	}
	text, before := style.LastLines(core.WorkOutput(it.work), workLines)
	if before {
		rows = append(rows, "    "+l.Theme.Dim.Of("… /background shows all"))
	}
	return append(rows, style.Indent(tool.OutputRows(l, text, l.Wide()-2))...)
}

func (it *workItem) trace(rows []string, _ *style.Look) scroll.Trace {
	return align.LeftOfFirst(align.Rows(rows, tool.IndentWidth, core.WorkOutput(it.work)))
}

func (it *workItem) text(l *style.Look) (shown, folded string) {
	if !it.told {
		return "", ""
	}
	text, _ := style.LastLines(core.WorkOutput(it.work), workLines)
	return core.EndText(it.work, it.mark.At, l.Dir), style.PlainOutput(text)
}

func (it *workItem) empty() bool { return !it.told }
func (it *workItem) close() bool { return true }

// added finds what has ended.
func (it *workItem) added(f *feed, turn int) {
	if it.work, it.told = core.EndedWork(f.t, it.mark.Event); it.told {
		f.renew(it)
		f.gaps(f.at(turn, len(f.turns[turn].entries)-1))
	}
}

// isWorkEnd reports whether a mark is the end of something in the background.
func isWorkEnd(e session.Event) bool {
	switch e.(type) {
	case session.ToolEnded, session.ChildEnded:
		return true
	}
	return false
}

// tellsOf reports whether the newest entry before a new turn is the end that began it.
func (f *feed) tellsOf(call session.CallID) bool {
	if len(f.list) == 0 || call == "" {
		return false
	}
	for i := len(f.list) - 1; i >= 0 && i >= len(f.list)-4; i-- { // empty prompts and ends of turns stand between
		if it, ok := f.list[i].(*workItem); ok {
			return it.work.Tool != nil && it.work.Tool.Call == call || it.work.Child != nil && it.work.Child.Call == call
		}
		if f.list[i].state().shown() {
			return false
		}
	}
	return false
}
