//go:build unix

package editor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file is opened beside parley, with the flags of the user's own line, and never in parley's terminal.
func TestWindow(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"code", "zed", "gvim", "kate", "tmux", "broken/code"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		script := "#!/bin/sh\necho \"$(basename $0) $*\" > " + dir + "/said\n"
		if name == "broken/code" {
			script = "#!/bin/sh\necho no display >&2\nexit 3\n"
		}
		if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"PATH=" + dir + ":" + os.Getenv("PATH")}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH")) // tmux is found by it
	for _, tc := range []struct {
		line, tmux string
		at         int
		want       string
	}{
		{"code --wait", "", 7, "code --wait --goto /x:7"},
		{"zed", "", 0, "zed /x"},
		{dir + "/gvim -f", "", 3, "gvim -f +3 /x"},
		{"kate", "", 0, "kate -l 1 /x"},
		{"vi", "1", 3, `tmux split-window -h sh -c vi "$@" sh +3 /x`},
		{"ed", "1", 3, `tmux split-window -h sh -c ed "$@" sh /x`},
		{"vi", "", 3, ""},
		{dir + "/broken/code", "", 3, "no display"},
	} {
		open := Command{tc.line, env}.Window(func(string) string { return tc.tmux })
		if open == nil {
			if tc.want != "" {
				t.Errorf("%s opens nothing", tc.line)
			}
			continue
		}
		got := ""
		if err := open(t.Context(), "/x", tc.at); err != nil {
			got = err.Error()
		} else {
			said, _ := os.ReadFile(filepath.Join(dir, "said"))
			got = strings.TrimSpace(string(said))
		}
		if !strings.HasSuffix(got, tc.want) {
			t.Errorf("%s: %q, not %q", tc.line, got, tc.want)
		}
	}
}
