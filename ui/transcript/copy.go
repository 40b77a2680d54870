package transcript

import (
	"strings"

	"parley/ui/md"
	"parley/ui/md/cells"
)

// selection returns the action that copies the selected text as it was written, without blank rows at its ends.
func (w *window) selection() Action { return Copy{"", strings.Trim(w.on().sel.Text(), "\n")} }

// copyAnswer copies the last answer on the screen, or above it, as markdown.
func (w *window) copyAnswer() Action {
	i := w.lastAnswer(w.bottomItem())
	if i < 0 {
		return Say{"No answer to copy yet"}
	}
	return Copy{"answer", w.answerText(i)}
}

// bottomItem returns the last item on the screen, -1 if there is none.
func (w *window) bottomItem() int {
	if w.inline() {
		return len(w.feed.list) - 1
	}
	for y := len(w.rows) - 1; y >= 0; y-- {
		if i, _, ok := w.on().rows.ItemAt(y); ok {
			return i
		}
	}
	return -1
}

// lastAnswer returns the last answer at or before item i, -1 if there is none.
func (w *window) lastAnswer(i int) int {
	for ; i >= 0; i-- {
		if _, ok := w.on().list[i].answer(); ok {
			return i
		}
	}
	return -1
}

// answerText returns an answer with the answers directly before and after it: models answer in several parts.
func (w *window) answerText(i int) string {
	list := w.on().list
	near := func(i, step int) int {
		for j := i + step; j >= 0 && j < len(list); j += step {
			if _, ok := list[j].answer(); ok {
				return j
			}
			if list[j].state().shown() {
				break
			}
		}
		return -1
	}
	for j := near(i, -1); j >= 0; j = near(i, -1) {
		i = j
	}
	var parts []string
	for ; i >= 0; i = near(i, 1) {
		text, _ := list[i].answer()
		parts = append(parts, strings.Trim(cells.Visible(text), "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// copyCode copies the code block of the last answer on the screen that has any. Where it has several, the user picks one.
func (w *window) copyCode() Action {
	for i := w.lastAnswer(w.bottomItem()); i >= 0; i = w.lastAnswer(i - 1) {
		text, _ := w.on().list[i].answer()
		switch blocks := md.CodeBlocks(text); len(blocks) {
		case 0:
		case 1:
			return Copy{"code", blocks[0].Text}
		default:
			return PickCode{blocks}
		}
	}
	return Say{"No code block to copy"}
}
