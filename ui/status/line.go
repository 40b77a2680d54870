package status

import (
	"fmt"
	"strings"

	"parley/internal/human"
	"parley/ui/style"
)

// maxDoing is the most columns of the agent's activity before the hints; the rest of it only where there is room.
const maxDoing = 44

// narrowDoing is the same in a narrow window, where how long it runs matters more.
const narrowDoing = 10

// Line is the row above the composer: what runs and how to stop it, or what just happened; and at the right how much there
// is below.
type Line struct {
	// Find is the row of a search and takes the place of all else; Copy is that of copy mode.
	Find, Copy string
	// More reports that rows stand below, Fresh how many of them are new. Bottom is the hint of the key that goes there.
	More   bool
	Fresh  int
	Bottom string
	// Notice is what just happened, visible.
	Notice string
	Warns  bool
	// Run is the turn that runs, nil for none; Spinner its moving cell.
	Run     *Run
	Spinner string
	// Busy is what else is waited for, Install what is being installed; nil for nothing.
	Busy    string
	Install *Install
	// Elsewhere reports that the session is open in another window; Holder is the number of its process, 0 if unknown.
	Elsewhere bool
	Holder    int
}

// Row returns the row in w columns, "" where there is nothing to report.
func (b *Line) Row(l *style.Look, w int) string {
	if b.Find != "" {
		return b.Find
	}
	th, ms := l.Theme, l.Measure
	left, right := "", b.below(l, w)
	switch {
	case b.Copy != "" && b.Notice == "":
		left = b.Copy
	case b.Notice != "":
		if ms.Width(b.Notice)+1+ms.Width(right) > w-4 {
			right = "" // the notice is soon gone
		}
		left = b.notice(th, ms.Clip(b.Notice, max(10, w-4-ms.Width(right)-1)))
	case b.Run != nil && !b.Run.AsksBelow():
		left, right = b.run(l, w, right)
	case b.Run != nil && b.Run.Escapes: // the hints below are those of what escape is for
		if right = strings.TrimPrefix(right+"  "+th.Dim.Of(b.Run.stop()), "  "); ms.Width(right) > w-4 {
			right = th.Dim.Of(b.Run.stop())
		}
	case b.Busy != "" && b.Run == nil:
		left = th.Dim.Of(b.Busy)
	case b.Elsewhere:
		left = th.Warn.Of(b.elsewhere(ms, w-4-1-ms.Width(right)))
	case b.Install != nil:
		left = th.Dim.Of(b.Install.Text(ms, max(10, w-4-ms.Width(right)-1)))
	}
	if left == "" && right == "" {
		return ""
	}
	return "  " + ms.Spread(left, right, w-4)
}

// below returns the right end of the row: what stands below, else how much is installed.
func (b *Line) below(l *style.Look, w int) string {
	where := " below" + b.Bottom
	if w < 60 && b.Run != nil && (b.Run.Escapes || !b.Run.AsksBelow()) {
		where = "" // how to stop what runs matters more
	}
	switch {
	case b.Copy != "": // the cursor shows where the reader is
	case b.Fresh > 0:
		return l.Theme.Accent.Of("↓ " + human.Number(b.Fresh) + " new" + where)
	case b.More:
		return l.Theme.Dim.Of("↓ more" + where)
	case b.Run != nil && b.Install.Share() != "":
		return l.Theme.Dim.Of("installing " + b.Install.Share())
	}
	return ""
}

// run returns what the agent does, for how long, and the key that stops it at the right, behind what stands there, as far as w columns
// have room.
func (b *Line) run(l *style.Look, w int, below string) (left, right string) {
	th, ms, now := l.Theme, l.Measure, l.Now()
	doing, stop := b.Run.Doing(now), th.Dim.Of(b.Run.stop())
	if w >= 60 || doing != b.Run.Working { // which is a command alone in a narrow window
		doing = style.Capital(doing)
	}
	least := min(ms.Width(doing), maxDoing)
	if w < 60 {
		doing = strings.TrimSuffix(doing, " for Copilot")
		least = min(ms.Width(doing), narrowDoing)
	}
	both := stop
	if below != "" {
		both = below + "  " + stop
	}
	// The first pair that fits: what is below gives way before the clock in a narrow window, and after it in a wide one.
	type pair struct{ facts, right string }
	var pairs []pair
	facts := b.Run.facts(w, now)
	for _, at := range []string{both, stop} {
		for _, f := range facts {
			pairs = append(pairs, pair{f, at})
		}
	}
	if w < 60 {
		pairs = []pair{{facts[0], both}, {facts[0], stop}, {"", both}, {"", stop}}
	}
	var use pair
	for _, p := range pairs {
		if 4+ms.Width(p.facts)+ms.Width(p.right)+least <= w-4 {
			use = p
			break
		}
	}
	mark := b.Spinner
	if b.Run.Asks > 0 { // nothing runs until the user has answered
		mark = "?"
	}
	room := max(10, w-4-4-ms.Width(use.facts)-ms.Width(use.right))
	return th.Accent.Of(mark) + " " + ms.Clip(doing, room) + th.Dim.Of(use.facts), use.right
}

func (b *Line) notice(th style.Theme, text string) string {
	if b.Warns {
		return th.Warn.Of(text)
	}
	return th.Dim.Of(text)
}

// Small returns the row of a window that is too small for everything, w columns wide: a search, a question, what just
// happened, or what runs. asked reports that a question is open.
func (b *Line) Small(l *style.Look, w int, asked bool) string {
	th, ms := l.Theme, l.Measure
	switch {
	case b.Find != "":
		return b.Find
	case asked:
		size := fmt.Sprintf("%dx%d", style.MinWidth, style.MinHeight)
		return th.Accent.Of(maxFitting(ms, w-2, "A question waits. Make the window "+size+" to answer", "Make the window "+size+" to answer", "Make the window "+size))
	case b.Notice != "":
		return b.notice(th, b.Notice)
	case b.Run != nil:
		doing := style.Capital(b.Run.Doing(l.Now()))
		stop := th.Dim.Of("  " + b.Run.stop())
		return th.Accent.Of(b.Spinner) + " " + maxFitting(ms, w-2, doing+stop, strings.TrimSuffix(doing, " for Copilot")+stop, doing)
	case b.Elsewhere:
		return th.Warn.Of(b.elsewhere(ms, w))
	}
	return ""
}

// elsewhere returns in w columns that another window has the session, and the way on.
func (b *Line) elsewhere(ms style.Measure, w int) string {
	by, on := "another window", " · enter continues in a copy"
	if b.Holder > 0 {
		by += fmt.Sprintf(" (pid %d)", b.Holder)
	}
	return maxFitting(ms, w, "This session is open in "+by+on, "Open in "+by+on, "Open in another window"+on, "Open elsewhere · enter copies it", "enter copies it")
}

// maxFitting returns the first of some texts, longest first, that is at most w columns wide, or the last one.
func maxFitting(ms style.Measure, w int, texts ...string) string {
	for _, s := range texts {
		if ms.Width(s) <= w {
			return s
		}
	}
	return texts[len(texts)-1]
}
