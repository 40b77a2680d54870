package builtin

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	"parley/session/proc"
	"parley/session/toolview"
)

// bench is a directory with a workspace on it.
type bench struct {
	t *testing.T
	w *workspace
}

func newBench(t *testing.T, files map[string]string) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	processes := proc.New(proc.Options{})
	t.Cleanup(func() {
		if err := processes.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &bench{t, newWorkspace(Options{Now: time.Now, Environ: os.Environ(), Processes: processes, OutputDir: filepath.Join(t.TempDir(), "out")},
		session.OpenOptions{Dir: dir, Session: "s"})}
	for name, content := range files {
		b.write(name, content)
	}
	return b
}

func (b *bench) write(name, content string) {
	b.t.Helper()
	path := filepath.Join(b.w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) content(name string) string {
	c, err := os.ReadFile(filepath.Join(b.w.dir, name))
	if err != nil {
		return "(" + cause(err).Error() + ")"
	}
	return string(c)
}

// run prepares and runs a call without asking anybody. What cannot be prepared is a failed outcome.
func (b *bench) run(name string, input any) outcome {
	raw, err := json.Marshal(input)
	if err != nil {
		b.t.Fatal(err)
	}
	j, err := toolNamed(name).prepare(b.w, raw)
	if err == nil && j.look != nil {
		err = j.look(context.Background())
	}
	if err != nil {
		return failed("%s", err)
	}
	return j.run(context.Background(), "c1", func(string) {})
}

type obj = map[string]any

func TestSchemasAreJSON(t *testing.T) {
	for _, tool := range tools {
		var s struct {
			Type       string         `json:"type"`
			Properties map[string]any `json:"properties"`
			Required   []string       `json:"required"`
		}
		if err := json.Unmarshal([]byte(tool.schema), &s); err != nil || s.Type != "object" {
			t.Errorf("%s: %v", tool.name, err)
		}
		for _, r := range s.Required {
			if s.Properties[r] == nil {
				t.Errorf("%s requires %s, which it does not have", tool.name, r)
			}
		}
		if d := toolview.Describe(tool.name, nil, ""); d.Kind != tool.kind {
			t.Errorf("%s is shown as %s and decided on as %s", tool.name, d.Kind, tool.kind)
		}
	}
}

func TestRead(t *testing.T) {
	b := newBench(t, map[string]string{"a": "one\r\ntwo\nthree", "empty": "", "bin": "x\x00y", "bad": "\xff\n",
		"long": strings.Repeat("é", 3000) + "\n", "many": strings.Repeat("x\n", 2500), "Dir/README.md": "hi\n"})
	tests := []struct {
		in   obj
		ok   bool
		want string
	}{
		{obj{"file_path": "a"}, true, "1\tone\n2\ttwo\n3\tthree\n"},
		{obj{"file_path": filepath.Join(b.w.dir, "a")}, true, "1\tone\n2\ttwo\n3\tthree\n"},
		{obj{"file_path": "a", "offset": 2, "limit": 1}, true, "2\ttwo\n(lines 2 to 2 of 3; read on with offset 3)\n"},
		{obj{"file_path": "a", "offset": 9}, true, "(the file has only 3 lines)"},
		{obj{"file_path": "empty"}, true, "(the file is empty)"},
		{obj{"file_path": "bad"}, true, "1\t\uFFFD\n"},
		{obj{"file_path": "bin"}, false, "bin is a binary file of 3 bytes."},
		{obj{"file_path": "Dir"}, false, "Dir is a directory. Use Glob to see what is in it."},
		{obj{"file_path": "Dir/readme.txt"}, false, "Dir/readme.txt does not exist. Did you mean Dir/README.md?"},
		{obj{"file_path": "no/such"}, false, "no/such does not exist. Neither does its directory."},
		{obj{"file_path": " "}, false, `" " is not a path.`},
		{obj{}, false, `The input lacks "file_path".`},
	}
	for _, test := range tests {
		got := b.run("Read", test.in)
		if (got.outcome == session.ToolOK) != test.ok || got.result.Text != test.want {
			t.Errorf("%v: %s %q", test.in, got.outcome, got.result.Text)
		}
	}
	if got := b.run("Read", obj{"file_path": "long"}).result.Text; got != "1\t"+strings.Repeat("é", 1000)+"… (4000 more bytes)\n" {
		t.Errorf("%.60q", got)
	}
	many := b.run("Read", obj{"file_path": "many"}).result
	if many.Summary != "2,000 lines" || !many.Truncated || !strings.HasSuffix(many.Text, "(lines 1 to 2000 of 2500; read on with offset 2001)\n") {
		t.Errorf("%s", many.Summary)
	}
}

func TestGlob(t *testing.T) {
	b := newBench(t, map[string]string{"old.go": "", "src/new.go": "", "src/deep/x.ts": "", ".git/config": "", ".gitignore": "dist/\n*.log\n",
		"dist/out.go": "", "a.log": "", "src/.gitignore": "deep\n", ".hidden/h.go": ""})
	for i, name := range []string{"old.go", ".hidden/h.go", "src/new.go"} {
		when := time.Unix(int64(1000+i), 0)
		if err := os.Chtimes(filepath.Join(b.w.dir, name), when, when); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		in   obj
		want string
	}{
		"all go":   {obj{"pattern": "**/*.go"}, "src/new.go\n.hidden/h.go\nold.go\n"},
		"below":    {obj{"pattern": "*.go", "path": "src"}, "src/new.go\n"},
		"absolute": {obj{"pattern": filepath.Join(b.w.dir, "src", "*.go")}, "src/new.go\n"},
		"none":     {obj{"pattern": "**/*.ts"}, "No file matches.\n"},
		"dot":      {obj{"pattern": "./*.go"}, "old.go\n"},
		"above":    {obj{"pattern": "../*"}, `"../*" is not a pattern below ..`},
		"broken":   {obj{"pattern": "[a"}, `"[a" is not a pattern below ..`},
		"no dir":   {obj{"pattern": "*", "path": "nope"}, "nope cannot be searched: no such file or directory"},
	}
	for name, test := range tests {
		if got := b.run("Glob", test.in).result.Text; got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for i := range 250 {
		b.write(fmt.Sprintf("many/%d.txt", i), "")
	}
	r := b.run("Glob", obj{"pattern": "many/*"}).result
	if r.Summary != "250 files" || !r.Truncated || strings.Count(r.Text, "\n") != 201 {
		t.Errorf("%s %d", r.Summary, strings.Count(r.Text, "\n"))
	}
}

func TestGrep(t *testing.T) {
	b := newBench(t, map[string]string{"a.go": "one\ntwo\nthree\ntwo again\n", "b.txt": "TWO\r\nlast two", "bin": "two\x00", "c/d.go": "nothing\n",
		".gitignore": "x\n", "x": "two\n"})
	no := false
	tests := map[string]struct {
		in   obj
		want string
	}{
		"files":    {obj{"pattern": "two"}, "a.go\nb.txt\n"},
		"count":    {obj{"pattern": "two", "output_mode": "count"}, "a.go:2\nb.txt:1\n"},
		"content":  {obj{"pattern": "two", "output_mode": "content"}, "a.go:2:two\na.go:4:two again\nb.txt:2:last two\n"},
		"plain":    {obj{"pattern": "two", "output_mode": "content", "-n": no, "glob": "*.txt"}, "b.txt:last two\n"},
		"fold":     {obj{"pattern": "^two$", "-i": true, "output_mode": "content"}, "a.go:2:two\nb.txt:1:TWO\n"},
		"context":  {obj{"pattern": "^two$", "output_mode": "content", "-C": 1}, "a.go-1-one\na.go:2:two\na.go-3-three\n"},
		"overlap":  {obj{"pattern": "two", "output_mode": "content", "-B": 1, "-A": 1, "path": "a.go"}, "a.go-1-one\na.go:2:two\na.go-3-three\na.go:4:two again\n"},
		"gap":      {obj{"pattern": "one|again", "output_mode": "content", "-A": 1, "path": "a.go"}, "a.go:1:one\na.go-2-two\n--\na.go:4:two again\n"},
		"glob":     {obj{"pattern": "two", "glob": "**/*.go"}, "a.go\n"},
		"limit":    {obj{"pattern": "two", "head_limit": 1}, "a.go\n(there is more; narrow the search, or raise head_limit)\n"},
		"none":     {obj{"pattern": "four"}, "No match.\n"},
		"file":     {obj{"pattern": "two", "path": "b.txt"}, "b.txt\n"},
		"bad mode": {obj{"pattern": "a", "output_mode": "x"}, `There is no output_mode "x".`},
		"bad type": {obj{"pattern": 1}, `"pattern" must be of type string, not number.`},
	}
	for name, test := range tests {
		if got := b.run("Grep", test.in).result.Text; got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := b.run("Grep", obj{"pattern": "(?<x"}); !strings.HasPrefix(got.result.Text, "The pattern is not a regular expression") {
		t.Errorf("%+v", got)
	}
}

func TestWrite(t *testing.T) {
	b := newBench(t, map[string]string{"there": "old\n"})
	if got := b.run("Write", obj{"file_path": "new/dir/a", "content": "x"}); got.result.Text != "Wrote new/dir/a (+1 -0 lines)." {
		t.Errorf("%+v", got)
	}
	got := b.run("Write", obj{"file_path": "there", "content": "new\n"})
	if got.result.Text != "there exists and was not read in this session. Read it first." || b.content("there") != "old\n" {
		t.Errorf("%+v", got)
	}
	b.run("Read", obj{"file_path": "there"})
	if got := b.run("Write", obj{"file_path": "there", "content": "new\n"}); got.result.Summary != "+1 -1" || b.content("there") != "new\n" {
		t.Errorf("%+v", got)
	}
	// What it wrote itself it knows.
	if got := b.run("Write", obj{"file_path": "new/dir/a", "content": "y"}); got.outcome != session.ToolOK {
		t.Errorf("%+v", got)
	}
	b.write("there", "by the user\n")
	if got := b.run("Write", obj{"file_path": "there", "content": "z"}); !strings.Contains(got.result.Text, "has changed since") {
		t.Errorf("%+v", got)
	}
	if got := b.run("Write", obj{"file_path": "new", "content": "z"}); !strings.Contains(got.result.Text, "is a directory") {
		t.Errorf("%+v", got)
	}
}

func TestEditKeepsModeAndLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("Windows has neither")
		return
	}
	b := newBench(t, map[string]string{"real": "one\n"})
	real, link := filepath.Join(b.w.dir, "real"), filepath.Join(b.w.dir, "link")
	if err := os.Chmod(real, 0o751); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	b.run("Read", obj{"file_path": "link"})
	if got := b.run("Edit", obj{"file_path": "link", "old_string": "one", "new_string": "two"}); got.outcome != session.ToolOK {
		t.Fatalf("%+v", got)
	}
	info, _ := os.Lstat(link)
	if info.Mode()&os.ModeSymlink == 0 || b.content("real") != "two\n" {
		t.Error("the link was replaced")
	}
	if info, _ := os.Stat(real); info.Mode().Perm() != 0o751 {
		t.Error(info.Mode())
	}
	if left, _ := os.ReadDir(b.w.dir); len(left) != 2 {
		t.Error("left behind:", left)
	}
}

func TestReplace(t *testing.T) {
	tests := map[string]struct {
		content, old, new string
		all               bool
		want              string // of an error: a part, after "!"
	}{
		"once":         {"a b c", "b", "x", false, "a x c"},
		"all":          {"a b a", "a", "x", true, "x b x"},
		"twice":        {"a b a", "a", "x", false, "!occurs 2 times"},
		"same":         {"a", "a", "a", false, "!the same"},
		"empty":        {"a", "", "a", false, "!empty"},
		"missing":      {"a", "b", "c", false, "!not found. Read the file again"},
		"white space":  {"if x {\n\ty()\n}", "if x {\n  y()\n}", "", false, "!only in white space"},
		"numbers":      {"func x() {\n", "12\tfunc x() {", "", false, "!line numbers"},
		"first line":   {"a = 1\nb = 2\n", "a = 1\nb = 3", "", false, "!what follows differs"},
		"crlf":         {"a\r\nb\r\nc\r\n", "a\nb", "x\ny", false, "x\r\ny\r\nc\r\n"},
		"crlf, a line": {"a\r\nb\r\n", "b", "x\ny", false, "a\r\nx\r\ny\r\n"},
		"crlf, given":  {"a\r\nb\r\n", "a\r\nb", "x\r\ny", false, "x\r\ny\r\n"},
		"mixed":        {"a\r\nb\n", "b", "x\ny", false, "a\r\nx\ny\n"},
		"delete":       {"a\nb\n", "a\n", "", false, "b\n"},
		"not utf-8":    {"\xff a", "a", "b", false, "\xff b"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := replace([]byte(test.content), test.old, test.new, test.all)
			if want, isError := strings.CutPrefix(test.want, "!"); isError {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%q, %v", got, err)
				}
			} else if err != nil || string(got) != test.want {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestFileEdit(t *testing.T) {
	got := fileEdit("/x", false, []byte("a\nb\nc\n"), []byte("a\nx\nc"))
	want := session.FileEdit{Path: "/x", Added: 2, Removed: 2, Patch: "@@ -1,3 +1,3 @@\n a\n-b\n-c\n+x\n+c\n\\ No newline at end of file\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := fileEdit("/x", true, nil, []byte("a\x00")); got.Patch != "" || !got.Created {
		t.Errorf("%+v", got)
	}
	if got := fileEdit("/x", false, []byte("---\n"), []byte("+++\n")); got.Added != 1 || got.Removed != 1 {
		t.Errorf("%+v", got)
	}
}

func FuzzReplace(f *testing.F) {
	f.Add("a\r\nb", "a\nb", "c\n", true)
	f.Add("", "", "x", false)
	f.Fuzz(func(t *testing.T, content, old, new string, all bool) {
		got, err := replace([]byte(content), old, new, all)
		if err == nil && string(got) == content && !strings.Contains(content, old) && crlf(old) != crlf(new) {
			t.Errorf("nothing changed and nothing was said: %q", got)
		}
	})
}

func FuzzNumbered(f *testing.F) {
	f.Add([]byte("a\nb"), 1, 1)
	f.Add([]byte("\n\n\r\n"), 2, 0)
	f.Fuzz(func(t *testing.T, content []byte, offset, limit int) {
		r := numbered(content, offset, limit)
		if first, _, ok := strings.Cut(r.Text, "\t"); ok && !strings.HasPrefix(r.Text, "(") {
			if n, err := strconv.Atoi(first); err != nil || n != max(offset, 1) {
				t.Errorf("begins with %q", first)
			}
		}
	})
}
