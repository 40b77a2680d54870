package md

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of comparing two lines word by word.
const (
	maxWords  = 400 // of both lines together
	minShared = 3   // one part in so many must be equal, or the lines are taken for different ones
)

// extent is a part of a line, in bytes.
type extent struct{ from, to int }

// changedWords returns the parts of two lines that differ, in order, nil where the lines have too little in common, or are
// too long, for that to mean anything. Blanks between two changed words count as changed.
func changedWords(before, after string) (old, new []extent, alike bool) {
	if before == after {
		return nil, nil, true
	}
	a, b := wordsOf(before), wordsOf(after)
	head := 0
	for head < len(a) && head < len(b) && before[a[head].from:a[head].to] == after[b[head].from:b[head].to] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head &&
		before[a[len(a)-1-tail].from:a[len(a)-1-tail].to] == after[b[len(b)-1-tail].from:b[len(b)-1-tail].to] {
		tail++
	}
	midA, midB := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(midA)+len(midB) > maxWords {
		return nil, nil, false
	}
	keepA, keepB := common(before, after, midA, midB)
	shared := weight(before, a[:head]) + weight(before, a[len(a)-tail:])
	for i, keep := range keepA {
		if keep {
			shared += weight(before, midA[i:i+1])
		}
	}
	if all := max(weight(before, a), weight(after, b)); shared*minShared < all || shared == 0 {
		return nil, nil, false
	}
	return extents(before, midA, keepA), extents(after, midB, keepB), true
}

// weight counts the bytes of words that are not blanks.
func weight(line string, list []extent) int {
	n := 0
	for _, w := range list {
		if line[w.from] != ' ' && line[w.from] != '\t' {
			n += w.to - w.from
		}
	}
	return n
}

// wordsOf splits a line into runs of letters and digits, runs of blanks, and single other characters.
func wordsOf(line string) []extent {
	const (
		other = iota
		letter
		blank
	)
	kind := func(r rune) int {
		switch {
		case r == ' ' || r == '\t':
			return blank
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			return letter
		}
		return other
	}
	var out []extent
	last := -1
	for i, r := range line {
		k := kind(r)
		_, n := utf8.DecodeRuneInString(line[i:])
		if k != other && k == last {
			out[len(out)-1].to = i + n
			continue
		}
		out = append(out, extent{i, i + n})
		last = k
	}
	return out
}

// common marks the words of a longest common subsequence on both sides.
func common(before, after string, a, b []extent) (keepA, keepB []bool) {
	keepA, keepB = make([]bool, len(a)), make([]bool, len(b))
	width := len(b) + 1
	longest := make([]uint16, (len(a)+1)*width)
	equal := func(i, j int) bool { return before[a[i].from:a[i].to] == after[b[j].from:b[j].to] }
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if equal(i, j) {
				longest[i*width+j] = longest[(i+1)*width+j+1] + 1
			} else {
				longest[i*width+j] = max(longest[(i+1)*width+j], longest[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case equal(i, j):
			keepA[i], keepB[j] = true, true
			i, j = i+1, j+1
		case longest[(i+1)*width+j] >= longest[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return keepA, keepB
}

// extents joins the words that are not kept, with blanks between two of them.
func extents(line string, list []extent, keep []bool) []extent {
	var out []extent
	for i, w := range list {
		isBlank := line[w.from] == ' ' || line[w.from] == '\t'
		between := isBlank && i > 0 && i+1 < len(list) && !keep[i-1] && !keep[i+1]
		if keep[i] && !between {
			continue
		}
		if n := len(out); n > 0 && out[n-1].to == w.from {
			out[n-1].to = w.to
			continue
		}
		out = append(out, w)
	}
	return out
}

// maxApart is the number of lines within which a changed line is looked for.
const maxApart = 4

// compared lists what the lines of a hunk have in common.
type compared struct {
	words  map[int][]extent // what changed within a line, by its index
	became map[int]int      // the added line that a removed line became, by their indexes
}

// compare compares the lines of a hunk. A removed line became the added line that is most like it, in order; lines without one
// changed as a whole.
func compare(lines []string) compared {
	c := compared{map[int][]extent{}, map[int]int{}}
	for i := 0; i < len(lines); {
		removed, added, end := changeAt(lines, i)
		i = max(end, i+1)
		next := 0
		for _, o := range removed {
			for n := next; n < min(len(added), next+maxApart); n++ {
				before, after, alike := changedWords(lines[o][1:], lines[added[n]][1:])
				if !alike || isRemark(lines[o]) || isRemark(lines[added[n]]) {
					continue
				}
				c.words[o], c.words[added[n]], c.became[o], next = before, after, added[n], n+1
				break
			}
		}
	}
	return c
}

// changeAt returns the removed and the added lines of the change that begins with line i, and the line behind it. A remark belongs
// to the side of the line before it. Without a change, end is i.
func changeAt(lines []string, i int) (removed, added []int, end int) {
	side := func(sign string) (list []int) {
		for i < len(lines) && (strings.HasPrefix(lines[i], sign) || len(list) > 0 && isRemark(lines[i])) {
			list = append(list, i)
			i++
		}
		return list
	}
	removed = side("-")
	return removed, side("+"), i
}

// isRemark reports whether a line of a hunk is about the line before it, which has no newline.
func isRemark(line string) bool { return strings.HasPrefix(line, `\`) }
