package search

import (
	"fmt"
	"strings"
	"testing"

	"parley/internal/repeat"
	"parley/session/builtin/tool/tooltest"
)

// Files of other encodings, binary files and long lines are searched as ripgrep does.
func TestGrepOfOddFiles(t *testing.T) {
	utf16 := func(text string, big bool) string {
		out := []byte{0xff, 0xfe}
		if big {
			out = []byte{0xfe, 0xff}
		}
		for _, c := range []byte(text) {
			if big {
				out = append(out, 0, c)
			} else {
				out = append(out, c, 0)
			}
		}
		return string(out)
	}
	late := strings.Repeat("word\n", 20_000) // 100 kB
	b := tooltest.New(t, map[string]string{"little": utf16("one\r\ntwo needle\n", false), "big": utf16("needle", true), "mark": "\xef\xbb\xbfneedle\n",
		"binary": "needle\x00needle\n", "late": late + "needle\x00\n", "early": "needle\n" + late + "\x00", "invalid": "a\xff needle\n",
		"long": strings.Repeat("x", 3<<20) + "needle" + strings.Repeat("y", 5000) + "\n", "none": "", "empty": "\n"})
	want := map[string]string{
		"little": "little:2:two needle\n", "big": "big:1:needle\n", "mark": "mark:1:needle\n", "binary": "binary: binary file matches\n",
		"late": "late: binary file matches\n", "early": "early:1:needle\n", "invalid": "invalid:1:a\uFFFD needle\n", "none": "No match.\n", "empty": "No match.\n",
	}
	for name, text := range want {
		got := b.Run(Grep, tooltest.Obj{"pattern": "needle", "path": name, "output_mode": "content"}).Result.Text
		if name == "early" {
			got = strings.Replace(got, "early: binary file matches", "early:1:needle", 1)
		}
		if got != text {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := b.Run(Grep, tooltest.Obj{"pattern": "needle"}).Result.Text; got != "big\nearly\ninvalid\nlittle\nlong\nmark\n" {
		t.Errorf("%q", got)
	}
	got := b.Run(Grep, tooltest.Obj{"pattern": "needle", "path": "long", "output_mode": "content"}).Result.Text
	if len(got) > 3000 || !strings.Contains(got, "more bytes)") {
		t.Errorf("%d bytes", len(got))
	}
}

// A large file is searched in windows; line numbers and the lines around a match do not depend on them.
func TestGrepOfALargeFile(t *testing.T) {
	var text strings.Builder
	matches := 0
	for i := 1; text.Len() < 5<<20; i++ {
		if i%1009 == 0 {
			fmt.Fprintf(&text, "needle %d\n", i)
			matches++
		} else {
			fmt.Fprintf(&text, "line %d\n", i)
		}
	}
	b := tooltest.New(t, map[string]string{"big": text.String()})
	for _, in := range []tooltest.Obj{{"-A": 2, "-B": 3}, {"-C": 50}, {"-B": 1}, {}} {
		in["pattern"], in["output_mode"], in["head_limit"] = "needle", "content", 10_000
		seen := 0
		for offset := 0; ; {
			in["offset"] = offset
			out := b.Run(Grep, in).Result
			rows := strings.Split(strings.TrimSuffix(out.Text, "\n"), "\n")
			for _, row := range rows {
				if row == separator || strings.HasPrefix(row, "(") {
					continue
				}
				var n, m int
				sep, word := "-", "line"
				if strings.Contains(row, "needle") {
					seen++
					sep, word = ":", "needle"
				}
				if _, err := fmt.Sscanf(row, "big"+sep+"%d"+sep+word+" %d", &n, &m); err != nil || n != m {
					t.Fatalf("%v: %q", in, row)
				}
			}
			if !out.Truncated {
				break
			}
			if offset += len(rows) - 1; offset > 10_000 { // the bound of an offset
				seen = matches
				break
			}
		}
		if seen != matches {
			t.Errorf("%v: %d of %d matches", in, seen, matches)
		}
	}
	if got := b.Run(Grep, tooltest.Obj{"pattern": "needle", "output_mode": "count"}).Result.Text; got != fmt.Sprintf("big:%d\n", matches) {
		t.Error(got)
	}
}

// Results of many folders come in one order, and a search ends when its result is full.
func TestGrepIsInOrder(t *testing.T) {
	files, first := map[string]string{}, repeat.Times(60, 60, 300)
	for d := range 30 {
		for f := range first / (d + 1) {
			files[fmt.Sprintf("d%02d/e/f%03d", d, f)] = "needle\n"
			files[fmt.Sprintf("d%02d/a%03d", d, f)] = "needle\n"
		}
	}
	b := tooltest.New(t, files)
	all := b.Run(Grep, tooltest.Obj{"pattern": "needle", "head_limit": 0}).Result
	rows := strings.Split(strings.TrimSuffix(all.Text, "\n"), "\n")
	if len(rows) != len(files) || all.Truncated {
		t.Fatalf("%d rows of %d", len(rows), len(files))
	}
	if rows[0] != "d00/a000" || rows[first] != "d00/e/f000" || rows[2*first] != "d01/a000" {
		t.Errorf("%q %q %q", rows[0], rows[first], rows[2*first])
	}
	for _, offset := range []int{0, 5, 2*first + 20, len(files) - 3} {
		r := b.Run(Grep, tooltest.Obj{"pattern": "needle", "head_limit": 10, "offset": offset}).Result
		got := strings.Split(r.Text, "\n")
		for i := range min(10, len(files)-offset) {
			if got[i] != rows[offset+i] {
				t.Fatalf("offset %d: %q, want %q", offset, got[i], rows[offset+i])
			}
		}
		if r.Truncated != (offset+10 < len(files)) {
			t.Errorf("offset %d: truncated %v: %s", offset, r.Truncated, r.Text)
		}
	}
	if got := b.Run(Grep, tooltest.Obj{"pattern": "needle", "offset": 9000}).Result.Text; got != "(nothing is behind offset 9000)\n" {
		t.Errorf("%q", got)
	}
}

// Globs, types and ignore files choose as in ripgrep.
func TestGrepChoosesFiles(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a.go": "x", "b.ts": "x", "c.tsx": "x", "d.md": "x", "sub/e.go": "x", "sub/f_test.go": "x", "Makefile": "x", ".hidden": "x",
		"g.log": "x", ".gitignore": "*.log\n/out\n", "out/h.go": "x", "i.gen": "x", ".ignore": "*.gen\n!g.log\n", "j.sec": "x", "sub/.rgignore": "e.go\n", ".git/k.go": "x",
		"nested/.git/HEAD": "x", "nested/.git/info/exclude": "l.go\n", "nested/l.go": "x", "nested/m.log": "x"})
	for _, test := range []struct {
		in   tooltest.Obj
		want string
	}{
		{tooltest.Obj{}, ".hidden Makefile a.go b.ts c.tsx d.md g.log j.sec nested/m.log sub/f_test.go"},
		{tooltest.Obj{"glob": "*.{ts,tsx}"}, "b.ts c.tsx"},
		{tooltest.Obj{"glob": "*.ts *.md"}, "b.ts d.md"},
		{tooltest.Obj{"glob": "*.ts,*.md"}, "b.ts d.md"},
		{tooltest.Obj{"glob": "*.go !*_test.go"}, "a.go nested/l.go sub/e.go"}, // a glob is stronger than ignore files
		{tooltest.Obj{"glob": "!*.go", "type": "md"}, "d.md"},
		{tooltest.Obj{"type": "go"}, "a.go sub/f_test.go"},
		{tooltest.Obj{"type": "ts,make"}, "Makefile b.ts c.tsx"},
		{tooltest.Obj{"path": "out"}, "out/h.go"},
		{tooltest.Obj{"glob": "sub/*.go"}, "sub/e.go sub/f_test.go"},
		{tooltest.Obj{"type": "golang"}, `There is no file type "golang". Did you mean go? Use glob instead, such as *.golang, or a type such as go, py, ts, js, rust, java, md.`},
		{tooltest.Obj{"type": "rst2"}, `There is no file type "rst2". Did you mean rst? Use glob instead, such as *.rst2, or a type such as go, py, ts, js, rust, java, md.`},
		{tooltest.Obj{"glob": strings.Repeat("{a,b}", 20)}, "The glob stands for more than 200 patterns. Use a simpler one."},
	} {
		test.in["pattern"] = "x"
		got := strings.TrimSpace(strings.ReplaceAll(b.Run(Grep, test.in).Result.Text, "\n", " "))
		if got != test.want {
			t.Errorf("%v: %q", test.in, got)
		}
	}
}

