//go:build contract

package search

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parley/session/builtin/tool/tooltest"
)

// ripgrep returns the path of ripgrep: that of a Claude Code runtime, or the one on PATH.
func ripgrep(t *testing.T) string {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	all, _ := filepath.Glob(filepath.Join(os.Getenv("PARLEY_CONTRACT_RUNTIMES"), "claude", "*", "vendor", "ripgrep", arch+"-"+runtime.GOOS, "rg"))
	if len(all) > 0 {
		return all[0]
	}
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Fatal("ripgrep is neither in PARLEY_CONTRACT_RUNTIMES (Claude Code 2.1.112 brings it) nor on PATH; install it")
	}
	return rg
}

// ours returns the rows of a search without its notes.
func ours(t *testing.T, b *tooltest.Bench, in tooltest.Obj) []string {
	t.Helper()
	in["head_limit"] = 0
	out := b.Run(Grep, in)
	text := strings.TrimSuffix(out.Result.Text, ignoredNote)
	if text == "No match.\n" {
		return nil
	}
	if out.Result.Truncated || out.Result.Summary == "" {
		t.Fatalf("%v: %s", in, text)
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// theirs returns the rows of ripgrep.
func theirs(t *testing.T, rg, dir string, in tooltest.Obj) []string {
	t.Helper()
	args := append(ripgrepArgs(in), "./")
	cmd := exec.Command(rg, args...)
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir}
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) {
		t.Fatalf("%q: %v %s", args, err, exit.Stderr)
	}
	if len(out) == 0 {
		return nil
	}
	rows := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	for i, row := range rows {
		rows[i] = strings.TrimSuffix(strings.TrimPrefix(row, "./"), "\r")
	}
	return rows
}

// groups sorts rows by file, because ripgrep's order is another in each run.
func groups(rows []string) []string {
	var out []string
	for _, row := range rows {
		if row != separator { // between files they depend on the order
			out = append(out, row)
		}
	}
	file := func(row string) string {
		at := strings.IndexAny(row, ":-")
		if at < 0 {
			return row
		}
		return row[:at]
	}
	slices.SortStableFunc(out, func(a, b string) int { return strings.Compare(file(a), file(b)) })
	return out
}

var (
	randomNames  = []string{"a", "b", "c.go", "d.go", "e.txt", "f.md", "g.log", ".h", "build", "dist", "x y", "ü.go", "tmp.tmp", "Makefile", "i.test.ts", "j.d.ts"}
	randomRules  = []string{"*.log", "build", "/build", "dist/", "*.go", "!c.go", "a/b", "a/**", "**/d.go", "/a", "!a/", "*.t*", "?.md", "[a-c]*", "!*.txt", "e.txt", "# note", "", "b/*.md", "ü*", "tmp.*", "**/b/**", "a/*", "!/a/c.go", `\!x`, "x y"}
	randomWords  = []string{"foo", "bar", "Foo", "foobar", "baz", "x", "", "qux.", "(a)", "→", "kiss", "12", "345", "\t"}
	randomGlobs  = []string{"", "*.go", "!*.go", "*.{go,md}", "**/*.txt", "a/**", "!a", "/a/*", "*.go !d.go", "build", "a/*.go", "!**/b/*", "*.log", "{a,b}/**/*.md", "[cd].go"}
	randomTypes  = []string{"", "", "go", "md", "ts", "txt", "make", "log"}
	randomGreps  = []string{"foo", "fo+", "^foo", "bar$", `\bbar\b`, "[a-f]oo", "foo|baz", `\d+`, "Foo", "^$", "^", "x*", "o{2}b", "(foo|bar)b?a", "qux\\.", `\(a\)`, "[^a-z]", "kiss", ".", "f.o", "[0-9]{3}", `^\s*foo`, "oo.*ba", "b", "foo bar|bar foo"}
	randomSpans  = []string{`foo\nbar`, `foo.*bar`, `x\s+foo`, `(?s:foo.{0,20}baz)`, `baz\n`, `^bar$`, `\n\n`}
	randomBinary = []string{"foo\x00bar\nfoo\n", "\x00", "foo\n"}
)

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// randomTree writes a tree with ignore files.
func randomTree(r *rand.Rand, b *tooltest.Bench, plain bool) {
	b.Write(".git/HEAD", "ref: refs/heads/main\n")
	rules := func() string {
		var lines []string
		for range 1 + r.IntN(4) {
			lines = append(lines, pick(r, randomRules))
		}
		return strings.Join(lines, "\n") + "\n"
	}
	if r.IntN(2) == 0 {
		b.Write(".git/info/exclude", rules())
	}
	dirs := []string{"", "", "a/", "build/", "b/a/", "a/b/", "dist/b/", "a/a/a/"}
	for _, dir := range dirs {
		for range r.IntN(6) {
			name := dir + pick(r, randomNames)
			if info, err := os.Stat(filepath.Join(b.W.Dir, name)); err == nil && info.IsDir() {
				continue
			}
			if info, err := os.Stat(filepath.Dir(filepath.Join(b.W.Dir, name))); err == nil && !info.IsDir() {
				continue
			}
			if slices.Contains([]string{"a", "b", "build", "dist", "b/a", "a/b", "a/a"}, name) {
				continue
			}
			text := randomText(r)
			if plain {
				text = strings.ReplaceAll(text, "\r", "")
			}
			b.Write(name, text)
		}
		for _, name := range []string{".gitignore", ".ignore", ".rgignore"} {
			if r.IntN(4) == 0 {
				b.Write(dir+name, rules())
			}
		}
		if dir != "" && r.IntN(8) == 0 {
			b.Write(dir+".git/HEAD", "ref: refs/heads/main\n")
		}
	}
}

