package changes

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parley/internal/repeat"
)

// replay returns the old and the new lines of pieces with their numbers, as a reader would count them.
func replay(t *testing.T, pieces []piece) (old, new []string) {
	t.Helper()
	for _, p := range pieces {
		head, rest, _ := strings.Cut(p.patch, "\n")
		var a, an, b, bn int
		if _, err := fmt.Sscanf(head, "@@ -%d,%d +%d,%d @@", &a, &an, &b, &bn); err != nil {
			t.Fatalf("%q: %v", head, err)
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(rest, "\n"), "\n") {
			o, n := sides(line)
			if o > 0 {
				old = append(old, fmt.Sprint(a, strings.TrimLeft(line, "- ")))
				a, an = a+1, an-1
			}
			if n > 0 {
				new = append(new, fmt.Sprint(b, strings.TrimLeft(line, "+ ")))
				b, bn = b+1, bn-1
			}
		}
		if an != 0 || bn != 0 {
			t.Errorf("%s has %d and %d lines more or less", head, -an, -bn)
		}
	}
	return old, new
}

// TestPiecesHoldEveryLine cuts random patches: each line is there with its number, on its side and in its order, unified and
// side by side, and no piece is long.
func TestPiecesHoldEveryLine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range repeat.Times(30, 60, 300) {
		var b strings.Builder
		var wantOld, wantNew []string
		old, new := 1, 1
		for range r.IntN(4) {
			old, new = old+r.IntN(50), new+r.IntN(50)
			var lines []string
			o, n := 0, 0
			for range 1 + r.IntN(6) {
				for k, sign := range []string{" ", "-", "+"} {
					for range r.IntN([]int{200, 900, 900}[k]) / (1 + r.IntN(40)) {
						text := fmt.Sprint("x", r.IntN(1000))
						lines = append(lines, sign+text)
						if sign != "+" {
							wantOld = append(wantOld, fmt.Sprint(old+o, text))
							wantOld[len(wantOld)-1] = fmt.Sprint(old+o, text)
							o++
						}
						if sign != "-" {
							wantNew = append(wantNew, fmt.Sprint(new+n, text))
							n++
						}
					}
				}
			}
			if len(lines) == 0 {
				continue
			}
			fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@ func\n%s\n", old, o, new, n, strings.Join(lines, "\n"))
			old, new = old+o, new+n
		}
		for _, split := range []bool{false, true} {
			pieces, digits := cut(b.String(), split)
			gotOld, gotNew := replay(t, pieces)
			if strings.Join(gotOld, ",") != strings.Join(wantOld, ",") || strings.Join(gotNew, ",") != strings.Join(wantNew, ",") {
				t.Fatalf("split %v: lines are lost or moved:\n%s", split, b.String())
			}
			for _, p := range pieces {
				if n := strings.Count(p.patch, "\n"); n > maxLines+2 {
					t.Errorf("a piece has %d lines", n)
				}
			}
			if digits < len(fmt.Sprint(max(old, new)-1)) && len(pieces) > 0 {
				t.Errorf("%d digits for %d", digits, max(old, new))
			}
		}
	}
}

func TestPiecesOfOneSide(t *testing.T) {
	created := "@@ -0,0 +1,1000 @@\n" + strings.Repeat("+x\n", 1000)
	pieces, _ := cut(created, true)
	for _, p := range pieces {
		if !strings.HasPrefix(p.patch, "@@ -0,0 +") {
			t.Errorf("a part of a new file begins with %.20q", p.patch)
		}
	}
	if len(pieces) < 3 || !pieces[0].first || pieces[0].apart || pieces[1].first {
		t.Errorf("%d pieces, which begin wrongly", len(pieces))
	}
	if pieces, _ := cut("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", false); len(pieces) != 1 || strings.Count(pieces[0].patch, "\n") != 4 {
		t.Errorf("a remark: %+v", pieces)
	}
	if pieces, _ := cut("", false); len(pieces) != 0 {
		t.Errorf("nothing has %d pieces", len(pieces))
	}
}

// FuzzCut cuts anything without a panic, and keeps no more lines than there are.
func FuzzCut(f *testing.F) {
	f.Add("@@ -1,2 +1,2 @@\n a\n-b\n+c\n", true)
	f.Add("--- a\n+++ b\n@@ -9999999999999999999,-3 +x @@\n\\\n@@ @@\n", false)
	f.Fuzz(func(t *testing.T, patch string, split bool) {
		pieces, digits := cut(patch, split)
		n := 0
		for _, p := range pieces {
			n += strings.Count(p.patch, "\n") - 1
		}
		if n > strings.Count(patch, "\n")+1 || digits < 1 {
			t.Errorf("%d lines in pieces of %q, %d digits", n, patch, digits)
		}
	})
}
