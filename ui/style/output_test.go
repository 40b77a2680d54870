package style_test

import (
	"testing"

	"parley/ui/style"
)

func TestPlainOutput(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n":                          "plain\n",
		"\x1b[1;31mred\x1b[0m\x1b[K":       "red",
		"10%\r50%\r100%\ndone\r\n":         "100%\ndone\n",
		"\x1b]0;title\x07\x1b[2Jx":         "\x1b]0;title\x07\x1b[2Jx",
		"\x1b[38:2:1:2:3mtrue\x1b[m color": "true color",
		"\x1b[":                            "\x1b[",
	} {
		if got := style.PlainOutput(in); got != want {
			t.Errorf("PlainOutput(%q) = %q, want %q", in, got, want)
		}
	}
}
