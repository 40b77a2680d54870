package md

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCodeBlocks(t *testing.T) {
	src := "Words.\n\n```go\nif x {\n\ty()\n}\n```\n\n- an item\n\n  ~~~ sh\n  make all\n  ~~~\n\n> ```\n> quoted\x1b[m\n> ```\n\n    indented\n\n`inline`\n\n```py\nopen ="
	want := []CodeBlock{{"go", "if x {\n\ty()\n}"}, {"sh", "make all"}, {"", "quoted␛[m"}, {"", "indented"}, {"py", "open ="}}
	if diff := cmp.Diff(want, CodeBlocks(src)); diff != "" {
		t.Error(diff)
	}
	if got := CodeBlocks("No `code` block."); got != nil {
		t.Errorf("%q", got)
	}
}

// TestDiffGutter holds the width of what stands before the lines of a patch against what is drawn.
func TestDiffGutter(t *testing.T) {
	patch := "@@ -1,2 +1,2 @@\n same\n-old\n+new\n"
	for _, w := range []int{80, 20, 8} {
		o := DiffOptions{Options: Options{Width: w, Theme: named("notty")}}
		rows, n := Diff(patch, o), DiffGutter(patch, o)
		if got := rows[0][n:]; got != "same" {
			t.Errorf("at %d columns %q is behind the gutter of %d in %q", w, got, n, rows[0])
		}
	}
}
