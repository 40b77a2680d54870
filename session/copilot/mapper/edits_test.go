package mapper

import (
	"testing"

	"parley/session"
)

func TestEditsOfADiff(t *testing.T) {
	diff := "\ndiff --git a/repo/a.txt b/repo/a.txt\nindex 0000000..0000000 100644\n--- a/repo/a.txt\n+++ b/repo/a.txt\n@@ -1,4 +1,4 @@\n one\n-two\n+2\n three\n \n\n" +
		"\ndiff --git a/repo/p.txt b/repo/p.txt\ncreate file mode 100644\nindex 0000000..0000000\n--- a/dev/null\n+++ b/repo/p.txt\n@@ -1,0 +1,2 @@\n+x\n+\n\n" +
		"\ndiff --git a/repo/q.txt b/repo/q.txt\ndeleted file mode 100644\n--- a/repo/q.txt\n+++ b/dev/null\n@@ -1,1 +0,0 @@\n--- x\n"
	want := []session.FileEdit{
		{Path: "/repo/a.txt", Added: 1, Removed: 1, Patch: "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"},
		{Path: "/repo/p.txt", Created: true, Added: 1, Patch: "@@ -1,0 +1,1 @@\n+x\n"},
		{Path: "/repo/q.txt", Deleted: true, Removed: 1, Patch: "@@ -1,1 +0,0 @@\n--- x\n"},
	}
	got := editsOf(diff)
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %+v\nwant %+v", got[i], want[i])
		}
	}
	for _, none := range []string{"", "User selected: red", "diff --git a/x b/x\n", "@@ -1 +1 @@\n+x\n"} {
		if got := editsOf(none); len(got) != 0 {
			t.Errorf("%q: %+v", none, got)
		}
	}
}
