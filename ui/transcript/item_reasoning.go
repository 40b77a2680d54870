package transcript

import (
	"strings"

	"parley/internal/human"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
)

// reasoningTail is the number of rows of running reasoning that are shown while it is folded.
const reasoningTail = 5

// reasoningPart is a part of the model's reasoning.
type reasoningPart partItem

// layout shows the last rows while the reasoning streams, and one row when it has ended.
func (it *reasoningPart) layout(l *style.Look) []string {
	p := it.part
	if p.Len() == 0 && p.Ended {
		return nil
	}
	dim := l.Theme.Dim
	open := it.isOpen()
	head := "thinking"
	if p.Ended {
		head = "thought"
		if p.Duration > 0 {
			head += " for " + human.Seconds(max(p.Duration, 1e9))
		}
	}
	if l.Times && !p.Started.IsZero() {
		head += " · " + l.Clock(p.Started)
	}
	hint := l.Hint("", it.marked && it.foldable())
	rows := []string{dim.Of("~ ") + l.Measure.Spread(dim.Of(head), dim.Of(hint), l.Span())}
	if !open && p.Ended {
		return rows
	}
	text := p.Text()
	if !open {
		// Enough text for the last rows.
		if cut := len(text) - reasoningTail*l.Inner()*4; cut > 0 {
			text = strings.ToValidUTF8(text[cut:], "")
			if _, after, ok := strings.Cut(text, " "); ok {
				text = after
			}
		}
	}
	lines := l.Measure.Wrap(strings.Trim(style.Visible(text), "\n"), l.Inner())
	if n := len(lines); !open && n > reasoningTail {
		lines = lines[n-reasoningTail:]
	}
	for _, s := range lines {
		if strings.TrimSpace(s) == "" {
			rows = append(rows, "")
			continue
		}
		rows = append(rows, "  "+l.Theme.Quiet.Of(s))
	}
	return rows
}

func (it *reasoningPart) trace(rows []string, _ *style.Look) scroll.Trace {
	return align.LeftOfFirst(align.Rows(rows, 2, it.part.Text()))
}

func (it *reasoningPart) text(*style.Look) (shown, folded string) { return "", it.part.Text() }

func (it *reasoningPart) foldable() bool                 { return it.part.Len() > 0 }
func (it *reasoningPart) empty() bool                    { return it.part.Len() == 0 && it.part.Ended }
func (it *reasoningPart) answer() (text string, ok bool) { return "", false }
