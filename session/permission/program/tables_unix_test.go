//go:build unix

package program

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/repeat"
)

// piecesOf are what random scripts are made of: what is fine, and what runs and writes.
var piecesOf = map[string][]string{
	"sed": {"1", "$", "/a/", "/b c/I", "2,3", ",", "p", "d", "q", "=", "n", "N", "h", "G", "x", "l", "!", ";", "\n", " ", "{", "}", "{p;",
		"s/", "s,", "s|", "s#", "/", ",", "|", "#", "[", "]", "[^", "[]", "[^]", "[a]", "[[:alpha:]]", "[:", ":]",
		"e", "e touch PWNED", "e touch PWNED #", "w PWNED", "w PWNED #", "r x", "/e", "/w PWNED", "/ge", "g", "i", "I", "\\", "\\/", "\\,",
		"\\n", "\\c", "a", "b", ".", "*", "y/", "ab/ba/", "+3", "~2", "touch PWNED", "&"},
	"awk": {"{", "}", "{print ", "print ", "printf ", "printf(", "(", ")", ";", "\n", " ", ",", "$1", "$NF", "$0", "NR", "x", "x++", "++",
		"--", "a[$1]", "+", "-", "*", "/", "/a/", "/b", "/ ", " / ", "/=", "~", "!", "!~", "==", "=", "+=", "<", ">", ">>", "|",
		"||", "&&", "\"", "\"a\"", "\"%s\\n\"", "\"PWNED\"", "> \"PWNED\"", "| \"touch PWNED\"", "system(\"touch PWNED\")",
		"\"touch PWNED\" | getline", "close(\"x\")", "[/]", "[", "]", "\\", "\\/", "#", "if (", "else ", "in ", "END", "BEGIN", "1", "2",
		"length", "length(", "substr(", "gsub(", "/[[:alpha:]]/", "? ", ": ", "print > \"PWNED\"", "exit", "next"},
}

// scriptsOf are scripts that random ones are changed from.
var scriptsOf = map[string][]string{
	"sed": append(slices.Clone(bracketAttacks), "1,20p", "/a b/,/c/p", "s/a/b/g;p", `s|a/b|c\/d|;/x/d`, "/x/{p;q}",
		"s/[[:space:]]*$//;s,b,c,", "y/abc/ABC/;s#a#b#p", "/[^x]/!d;s/[a-c]/<&>/gI"),
	"awk": append(slices.Clone(awkYes), awkNo...),
}

// loops are those of awk that a change may keep from ending.
var loops = regexp.MustCompile(`while|for ?\(i`)

// randomScript makes a script of pieces, or changes one.
func randomScript(r *rand.Rand, language string) string {
	pieces, some := piecesOf[language], scriptsOf[language]
	piece := func() string { return pieces[r.IntN(len(pieces))] }
	var out strings.Builder
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(9) {
			out.WriteString(piece())
		}
		return out.String()
	}
	script := some[r.IntN(len(some))]
	for range 1 + r.IntN(3) {
		from := r.IntN(len(script) + 1)
		to := min(len(script), from+r.IntN(4))
		script = script[:from] + piece() + script[to:]
	}
	return script
}

// runApart runs a program on some lines in an empty folder, and returns the files that it left there.
func runApart(t *testing.T, dir string, words ...string) []os.DirEntry {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Dir, c.Env, c.Stdin = dir, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"},
		strings.NewReader("touch PWNED\na b c\n[x],/p\n\nb 2 3\n")
	_ = c.Run() // most are no scripts
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left {
		_ = os.RemoveAll(filepath.Join(dir, f.Name()))
	}
	return left
}

// TestScriptsHaveNoEffect runs random scripts that the forms take with the machine's sed and awk.
func TestScriptsHaveNoEffect(t *testing.T) {
	for language, isTaken := range map[string]func(string) bool{"sed": forms["script"]().MatchString, "awk": awkOnlyReads} {
		t.Run(language, func(t *testing.T) {
			if _, err := exec.LookPath(language); err != nil {
				t.Fatalf("every unix has %s: %v", language, err)
			}
			r, dir := rand.New(rand.NewPCG(7, 11)), t.TempDir()
			if left := runApart(t, dir, language, map[string]string{"sed": "w PWNED", "awk": `{print > "PWNED"}`}[language]); len(left) != 1 {
				t.Fatalf("a script that writes left %v: the test sees nothing", left)
			}
			seen := map[string]bool{}
			for want := repeat.Times(50, 150, 10000); len(seen) < want; {
				script := randomScript(r, language)
				if seen[script] || loops.MatchString(script) || !isTaken(script) {
					continue
				}
				seen[script] = true
				words := []string{language}
				if language == "sed" {
					words = append(words, []string{"-n", "-E", "-z", "-s"}[len(seen)%4])
				}
				if left := runApart(t, dir, append(words, "--", script)...); len(left) > 0 {
					t.Errorf("%q left %v", script, left)
				}
			}
		})
	}
}