func randomText(r *rand.Rand) string {
	if r.IntN(12) == 0 {
		return pick(r, randomBinary)
	}
	var text strings.Builder
	for range r.IntN(30) {
		for range r.IntN(4) {
			text.WriteString(pick(r, randomWords) + pick(r, []string{" ", "", ""}))
		}
		text.WriteString(pick(r, []string{"\n", "\n", "\n", "\r\n"}))
	}
	if r.IntN(3) == 0 {
		text.WriteString("foo")
	}
	out := text.String()
	switch r.IntN(15) {
	case 0:
		return "\xef\xbb\xbf" + out
	case 1:
		utf16 := []byte{0xff, 0xfe}
		for _, c := range []byte(strings.ToValidUTF8(strings.Map(func(r rune) rune { return min(r, 'z') }, out), "")) {
			utf16 = append(utf16, c, 0)
		}
		return string(utf16)
	}
	return out
}

// TestContractSearchesAsRipgrepDoes compares searches of random trees with ripgrep's.
func TestContractSearchesAsRipgrepDoes(t *testing.T) {
	rg := ripgrep(t)
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		b := tooltest.New(t, nil)
		randomTree(r, b, seed%2 == 0)
		for range 25 {
			in := tooltest.Obj{"pattern": pick(r, randomGreps)}
			in["output_mode"] = pick(r, []string{"content", "content", "files_with_matches", "count"})
			if g := pick(r, randomGlobs); g != "" {
				in["glob"] = g
			}
			if ty := pick(r, randomTypes); ty != "" {
				in["type"] = ty
			}
			if r.IntN(4) == 0 {
				in["-i"] = true
			}
			for _, name := range []string{"-A", "-B", "-C"} {
				if r.IntN(4) == 0 && in["output_mode"] == "content" {
					in[name] = 1 + r.IntN(4)
				}
			}
			if seed%2 == 0 && r.IntN(4) == 0 { // line breaks are \n only
				in["multiline"] = true
				if r.IntN(2) == 0 {
					in["pattern"] = pick(r, randomSpans)
				}
			}
			if in["multiline"] == true && in["pattern"] == "^$" { // ripgrep shows lines before a match behind the last line
				continue
			}
			got, want := groups(ours(t, b, in)), groups(theirs(t, rg, b.W.Dir, in))
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, %v in %s:\n%s", seed, in, b.W.Dir, differing(got, want))
			}
		}
	}
}

func differing(got, want []string) string {
	var out strings.Builder
	for _, row := range got {
		if !slices.Contains(want, row) {
			fmt.Fprintf(&out, "only ours: %q\n", row)
		}
	}
	for _, row := range want {
		if !slices.Contains(got, row) {
			fmt.Fprintf(&out, "only ripgrep: %q\n", row)
		}
	}
	return out.String() + fmt.Sprintf("%d and %d rows", len(got), len(want))
}