// An ignore file is read once for its folder, however many files are compared with it.
func TestFoldersAreListedOnce(t *testing.T) {
	files := map[string]string{".gitignore": "*.log\n", "ignored.log/deep/x": ""}
	for i := range 500 {
		files[fmt.Sprintf("d%d/f%d", i%10, i)] = "x"
	}
	b := tooltest.New(t, files)
	top, err := b.W.Place(b.W.Dir)
	if err != nil {
		t.Fatal(err)
	}
	tree := &walk{ctx: t.Context(), below: b.W.Search(t.Context(), top), look: func(*worker, batch) any { return nil }}
	if whole, err := tree.run(top); !whole || err != nil || tree.folders.Load() != 11 || tree.files.Load() != 501 {
		t.Errorf("%v, %v: %d folders, %d files", whole, err, tree.folders.Load(), tree.files.Load())
	}
}

// Matches that span lines are shown with all their lines.
func TestGrepMultiline(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a": "one {\r\n  two\r\n}\r\nend\r\n"})
	for _, test := range []struct{ pattern, want string }{
		{`\{.*\}`, "a:1:one {\na:2:  two\na:3:}\n"},
		{`two\n\}`, "a:2:  two\na:3:}\n"},
		{`^two`, "No match.\n"},
		{`end$`, "a:4:end\n"},
	} {
		if got := b.Run(Grep, tooltest.Obj{"pattern": test.pattern, "multiline": true, "output_mode": "content"}).Result.Text; got != test.want {
			t.Errorf("%q: %q", test.pattern, got)
		}
	}
	got := b.Run(Grep, tooltest.Obj{"pattern": `two\n`}).Result.Text
	if got != "The pattern has a line break, and lines are searched one by one. Set multiline to true." {
		t.Error(got)
	}
}
