package search

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session/builtin/tool/tooltest"
)

func TestGlob(t *testing.T) {
	b := tooltest.New(t, map[string]string{"old.go": "", "src/new.go": "", "src/deep/x.ts": "", ".git/config": "", ".gitignore": "dist/\n*.log\n",
		"dist/out.go": "", "a.log": "", "src/.gitignore": "deep\n", ".hidden/h.go": ""})
	for i, name := range []string{"old.go", ".hidden/h.go", "src/new.go"} {
		when := time.Unix(int64(1000+i), 0)
		if err := os.Chtimes(filepath.Join(b.W.Dir, name), when, when); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		in   tooltest.Obj
		want string
	}{
		"all go":   {tooltest.Obj{"pattern": "**/*.go"}, "src/new.go\n.hidden/h.go\nold.go\n"},
		"below":    {tooltest.Obj{"pattern": "*.go", "path": "src"}, "src/new.go\n"},
		"absolute": {tooltest.Obj{"pattern": filepath.Join(b.W.Dir, "src", "*.go")}, "src/new.go\n"},
		"none":     {tooltest.Obj{"pattern": "**/*.ts"}, "No file matches.\n" + ignoredNote},
		"dot":      {tooltest.Obj{"pattern": "./*.go"}, "old.go\n"},
		"above":    {tooltest.Obj{"pattern": "../*"}, `"../*" leads out of the directory that is searched. Give the one that is meant as path.`},
		"broken":   {tooltest.Obj{"pattern": "[a"}, `"[a" is not a pattern: a [ or { is not closed, or stands for itself and needs a \ before it.`},
		"no dir":   {tooltest.Obj{"pattern": "*", "path": "nope"}, "nope does not exist."},
		"meant":    {tooltest.Obj{"pattern": "*", "path": "SRC"}, "SRC does not exist. Did you mean src?"},
		"folders":  {tooltest.Obj{"pattern": "*"}, ".hidden/\nsrc/\n.gitignore\nold.go\n"},
		"alone":    {tooltest.Obj{"path": "src"}, "src/.gitignore\nsrc/new.go\n"},
		"itself":   {tooltest.Obj{"pattern": "src"}, "src/\n"},
		"slash":    {tooltest.Obj{"pattern": "src/"}, "src/.gitignore\nsrc/new.go\n"},
		"brace":    {tooltest.Obj{"pattern": "{src,old*}"}, "src/\nold.go\n"},
		"ignored":  {tooltest.Obj{"pattern": "d*"}, "No file matches.\n" + ignoredNote},
	}
	for name, test := range tests {
		if got := b.Run(Glob, test.in).Result.Text; got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for i := range 250 {
		b.Write(fmt.Sprintf("many/%d.txt", i), "")
	}
	r := b.Run(Glob, tooltest.Obj{"pattern": "many/*"}).Result
	if r.Summary != "250 files" || !r.Truncated || strings.Count(r.Text, "\n") != 201 {
		t.Errorf("%s %d", r.Summary, strings.Count(r.Text, "\n"))
	}
}

func TestGrep(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a.go": "one\ntwo\nthree\ntwo again\n", "b.txt": "TWO\r\nlast two", "bin": "two\x00", "c/d.go": "nothing\n",
		".gitignore": "x\n", "x": "two\n"})
	no := false
	tests := map[string]struct {
		in   tooltest.Obj
		want string
	}{
		"files":    {tooltest.Obj{"pattern": "two"}, "a.go\nb.txt\n"},
		"count":    {tooltest.Obj{"pattern": "two", "output_mode": "count"}, "a.go:2\nb.txt:1\n"},
		"content":  {tooltest.Obj{"pattern": "two", "output_mode": "content"}, "a.go:2:two\na.go:4:two again\nb.txt:2:last two\n"},
		"plain":    {tooltest.Obj{"pattern": "two", "output_mode": "content", "-n": no, "glob": "*.txt"}, "b.txt:last two\n"},
		"fold":     {tooltest.Obj{"pattern": "^two$", "-i": true, "output_mode": "content"}, "a.go:2:two\nb.txt:1:TWO\n"},
		"context":  {tooltest.Obj{"pattern": "^two$", "output_mode": "content", "-C": 1}, "a.go-1-one\na.go:2:two\na.go-3-three\n"},
		"overlap":  {tooltest.Obj{"pattern": "two", "output_mode": "content", "-B": 1, "-A": 1, "path": "a.go"}, "a.go-1-one\na.go:2:two\na.go-3-three\na.go:4:two again\n"},
		"gap":      {tooltest.Obj{"pattern": "one|again", "output_mode": "content", "-A": 1, "path": "a.go"}, "a.go:1:one\na.go-2-two\n--\na.go:4:two again\n"},
		"glob":     {tooltest.Obj{"pattern": "two", "glob": "**/*.go"}, "a.go\n"},
		"limit":    {tooltest.Obj{"pattern": "two", "head_limit": 1}, "a.go\n(there is more; narrow the search, or go on with offset 1)\n"},
		"none":     {tooltest.Obj{"pattern": "four"}, "No match.\n" + ignoredNote},
		"file":     {tooltest.Obj{"pattern": "two", "path": "b.txt"}, "b.txt\n"},
		"bad mode": {tooltest.Obj{"pattern": "a", "output_mode": "x"}, `There is no output_mode "x". There are content, files_with_matches and count.`},
		"bad type": {tooltest.Obj{"pattern": 1}, `"pattern" must be of type string, not number.`},
	}
	for name, test := range tests {
		if got := b.Run(Grep, test.in).Result.Text; got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := b.Run(Grep, tooltest.Obj{"pattern": "(?<x"}); !strings.HasPrefix(got.Result.Text, "The pattern is not a regular expression") {
		t.Errorf("%+v", got)
	}
}
