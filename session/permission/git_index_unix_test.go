//go:build unix

package permission

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGitlinksAreFound reads indexes that git itself wrote, in every version and with both kinds of names of objects.
func TestGitlinksAreFound(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		for _, version := range map[string][]string{"sha1": {"2", "3", "4"}, "sha256": {"2"}}[format] {
			dir := t.TempDir()
			git := func(args ...string) {
				t.Helper()
				cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x"}, args...)...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v %s", args, err, out)
				}
			}
			hash := map[string]int{"sha1": 20, "sha256": 32}[format]
			has := func() bool {
				index, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
				if err != nil {
					t.Fatal(err)
				}
				for _, cut := range []int{1, 11, 13, 60, len(index) / 2} { // no panic
					hasGitlink(index[:min(cut, len(index))], hash)
				}
				return hasGitlink(index, hash)
			}
			git("init", "-q", "--object-format="+format)
			for i := range 40 {
				name := filepath.Join(dir, strings.Repeat("a", i+1)+".txt")
				if err := os.WriteFile(name, []byte(name), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			git("add", ".")
			git("commit", "-qm", "x")
			if version == "3" {
				git("update-index", "--skip-worktree", "a.txt")
			}
			git("update-index", "--index-version", version)
			if has() {
				t.Errorf("%s, version %s: a gitlink where none is", format, version)
			}
			git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 2*hash)+",sub")
			if !has() {
				t.Errorf("%s, version %s: no gitlink", format, version)
			}
		}
	}
}
