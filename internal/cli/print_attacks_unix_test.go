//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"testing"

	"parley/internal/repeat"
)

// Lines that shells take for more than a parser does have no effect from end to end: each is refused, or runs as the print of what
// was judged. Lines that only read run unasked, with what they say.
func TestAttacksThroughPrinting(t *testing.T) {
	w := newWorld(t).signIn("")
	modes := [][]string{nil, {"--permission-mode", "plan"}, {"--permission-mode", "acceptEdits"},
		{"--permission-mode", "bypassPermissions", "--deny", "command touch *"}}
	for i, line := range []string{
		`echo "${x:-'$(touch PWNED)'}"`, "cat <<E\n${x:-'$(touch PWNED)'}\nE", "echo $(cat <<'EOF'\nx\nEOF)\ntouch PWNED\nEOF\n)",
		`RANDOM='a[$(touch PWNED)]'`, `test -f x -o -v 'a[$(touch PWNED)]'`, `env -S'A=1 touch PWNED' ls`, `sed -n '/[/p;s,]/e touch PWNED #,x,'`,
		`awk 'BEGIN{system("touch PWNED")}'`, `git -c alias.x='!touch PWNED' x`, "make -f - <<< 'a:;touch PWNED'",
	} {
		for k := range repeat.Times(1, 1, len(modes)) {
			args := modes[(i+k)%len(modes)]
			r, o := w.ends("", append(args, "-p", "--output-format", "json", "run "+line)...)
			if _, err := os.Stat(filepath.Join(w.dir, "PWNED")); err == nil {
				t.Fatalf("%q %v took effect: %+v %+v", line, args, r, o)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(w.dir, "-n"), []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"cat * | wc -l", "for f in *; do cat \"$f\"; done | head -5", "x=1; test $x = 1 && ls"} {
		if r, o := w.ends("", "-p", "--output-format", "json", "run "+line); len(r.Refusals) > 0 || o.code != 0 {
			t.Errorf("%q: %+v %+v", line, r, o)
		}
	}
}
