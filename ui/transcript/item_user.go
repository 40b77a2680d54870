package transcript

import (
	"strings"
	"unicode/utf8"

	"parley/internal/human"
	"parley/session"
	"parley/ui/chat"
	"parley/ui/md/cells"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
)

// userItem is a prompt of the user.
type userItem struct {
	itemState
	turn *session.Turn
	// prompt is that of the turn, or one that was steered into the running turn; turn is nil then.
	prompt *session.Prompt
}

// longPrompt is the number of rows of a prompt that are shown while it is folded.
const longPrompt = 12

func (it *userItem) foldable() bool {
	for _, a := range it.prompt.Attachments {
		if a.Kind == session.AttachCommand {
			return true
		}
	}
	return it.long()
}

// long reports whether a folded prompt shows only its beginning.
func (it *userItem) long() bool {
	text := it.prompt.Text
	return len(text) > longPrompt*style.TextWidth || style.Lines(text) > longPrompt
}

func (it *userItem) layout(l *style.Look) []string {
	if it.empty() {
		return nil
	}
	text, hidden := it.prompt.Text, 0
	if it.long() && !it.isOpen() {
		text, hidden = firstLines(text, longPrompt, l.Inner())
	}
	rows := l.Measure.Wrap(style.Visible(text), l.Inner())
	if hidden > 0 {
		rows = append(rows[:min(len(rows), longPrompt):min(len(rows), longPrompt)], l.More(hidden, "lines", it.marked))
	}
	for _, a := range it.prompt.Attachments {
		name := chat.AttachmentName(l.Dir, l.Home, a)
		if a.Kind == session.AttachCommand && it.marked && !it.isOpen() {
			name += " · " + l.Fold() + " shows"
		}
		rows = append(rows, l.Theme.Dim.Of("+ "+l.Measure.Clip(name, l.Inner()-2)))
		if a.Kind == session.AttachCommand && it.isOpen() {
			for _, row := range l.Measure.Wrap(style.Visible(a.Text), l.Inner()-2) {
				rows = append(rows, l.Theme.Dim.Of("  "+row))
			}
		}
	}
	if l.Times && it.turn != nil {
		if row := timesRow(l, it.turn); row != "" {
			rows = append(rows, l.Theme.Dim.Of(row))
		}
	}
	rows = style.Gutter(l.Theme.Accent.Of(">"), rows)
	for i, row := range rows {
		rows[i] = l.Theme.Lift(row, l.Inner()+style.GutterWidth, l.Measure)
	}
	return rows
}

// firstLines returns the beginning of a text that n rows of width columns can hold, and the number of lines left out, a cut
// one included.
func firstLines(text string, n, width int) (head string, hidden int) {
	end := 0
	for range n {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			end = len(text)
			break
		}
		end += i + 1
	}
	if most := n * width * utf8.UTFMax; end > most {
		end = most
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
	}
	return strings.TrimSuffix(text[:end], "\n"), max(1, style.Lines(text[end:]))
}

func (it *userItem) trace(rows []string, _ *style.Look) scroll.Trace {
	t := align.Rows(rows, 2, it.prompt.Text)
	t.Source = cells.Visible(it.prompt.Text)
	return t
}

func (it *userItem) text(*style.Look) (shown, folded string) {
	text := it.prompt.Text
	if !it.foldable() {
		return text, ""
	}
	head, _ := firstLines(text, longPrompt, 1) // on the screen at any width
	return head, text[len(head):]
}

func (it *userItem) empty() bool  { return it.prompt.Text == "" && len(it.prompt.Attachments) == 0 }
func (it *userItem) begins() bool { return true }

// timesRow returns when a prompt was sent, how long its turn took and what it cost, if known.
func timesRow(l *style.Look, t *session.Turn) string {
	var parts, short []string
	add := func(before, what string) {
		parts, short = append(parts, before+what), append(short, what)
	}
	if at := l.Clock(t.Started); at != "" {
		add("sent ", at)
	}
	if t.Outcome != "" && t.Duration > 0 {
		add("took ", spent(t.Duration))
	}
	if t.Model != "" {
		add("", style.Visible(style.OneLine(style.ShortModel(t.Model))))
	}
	if in, out := t.Usage.Input+t.Usage.CacheRead+t.Usage.CacheWrite, t.Usage.Output; in+out > 0 {
		parts = append(parts, human.Tokens(in)+" tokens in, "+human.Tokens(out)+" out")
		short = append(short, human.Tokens(in)+" in, "+human.Tokens(out)+" out")
	}
	all := strings.Join(parts, " · ")
	for l.Measure.Width(all) > l.Inner() && len(short) > 0 { // first without words, then without the last pieces
		all, short = strings.Join(short, " · "), short[:len(short)-1]
	}
	return l.Measure.Clip(all, l.Inner())
}
