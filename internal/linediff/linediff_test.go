package linediff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		name, before, after, want string
		added, removed            int
	}{
		{"equal", "a\n", "a\n", "", 0, 0},
		{"both empty", "", "", "", 0, 0},
		{"created", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n", 2, 0},
		{"created with one line", "", "a\n", "@@ -0,0 +1 @@\n+a\n", 1, 0},
		{"emptied", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n", 0, 2},
		{"one line", "a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", 1, 1},
		{"no line feed before", "a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", 1, 1},
		{"no line feed after", "a\n", "a\nb", "@@ -1 +1,2 @@\n a\n+b\n\\ No newline at end of file\n", 1, 0},
		{"no line feed in both", "x\na", "y\na", "@@ -1,2 +1,2 @@\n-x\n+y\n a\n\\ No newline at end of file\n", 1, 1},
		{"far apart", "1\na\nb\nc\nd\ne\nf\ng\n2\n", "X\na\nb\nc\nd\ne\nf\ng\nY\n",
			"@@ -1,4 +1,4 @@\n-1\n+X\n a\n b\n c\n@@ -6,4 +6,4 @@\n e\n f\n g\n-2\n+Y\n", 2, 2},
		{"six lines apart", "1\na\nb\nc\nd\ne\nf\n2\n", "X\na\nb\nc\nd\ne\nf\nY\n",
			"@@ -1,8 +1,8 @@\n-1\n+X\n a\n b\n c\n d\n e\n f\n-2\n+Y\n", 2, 2},
		{"a line that moved down", "do\nstart\nend\n", "start\nstop\ndo\nend\n", "@@ -1,3 +1,4 @@\n-do\n start\n+stop\n+do\n end\n", 2, 1},
		{"added above, removed below", "a\nb\nc\n", "x\na\nc\n", "@@ -1,3 +1,3 @@\n+x\n a\n-b\n c\n", 1, 1},
		{"an insertion in the middle", "a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nX\ne\nf\ng\nh\n",
			"@@ -2,6 +2,7 @@\n b\n c\n d\n+X\n e\n f\n g\n", 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Between(c.before, c.after)
			if p.Text != c.want || p.Added != c.added || p.Removed != c.removed {
				t.Errorf("+%d -%d\n%s\nwant +%d -%d\n%s", p.Added, p.Removed, p.Text, c.added, c.removed, c.want)
			}
			check(t, c.before, c.after)
		})
	}
}

