package prompt

import (
	"strings"
	"unicode/utf8"

	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

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

// times returns when a prompt was sent, how long its turn took and what it cost, if known.
func times(l *style.Look, t *session.Turn) string {
	var parts, short []string
	add := func(before, what string) {
		parts, short = append(parts, before+what), append(short, what)
	}
	if at := l.Clock(t.Started); at != "" {
		add("sent ", at)
	}
	if t.Outcome != "" && t.Duration > 0 {
		add("took ", human.Spent(t.Duration))
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
