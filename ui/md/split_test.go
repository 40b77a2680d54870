package md

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"parley/ui/md/cells"
)

func TestSplit(t *testing.T) {
	const w = 63 // two halves of 30
	head := "--- a/x\n+++ b/x\n"
	for _, c := range []struct {
		name, patch, want string // rows joined by newlines, the gap of halves by …
	}{
		{"a changed line", head + "@@ -9,2 +9,2 @@\n a\n-b old\n+b new\n", " 9   a…│ 9   a\n10 - b old…│10 + b new"},
		{"more added", head + "@@ -1 +1,2 @@\n-a b\n+c\n+a d\n", "…│ 1 + c\n 1 - a b…│ 2 + a d"},
		{"more removed", head + "@@ -1,3 +1,2 @@\n-x y\n-a b\n z\n+c\n", " 1 - x y…│\n 2 - a b…│\n 3   z…│ 1   z\n…│ 2 + c"},
		{"lines that are not alike", head + "@@ -1,2 +1,2 @@\n-a\n-b\n+c\n+d\n", " 1 - a…│ 1 + c\n 2 - b…│ 2 + d"},
		{"wrapped", head + "@@ -1 +1 @@\n-a 34567890123456789012345678\n+a 3456789012345678901234567\n",
			" 1 - a 34567890123456789012345│ 1 + a 34567890123456789012345\n     678…│     67"},
		{"a file of the left side only", "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", " 1 - a"},
		{"a file of the right side only", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n", " 1 + a"},
		{"two hunks", head + "@@ -1 +1 @@\n-a b\n+a c\n@@ -7 +7 @@\n b\n", " 1 - a b…│ 1 + a c\n⋯\n 7   b…│ 7   b"},
		{"no last newline", head + "@@ -1 +1 @@\n-a b\n\\ No newline\n+a c\n", " 1 - a b…│ 1 + a c\n     No newline…│"},
		{"wide", head + "@@ -1 +1 @@\n-漢 \t👩‍👧\n+漢\n", " 1 - 漢  👩‍👧…│ 1 + 漢"},
		{"controls", head + "@@ -1 +1 @@\n-\x1b[2J\n+\u202ex\n", " 1 - ␛[2J…│ 1 + <U+202E>x"},
	} {
		rows := Diff(c.patch, DiffOptions{Options: Options{Width: w, Plain: true, Method: cells.Grapheme}, Split: true})
		for i, row := range rows {
			if left, right, ok := strings.Cut(row+" ", " │ "); ok {
				if n := cells.Width(left, cells.Grapheme); n != 30 {
					t.Errorf("%s: the left half has %d cells: %q", c.name, n, row)
				}
				rows[i] = strings.TrimRight(left, " ") + "…│" + strings.TrimRight(right, " ")
				if !strings.HasSuffix(left, " ") {
					rows[i] = left + "│" + strings.TrimRight(right, " ")
				}
			}
		}
		if got := strings.Join(rows, "\n"); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
	patch := head + "@@ -1 +1 @@\n-a\n+b\n"
	for _, narrow := range []int{2, 20, 2*minHalf + 2} {
		o := DiffOptions{Options: Options{Width: narrow, Plain: true}}
		want := Diff(patch, o)
		if o.Split = true; difference(Diff(patch, o), want) != "" {
			t.Errorf("at %d columns a change is side by side", narrow)
		}
	}
}

// patchOf makes a patch of one hunk from lines: what their first bytes are decides which lines are removed and added.
func patchOf(text string) (patch string, old, new []string) {
	var b strings.Builder
	for line := range strings.SplitSeq(cells.Visible(text), "\n") {
		sign := byte(' ')
		if line != "" {
			sign = "-+ -+"[line[0]%5]
		}
		if sign != '+' {
			old = append(old, line)
		}
		if sign != '-' {
			new = append(new, line)
		}
		b.WriteString(string(sign) + line + "\n")
	}
	return fmt.Sprintf("--- a/x\n+++ b/x\n@@ -1,%d +1,%d @@\n%s", len(old), len(new), b.String()), old, new
}

// linesOf reads the lines of one half, or of all of an unthemed diff, by their numbers, without blanks.
func linesOf(t *testing.T, halves []string) (lines []string) {
	for _, row := range halves {
		row += "   " // blanks at the end are not drawn
		number, rest := strings.TrimSpace(row[:3]), strings.ReplaceAll(row[3:], " ", "")
		if number == "" {
			if len(lines) > 0 {
				lines[len(lines)-1] += rest
			} else if rest != "" {
				t.Fatalf("%q continues nothing", row)
			}
			continue
		}
		if n, err := strconv.Atoi(number); err != nil || n != len(lines)+1 {
			t.Fatalf("line %d has the number %q in %q", len(lines)+1, number, halves)
		}
		lines = append(lines, rest)
	}
	return lines
}

// written is what rows represent.
func written(of Traced) string {
	var b strings.Builder
	for _, r := range of.Rows {
		b.WriteString(r.Lead + r.Text + r.Join)
	}
	return b.String()
}

// FuzzSplit reads the two halves again: all old lines are at the left, all new ones at the right, once and in order, and
// what is copied is what is copied of the rows one below the other.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"same\n-old line\n+new line", "d one\ne two\nd one more\n\nf", "漢字 wide\n\t\ttabs\nx👩‍👩‍👧‍👦family", "\x1b[31m\u202e\u200b\n\u0301mark",
		strings.Repeat("a long line that wraps ", 9) + "\n" + strings.Repeat("b short ", 2), "-\n+\n-\n+", "क्‍ष\n\u0600x\n\u0600", "-\u1100\u1161\n+\u1160"} {
		f.Add(s, uint8(60), true)
		f.Add(s, uint8(5), false)
	}
	f.Fuzz(func(t *testing.T, text string, width uint8, graphemes bool) {
		if len(text) > 2000 || strings.Count(text, "\n") > 90 {
			return
		}
		o := DiffOptions{Options: Options{Width: 2*minHalf + betweenHalves + int(width), Plain: true}, Split: true}
		if graphemes {
			o.Method = cells.Grapheme
		}
		patch, old, new := patchOf(text)
		rows := Diff(patch, o)
		checkRows(t, rows, o.Options)
		traced := TraceDiff(patch, o)
		if len(traced.Rows) != len(rows) {
			t.Fatalf("%d rows are traced, of %d", len(traced.Rows), len(rows))
		}
		unified := o
		unified.Split = false
		if got, want := written(traced), written(TraceDiff(patch, unified)); got != want {
			t.Fatalf("side by side %q is copied, else %q", got, want)
		}
		if len(old) == 0 || len(new) == 0 || cells.Visible(text) != text {
			return
		}
		half := (o.Width - betweenHalves) / 2
		left, right := make([]string, len(rows)), make([]string, len(rows))
		for i, row := range rows {
			at, x := 0, 0
			for at < len(row) && x < half {
				n, w := cells.Unit(row[at:], o.Method)
				at, x = at+n, x+w
			}
			if x != half || !strings.HasPrefix(row[at:]+" ", " │ ") {
				t.Fatalf("the halves of %q meet elsewhere", row)
			}
			left[i], right[i] = strings.TrimRight(row[:at], " "), strings.TrimPrefix((row + " ")[at:], " │ ")
		}
		for _, side := range []struct {
			rows, want []string
			sign       string
		}{{left, old, "-"}, {right, new, "+"}} {
			got := linesOf(t, side.rows)
			if len(got) != len(side.want) {
				t.Fatalf("%d lines instead of %d: %q", len(got), len(side.want), side.rows)
			}
			for i, line := range side.want {
				want := strings.NewReplacer(" ", "", "\t", "").Replace(line)
				if strings.TrimPrefix(got[i], side.sign) != want && got[i] != want {
					t.Fatalf("line %d is %q, want %q", i, got[i], want)
				}
			}
		}
	})
}

// A column of removed lines and the lines beside it are found where they are drawn.
func TestTraceSplit(t *testing.T) {
	patch := "--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n-\told one\n-gone\n+\tnew one\n z\n"
	got := TraceDiff(patch, DiffOptions{Options: Options{Width: 63}, Split: true})
	if len(got.Left) != 1 || got.Left[0].First != 0 || len(got.Left[0].Rows) != 2 {
		t.Fatalf("%+v", got.Left)
	}
	if r := got.Left[0].Rows[0]; r.Text != "\told one" || r.Skip != 5 {
		t.Errorf("the left half is %+v", r)
	}
	if r := got.Rows[0]; r.Text != "\tnew one" || r.Skip != 38 || r.Lead != "\told one\ngone\n" {
		t.Errorf("the right half is %+v", r)
	}
}
