package shell

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"parley/session/builtin/tool/tooltest"
)

func TestOutputIsFolded(t *testing.T) {
	tests := map[string][2]string{
		"plain":             {"a\nb\n", "a\nb\n"},
		"without its end":   {"a\nb", "a\nb"},
		"carriage return":   {"10%\r20%\r100%\ndone\n", "100%\ndone\n"},
		"shorter":           {"longer\rab\n", "abnger\n"},
		"line ends":         {"a\r\nb\r\n", "a\nb\n"},
		"erased":            {"longer\r\x1b[Kab\n", "ab\n"},
		"colours":           {"\x1b[1;31mred\x1b[0m \x1b]0;title\x07x\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n", "red xlink\n"},
		"backspaces":        {"abc\b\bX\n", "aXc\n"},
		"several lines":     {"one 1%\ntwo 1%\n\x1b[2Aone 9%\n\x1b[2Ktwo 9%\nend\n", "one 9%\ntwo 9%\nend\n"},
		"cleared":           {"a\nb\n\x1b[2J\x1b[Hc\n", "c\n"},
		"right":             {"a\x1b[3Cb\x1b[1Gz\n", "z   b\n"},
		"zero bytes":        {"a\x00b\x00", "a\u2400b\u2400"},
		"not utf-8":         {"a\xff\xc3b", "a\ufffd\ufffdb"},
		"bell and others":   {"a\a\x01b\x7f\n", "ab\n"},
		"incomplete":        {"a\x1b[3", "a"},
		"unfinished string": {"a\x1b]0;title\nb\n", "a\nb\n"},
		"charset":           {"\x1b(Ba\x1b=b\n", "ab\n"},
		"huge numbers":      {"a\x1b[99999999999999999999Cb\x1b[999999Az\n", "abz\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := shownAs([]byte(test[0])); got != test[1] {
				t.Errorf("%q", got)
			}
			var b bytes.Buffer
			f := newFolder(func(p []byte) { b.Write(p) })
			for i := range test[0] { // in the smallest pieces
				_, _ = f.Write([]byte(test[0][i : i+1]))
			}
		})
	}
}

// Pieces of any size give the same text as the whole, and much output passes as it is.
func TestFoldingInPieces(t *testing.T) {
	text := []byte(strings.Repeat("line é\n", 3000) + "10%\r20%\n" + strings.Repeat("x", 40000) + "\n" + strings.Repeat("語\x1b[1mb\x1b[0m\n", 2000))
	want := shownAs(text)
	if !strings.HasPrefix(want, "line é\nline é\n") || strings.Count(want, "\n") != 5002 || !strings.Contains(want, "\n20%\n"+strings.Repeat("x", 40000)+"\n語b\n") {
		t.Fatal("the whole is wrong")
	}
	for _, size := range []int{1, 3, 7, 100, 4096, 5000, 32768} {
		var b bytes.Buffer
		f := newFolder(func(p []byte) { b.Write(p) })
		for rest := text; len(rest) > 0; {
			n := min(size, len(rest))
			_, _ = f.Write(rest[:n])
			rest = rest[n:]
		}
		f.flush()
		if b.String() != want {
			t.Errorf("pieces of %d bytes differ", size)
		}
	}
}

func FuzzFold(f *testing.F) {
	f.Add([]byte("a\rb\x1b[2A\x1b[Kc\nd\x1b]0;x\x07"), 3)
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		size = max(1, size)
		got := shownAs(text)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\r\x00\b") {
			t.Errorf("%q", got)
		}
		var b bytes.Buffer
		fold := newFolder(func(p []byte) { b.Write(p) })
		for rest := text; len(rest) > 0; {
			n := min(size, len(rest))
			_, _ = fold.Write(rest[:n])
			rest = rest[n:]
		}
		fold.flush()
		if whole := strings.ToValidUTF8(b.String(), "\uFFFD"); whole != got {
			t.Errorf("%q in pieces of %d: %q", got, size, whole)
		}
	})
}

func TestBinaryOutputIsSummarised(t *testing.T) {
	b := tooltest.New(t, map[string]string{"image.png": "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\x01\x02\xfe", 100)})
	got := b.Run(Bash, tooltest.Obj{"command": "cat image.png"}).Result
	if !strings.HasPrefix(got.Text, "(binary output, 408 bytes, image/png: not shown)\n(the whole output, 408 bytes, is in ") || got.FullPath == "" {
		t.Errorf("%+v", got)
	}
	if got := b.Run(Bash, tooltest.Obj{"command": "printf 'a\\0b\\0c\\0'"}).Result; got.Text != "a\u2400b\u2400c\u2400" {
		t.Errorf("%+v", got)
	}
}

// A progress bar of megabytes is a line, and needs no file.
func TestProgressIsShort(t *testing.T) {
	b := tooltest.New(t, nil)
	got := b.Run(Bash, tooltest.Obj{"command": `for i in {1..20000}; do printf '\rprogress %d of 20000' $i; done; echo; echo done`}).Result
	if got.Text != "progress 20000 of 20000\ndone\n" || got.Truncated || got.FullPath != "" || got.Summary != "2 lines" {
		t.Errorf("%+v", got)
	}
}
