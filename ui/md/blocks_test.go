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
