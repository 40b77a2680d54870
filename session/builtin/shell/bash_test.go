package shell

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/tool/tooltest"
)

func TestBash(t *testing.T) {
	b := tooltest.New(t, map[string]string{"here": ""})
	tests := map[string]struct {
		command, text, sent, summary string
		outcome                      session.ToolOutcome
		code                         int
	}{
		"ok":         {"ls; echo err >&2", "here\nerr\n", "", "2 lines", session.ToolOK, 0},
		"nothing":    {"true", "", "", "", session.ToolOK, 0},
		"fails":      {"echo out; exit 3", "out\n", "out\n(exit code 3)", "1 line", session.ToolFailed, 3},
		"silent":     {"exit 4", "(exit code 4)", "", "0 lines", session.ToolFailed, 4},
		"killed":     {"echo out; kill -9 $$", "out\n", "out\n(signal: killed)", "signal: killed", session.ToolFailed, -1},
		"no input":   {"read x; echo got $?", "got 1\n", "", "1 line", session.ToolOK, 0},
		"environ":    {"echo $PAGER $GIT_TERMINAL_PROMPT", "cat 0\n", "", "1 line", session.ToolOK, 0},
		"not utf-8":  {`printf '\377'`, "\uFFFD", "", "1 line", session.ToolOK, 0},
		"background": {"sleep 1000 & echo left", "left\n", "", "1 line", session.ToolOK, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := b.Run(Bash, tooltest.Obj{"command": test.command})
			if got.How != test.outcome || got.Result.Text != test.text || got.Result.Sent != test.sent || got.Result.Summary != test.summary {
				t.Errorf("%+v", got)
			}
			code := -1
			if c := got.Result.ExitCode; c != nil {
				code = *c
			}
			if code != test.code {
				t.Errorf("exit code %d, -1 for none", code)
			}
		})
	}
}

func TestLongOutputIsCutAndKept(t *testing.T) {
	b := tooltest.New(t, nil)
	got := b.Run(Bash, tooltest.Obj{"command": "seq 1 20000"}).Result
	if !got.Truncated || got.FullPath == "" || got.Summary != "20,000 lines" || len(got.Text) > captureHead+captureTail+300 {
		t.Fatalf("%d bytes, %s, %q", len(got.Text), got.Summary, got.FullPath)
	}
	if !strings.HasPrefix(got.Text, "1\n2\n") || !regexp.MustCompile(`\n20000\n\n\(the whole output, 108894 bytes, is in .*\)$`).MatchString(got.Text) {
		t.Errorf("%.20q … %q", got.Text, got.Text[len(got.Text)-80:])
	}
	whole, err := os.ReadFile(got.FullPath)
	if err != nil || len(whole) != 108894 || strings.Count(string(whole), "\n") != 20000 {
		t.Errorf("%d bytes, %v", len(whole), err)
	}
	if info, _ := os.Stat(got.FullPath); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
}

// What is shown live is the output, in order, in whole characters, however it is cut.
func TestCaptureShowsWholeCharacters(t *testing.T) {
	var shown strings.Builder
	text := strings.Repeat("aé語🙂\n", 200)
	c := newCapture(nil, func(s string) {
		if strings.ContainsRune(s, '\uFFFD') {
			t.Errorf("%q", s)
		}
		shown.WriteString(s)
	})
	for i := 0; i < len(text); i += 3 {
		_, _ = c.Write([]byte(text[i:min(i+3, len(text))]))
		c.show(false)
	}
	got := c.close()
	if got.text != text || shown.String() != text || got.lines != 200 {
		t.Errorf("%d lines", got.lines)
	}
}

// A command with a mistake in its syntax shows that mistake, and nothing of what is run around it.
func TestSyntaxErrorsShowTheCommandOnly(t *testing.T) {
	b := tooltest.New(t, nil)
	for _, command := range []string{`echo "unterminated`, "echo 'abc", "if true; then", "echo )", "echo a\necho `b", "f() {", `echo "$((1+"`} {
		got := b.Run(Bash, tooltest.Obj{"command": command})
		if text := got.Result.Text; got.How != session.ToolFailed || strings.Contains(text, "parley") || strings.Contains(text, "builtin") || !strings.Contains(text, "syntax error") && !strings.Contains(text, "EOF") {
			t.Errorf("%q: %s %q", command, got.How, text)
		}
	}
}
