package md

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/ui/md/highlight"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares rows with a file. Escapes are written as ^[ so that the files can be read and reviewed.
func golden(t *testing.T, name string, rows []string) {
	t.Helper()
	got := strings.ReplaceAll(strings.Join(rows, "\n")+"\n", "\x1b", "^")
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run the test with -update to write it)", err)
	}
	if diff := difference(strings.Split(got, "\n"), strings.Split(string(want), "\n")); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

func TestGoldenDocuments(t *testing.T) {
	themes := map[string]*Theme{"dark": Dark(), "light": Light(), "notty": named("notty"), "high-contrast": named("high-contrast")}
	for _, doc := range []string{"rich", "code", "github"} {
		src := corpus(t)[doc+".md"]
		for name, th := range themes {
			for _, w := range []int{80, 40} {
				if doc != "rich" && (w == 40 || name == "notty" || name == "high-contrast") {
					continue
				}
				golden(t, fmt.Sprintf("%s.%s.%d.txt", doc, name, w), Render(src, Options{Width: w, Theme: th, Highlighter: highlight.AtOnce()}))
			}
		}
	}
}

const patch = `diff --git a/retry.go b/retry.go
--- a/retry.go	2026-01-01
+++ b/retry.go	2026-01-02
@@ -41,3 +41,4 @@ func (c *Client) do(
 func (c *Client) do(req *http.Request) (*http.Response, error) {
-	resp, err := c.Do(req)
-	timer := time.NewTimer(backoff)
+	timer := time.NewTimer(backoff)
+	defer timer.Stop()
+	resp, err := c.Do(req)
@@ -1200 +1201 @@
-old ` + "\x1b[31m" + ` text that is long enough to be wrapped even at the wider of the two widths of this test, is it not
+new
\ No newline at end of file
--- a/two.txt
+++ /dev/null
@@ -1,2 +0,0 @@
--- looks like a header
-gone
`

func TestGoldenDiff(t *testing.T) {
	for _, w := range []int{100, 40, 12} {
		o := DiffOptions{Options: Options{Width: w, Highlighter: highlight.AtOnce()}}
		rows := Diff(patch, o)
		checkRows(t, rows, o.Options)
		golden(t, fmt.Sprintf("diff.%d.txt", w), rows)
	}
	o := DiffOptions{Options: Options{Width: 120, Highlighter: highlight.AtOnce()}, Split: true}
	rows := Diff(patch, o)
	checkRows(t, rows, o.Options)
	golden(t, "diff.split.txt", rows)
}