// check applies the patch, and wants what was compared.
func check(t testing.TB, before, after string) {
	t.Helper()
	p := Between(before, after)
	if got := apply(t, before, p.Text); got != after {
		t.Fatalf("the patch of\n%q\ndoes not lead to\n%q\nbut to\n%q\n%s", before, after, got, p.Text)
	}
	added, removed := 0, 0
	for l := range strings.Lines(p.Text) {
		switch l[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	if added != p.Added || removed != p.Removed {
		t.Fatalf("the patch counts +%d -%d and has +%d -%d", p.Added, p.Removed, added, removed)
	}
}

// apply applies hunks as the program patch does.
func apply(t testing.TB, before, hunks string) string {
	t.Helper()
	lines, at := split(before), 0
	var out strings.Builder
	last := byte(0)
	for _, l := range split(hunks) {
		content := l[1:]
		switch l[0] {
		case '@':
			var from, n int
			if _, err := fmt.Sscanf(l, "@@ -%d,%d", &from, &n); err != nil {
				if _, err := fmt.Sscanf(l, "@@ -%d ", &from); err != nil {
					t.Fatalf("the hunk begins with %q", l)
				}
				n = 1
			}
			if n > 0 {
				from--
			}
			for ; at < from; at++ {
				out.WriteString(lines[at])
			}
		case '+':
			out.WriteString(content)
		case '\\':
			if last != '-' {
				s := strings.TrimSuffix(out.String(), "\n")
				out.Reset()
				out.WriteString(s)
			}
		default:
			if at >= len(lines) || strings.TrimSuffix(lines[at], "\n") != strings.TrimSuffix(content, "\n") {
				t.Fatalf("line %d of the text is not %q", at+1, content)
			}
			if l[0] == ' ' {
				out.WriteString(content)
			}
			at++
		}
		last = l[0]
	}
	for ; at < len(lines); at++ {
		out.WriteString(lines[at])
	}
	return out.String()
}

// edited returns n lines, and the same with that many edits of a few lines.
func edited(n, edits int, seed uint64) (before, after string) {
	r := rand.New(rand.NewPCG(seed, seed))
	a := make([]string, n)
	for i := range a {
		a[i] = fmt.Sprintf("\tvalue%d := compute(%d, %q)\n", i, r.IntN(50), strings.Repeat("x", r.IntN(30)))
		if i%7 == 0 {
			a[i] = "\t}\n"
		}
	}
	b := append([]string(nil), a...)
	for range edits {
		at := r.IntN(len(b))
		switch r.IntN(3) {
		case 0:
			b[at] = fmt.Sprintf("edited %d\n", r.Int())
		case 1:
			b = append(b[:at], b[min(at+3, len(b)):]...)
		default:
			b = append(b[:at:at], append([]string{"new\n", fmt.Sprintf("line %d\n", r.Int())}, b[at:]...)...)
		}
	}
	return strings.Join(a, ""), strings.Join(b, "")
}

// A file of 10,000 lines with a thousand edits keeps a difference of about that size.
func TestManyEditsStayApart(t *testing.T) {
	before, after := edited(10_000, 1000, 1)
	check(t, before, after)
	if p := Between(before, after); p.Added+p.Removed > 4000 {
		t.Errorf("1000 edits of up to three lines are +%d -%d", p.Added, p.Removed)
	}
}

// Texts of few different lines have few unique ones.
func TestRandomTexts(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 5))
		text := func() string {
			var b strings.Builder
			for range r.IntN(300) {
				b.WriteByte("abcdefgh\n\n\n\n\n\n"[r.IntN(3+r.IntN(11))])
			}
			return b.String()
		}
		check(t, text(), text())
	}
}

func FuzzBetween(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nb\n")
	f.Add("a", "b\n")
	f.Add(strings.Repeat("x\ny\n", 90), strings.Repeat("y\nx\n", 90))
	before, after := edited(150, 20, 7)
	f.Add(before, after)
	f.Fuzz(func(t *testing.T, before, after string) {
		check(t, before, after)
		check(t, after, before)
	})
}

func BenchmarkBetween(b *testing.B) {
	few, fewAfter := edited(10_000, 5, 2)
	many, manyAfter := edited(10_000, 1000, 3)
	all, _ := edited(10_000, 0, 4)
	for _, c := range []struct{ name, before, after string }{
		{"few edits", few, fewAfter},
		{"many edits", many, manyAfter},
		{"every line", all, strings.ReplaceAll(all, "\n", ";\n")},
		{"every other line", all, everyOther(all)},
		{"created", "", all},
		{"the same lines in reverse", all, reversed(all)},
		{"4 MB of equal lines", strings.Repeat("x\n", 1<<20), strings.Repeat("x\n", 1<<20-7) + "y\n"},
		{"4 MB of few different lines", strings.Repeat("x\ny\n", 1<<19), strings.Repeat("y\ny\nx\n", 1<<18)},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				Between(c.before, c.after)
			}
		})
	}
}

func everyOther(text string) string {
	lines := split(text)
	for i := range lines {
		if i%2 == 0 {
			lines[i] = "\t" + lines[i]
		}
	}
	return strings.Join(lines, "")
}

func reversed(text string) string {
	lines := split(text)
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	return strings.Join(lines, "")
}

func TestCount(t *testing.T) {
	for hunks, want := range map[string][2]int{
		"":                                      {0, 0},
		"@@ -1,2 +1,2 @@\n a\n-b\n+c\n":         {1, 1},
		"@@ -0,0 +1,2 @@\n+-\n++\n\n":           {2, 0},
		"@@ -1,1 +0,0 @@\n--- a\n\\ No newline": {0, 1},
	} {
		if added, removed := Count(hunks); added != want[0] || removed != want[1] {
			t.Errorf("%q: +%d -%d", hunks, added, removed)
		}
	}
}
