package files

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	"parley/session/builtin/tool/tooltest"
)

func TestRead(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a": "one\r\ntwo\nthree", "empty": "", "bin": "x\x00y", "bad": "\xff\n",
		"long": strings.Repeat("é", 3000) + "\n", "many": strings.Repeat("x\n", 2500), "Dir/README.md": "hi\n"})
	tests := []struct {
		in   tooltest.Obj
		ok   bool
		want string
	}{
		{tooltest.Obj{"file_path": "a"}, true, "1\tone\n2\ttwo\n3\tthree\n"},
		{tooltest.Obj{"file_path": filepath.Join(b.W.Dir, "a")}, true, "1\tone\n2\ttwo\n3\tthree\n"},
		{tooltest.Obj{"file_path": "a", "offset": 2, "limit": 1}, true, "2\ttwo\n(lines 2 to 2 of 3; read on with offset 3)\n"},
		{tooltest.Obj{"file_path": "a", "offset": 9}, true, "(the file has only 3 lines)"},
		{tooltest.Obj{"file_path": "empty"}, true, "(the file is empty)"},
		{tooltest.Obj{"file_path": "bad"}, true, "1\t\uFFFD\n"},
		{tooltest.Obj{"file_path": "bin"}, false, "bin is a binary file of 3 bytes."},
		{tooltest.Obj{"file_path": "Dir"}, true, "README.md\n"},
		{tooltest.Obj{"file_path": "Dir/readme.txt"}, false, "Dir/readme.txt does not exist. Did you mean Dir/README.md?"},
		{tooltest.Obj{"file_path": "no/such"}, false, "no/such does not exist. Neither does its directory."},
		{tooltest.Obj{"file_path": " "}, false, `" " is not a path.`},
		{tooltest.Obj{}, false, `The input lacks "file_path".`},
	}
	for _, test := range tests {
		got := b.Run(Read, test.in)
		if (got.How == session.ToolOK) != test.ok || got.Result.Text != test.want {
			t.Errorf("%v: %s %q", test.in, got.How, got.Result.Text)
		}
	}
	if got := b.Run(Read, tooltest.Obj{"file_path": "long"}).Result.Text; got != "1\t"+strings.Repeat("é", 1000)+"… (4000 more bytes)\n" {
		t.Errorf("%.60q", got)
	}
	many := b.Run(Read, tooltest.Obj{"file_path": "many"}).Result
	if many.Summary != "2,000 lines" || !many.Truncated || !strings.HasSuffix(many.Text, "(lines 1 to 2000 of 2500; read on with offset 2001)\n") {
		t.Errorf("%s", many.Summary)
	}
}

func TestWrite(t *testing.T) {
	b := tooltest.New(t, map[string]string{"there": "old\n"})
	if got := b.Run(Write, tooltest.Obj{"file_path": "new/dir/a", "content": "x"}); got.Result.Text != "Wrote new/dir/a (+1 -0 lines)." {
		t.Errorf("%+v", got)
	}
	got := b.Run(Write, tooltest.Obj{"file_path": "there", "content": "new\n"})
	if got.Result.Text != "there exists and was not read in this session. Read it first." || b.Content("there") != "old\n" {
		t.Errorf("%+v", got)
	}
	b.Run(Read, tooltest.Obj{"file_path": "there"})
	if got := b.Run(Write, tooltest.Obj{"file_path": "there", "content": "new\n"}); got.Result.Summary != "+1 -1" || b.Content("there") != "new\n" {
		t.Errorf("%+v", got)
	}
	// What it wrote itself it knows.
	if got := b.Run(Write, tooltest.Obj{"file_path": "new/dir/a", "content": "y"}); got.How != session.ToolOK {
		t.Errorf("%+v", got)
	}
	b.Write("there", "by the user\n")
	if got := b.Run(Write, tooltest.Obj{"file_path": "there", "content": "z"}); !strings.Contains(got.Result.Text, "has changed since") {
		t.Errorf("%+v", got)
	}
	if got := b.Run(Write, tooltest.Obj{"file_path": "new", "content": "z"}); !strings.Contains(got.Result.Text, "is a directory") {
		t.Errorf("%+v", got)
	}
}

func TestEditKeepsModeAndLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("Windows has neither")
		return
	}
	b := tooltest.New(t, map[string]string{"real": "one\n"})
	real, link := filepath.Join(b.W.Dir, "real"), filepath.Join(b.W.Dir, "link")
	if err := os.Chmod(real, 0o751); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	b.Run(Read, tooltest.Obj{"file_path": "link"})
	if got := b.Run(Edit, tooltest.Obj{"file_path": "link", "old_string": "one", "new_string": "two"}); got.How != session.ToolOK {
		t.Fatalf("%+v", got)
	}
	info, _ := os.Lstat(link)
	if info.Mode()&os.ModeSymlink == 0 || b.Content("real") != "two\n" {
		t.Error("the link was replaced")
	}
	if info, _ := os.Stat(real); info.Mode().Perm() != 0o751 {
		t.Error(info.Mode())
	}
	if left, _ := os.ReadDir(b.W.Dir); len(left) != 2 {
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
		"white space":  {"if x {\n\ty( 1)\n}", "if x {\n  y(  1)\n}", "", false, "!only in white space"},
		"numbers":      {"func x() {\n", "12\tfunc x() {", "", false, "!line numbers"},
		"first line":   {"a = 1\nb = 2\n", "a = 1\nb = 3", "", false, "!nearest is at lines 1 to 2. Line 2 is\nb = 2\nwhere old_string has\nb = 3"},
		"crlf":         {"a\r\nb\r\nc\r\n", "a\nb", "x\ny", false, "x\r\ny\r\nc\r\n"},
		"crlf, a line": {"a\r\nb\r\n", "b", "x\ny", false, "a\r\nx\r\ny\r\n"},
		"crlf, given":  {"a\r\nb\r\n", "a\r\nb", "x\r\ny", false, "x\r\ny\r\n"},
		"mixed":        {"a\r\nb\n", "b", "x\ny", false, "a\r\nx\ny\n"},
		"delete":       {"a\nb\n", "a\n", "", false, "b\n"},
		"not utf-8":    {"\xff a", "a", "b", false, "\xff b"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := replace(test.content, test.old, test.new, test.all)
			if want, isError := strings.CutPrefix(test.want, "!"); isError {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%q, %v", got, err)
				}
			} else if err != nil || got != test.want {
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
		got, err := replace(content, old, new, all)
		if err == nil && got == content && !strings.Contains(content, old) && crlf(old) != crlf(new) {
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
