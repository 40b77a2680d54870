package files

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"parley/session/builtin/tool"
)

const (
	// maxNear bounds the places that a hint names, maxCompared the pairs of lines that are compared to find them.
	maxNear     = 3
	maxCompared = 2 << 20
	// nearEnough is the least similarity of lines that are named, from 0 to 1.
	nearEnough = 0.6
)

// near is a place in a file that resembles wanted lines.
type near struct {
	line  int // index of its first line
	score float64
	// differs is the index of the first wanted line that differs, -1 if all are the same but for white space.
	differs int
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// nearest returns the places that resemble the wanted lines most, the best first; those of equal score in order.
func nearest(lines []line, wanted []string) []near {
	if len(wanted) == 0 || len(lines) < len(wanted) || len(lines)*len(wanted) > maxCompared {
		return nil
	}
	have, want := make([]string, len(lines)), make([]string, len(wanted))
	for i, l := range lines {
		have[i] = squeeze(l.text)
	}
	for i, s := range wanted {
		want[i] = squeeze(s)
	}
	var all []near
	for i := range len(have) - len(want) + 1 {
		n := near{line: i, differs: -1}
		for j, s := range want {
			like := likeness(have[i+j], s)
			if n.score += like; like < 1 && n.differs < 0 {
				n.differs = j
			}
		}
		if n.score /= float64(len(want)); n.score >= nearEnough {
			all = append(all, n)
		}
	}
	slices.SortStableFunc(all, func(a, b near) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return a.line - b.line
	})
	var out []near
	for _, n := range all {
		apart := func(o near) bool { return n.line >= o.line+len(want) || o.line >= n.line+len(want) }
		same := len(out) == 0 || (out[0].differs < 0) == (n.differs < 0) // what only differs in white space is named alone
		if len(out) < maxNear && same && !slices.ContainsFunc(out, func(o near) bool { return !apart(o) }) {
			out = append(out, n)
		}
	}
	return out
}

// likeness returns how much two lines are alike, from 0 to 1, by what they have in common at both ends.
func likeness(a, b string) float64 {
	if a == b {
		return 1
	}
	most, least := max(len(a), len(b)), min(len(a), len(b))
	if 2*least < most {
		return 0
	}
	front := 0
	for front < least && a[front] == b[front] {
		front++
	}
	back := 0
	for back < least-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	return 0.99 * float64(front+back) / float64(most)
}

// lineNames names the lines from index i on.
func lineNames(i, n int) string {
	if n == 1 {
		return fmt.Sprintf("line %d", i+1)
	}
	return fmt.Sprintf("lines %d to %d", i+1, i+n)
}

// hint returns the likely reason why a text was not found.
func hint(content, old string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(old), "\n")
	number, rest, tabbed := strings.Cut(first, "\t")
	if tabbed && number != "" && strings.Trim(number, " 0123456789") == "" && strings.Contains(content, strings.TrimSpace(rest)) {
		return " Leave out the line numbers that Read puts before each line."
	}
	if plain := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`).Replace(old); plain != old && strings.Contains(content, plain) {
		return " It is escaped once too often: the file has line ends, tabs and quotes where old_string has backslashes."
	}
	wanted := strings.Split(strings.Trim(old, "\n"), "\n")
	for i, s := range wanted {
		wanted[i] = strings.TrimSuffix(s, "\r")
	}
	all := linesOf(content)
	found := nearest(all, wanted)
	switch {
	case len(found) > 0:
		return nearHint(all, wanted, found, "old_string")
	case strings.Contains(squeeze(content), squeeze(old)):
		return " There is a place that differs only in white space; copy its indentation exactly."
	case first != "" && strings.Contains(content, strings.TrimSpace(first)):
		return " Its first line is there, but what follows differs. Read the file again."
	}
	return " Read the file again to see what stands there."
}

// nearHint names the places that resemble the wanted lines, and what differs at the best one. what is the name of the wanted
// lines.
func nearHint(all []line, wanted []string, found []near, what string) string {
	var names []string
	for _, n := range found {
		names = append(names, lineNames(n.line, len(wanted)))
	}
	where := strings.Join(names, ", ")
	best := found[0]
	if best.differs >= 0 {
		at := best.line + best.differs
		return fmt.Sprintf(" The nearest is at %s. Line %d is\n%s\nwhere %s has\n%s\nRead the file again, and copy what stands there.", where, at+1,
			tool.CutLine([]byte(all[at].text)), what, tool.CutLine([]byte(wanted[best.differs])))
	}
	for i, s := range wanted {
		if have := all[best.line+i].text; have != s {
			return fmt.Sprintf(" It differs only in white space from %s. Line %d is\n%s\nwhere %s has\n%s\n(· is a blank, → a tab); copy it exactly.",
				where, best.line+i+1, showBlanks(have), what, showBlanks(s))
		}
	}
	return fmt.Sprintf(" It differs only in white space from %s; copy the indentation exactly.", where)
}

// showBlanks returns a line whose white space can be told apart.
func showBlanks(s string) string {
	var b strings.Builder
	for _, r := range tool.CutLine([]byte(s)) {
		switch {
		case r == ' ':
			b.WriteRune('·')
		case r == '\t':
			b.WriteRune('→')
		case r != '\n' && (unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)):
			fmt.Fprintf(&b, "U+%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
