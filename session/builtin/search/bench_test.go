package search

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/session/builtin/tool"
	"parley/session/builtin/tool/tooltest"
)

// forest writes 100,000 files of about 1.5 kB in 2,000 folders, with ignore files, and returns their directory.
func forest(b *testing.B) string {
	dir := os.Getenv("PARLEY_BENCH_TREE") // to use one tree for several runs
	if dir == "" {
		dir = b.TempDir()
	}
	if _, err := os.Stat(filepath.Join(dir, "d0")); err == nil {
		return dir
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("func return if err nil package import string int for range map struct type var const value key index count session turn part")
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	write(filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(filepath.Join(dir, ".gitignore"), "*.log\n/build/\nnode_modules\n*.tmp\n*~\n.DS_Store\n/dist\n*.o\n*.so\nvendor/**/test\n")
	for d := range 2000 {
		folder := filepath.Join(dir, fmt.Sprintf("d%d", d%20), fmt.Sprintf("e%d", d/20%10), fmt.Sprintf("f%d", d/200))
		for f := range 50 {
			var text strings.Builder
			for range 30 {
				for range 8 {
					text.WriteString(words[rnd.IntN(len(words))] + " ")
				}
				fmt.Fprintf(&text, "x%d\n", rnd.IntN(1000))
			}
			if f == 7 && d%10 == 0 {
				text.WriteString("the needle_in_haystack stands here\n")
			}
			write(filepath.Join(folder, fmt.Sprintf("file%d.%s", f, []string{"go", "ts", "md", "py"}[f%4])), text.String())
		}
	}
	return dir
}

var benchCalls = map[string]tooltest.Obj{
	"literal": {"pattern": "needle_in_haystack"},
	"fold":    {"pattern": "NEEDLE_IN_hay", "-i": true},
	"regexp":  {"pattern": `[a-z]+_in_\w+ stands`, "output_mode": "content"},
	"classes": {"pattern": `[A-Z][a-z]{3}\d+[!?]`},
	"words":   {"pattern": `needle_in|haystack_in|absent_word`, "output_mode": "count"},
	"type":    {"pattern": "needle_in_haystack", "type": "go"},
}

// BenchmarkForest searches 100,000 files.
func BenchmarkForest(b *testing.B) {
	dir := forest(b)
	w := &tool.Workspace{Dir: dir}
	run := func(one *tool.Tool, in string) {
		j, err := one.Prepare(w, []byte(in))
		if err != nil {
			b.Fatal(err)
		}
		j.Run(b.Context(), "c", func(string) {})
	}
	b.Run("glob", func(b *testing.B) {
		for b.Loop() {
			run(Glob, `{"pattern":"**/*.go"}`)
		}
	})
	b.Run("glob all", func(b *testing.B) {
		for b.Loop() {
			run(Glob, `{"pattern":"**"}`)
		}
	})
	for name, in := range benchCalls {
		b.Run(name, func(b *testing.B) {
			raw := string(encoded(in))
			for b.Loop() {
				run(Grep, raw)
			}
		})
		rg, err := exec.LookPath("rg")
		if err != nil {
			continue
		}
		b.Run(name+" ripgrep", func(b *testing.B) {
			for b.Loop() {
				_ = exec.Command(rg, append(ripgrepArgs(in), dir)...).Run()
			}
		})
	}
}
