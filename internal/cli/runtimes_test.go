package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session/runtimes"
	"parley/session/runtimes/runtimestest"
)

// claudeOnPath puts a Claude Code of a version on the world's PATH, as the vendor's installer leaves it: a file for each
// version, and a link to it.
func (w *world) claudeOnPath(version string) string {
	w.t.Helper()
	bin, versions := filepath.Join(w.home, "bin"), filepath.Join(w.home, "versions")
	for _, dir := range []string{bin, versions} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			w.t.Fatal(err)
		}
	}
	path := filepath.Join(versions, version)
	if err := os.WriteFile(path, []byte("\x7fELF"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Symlink(path, filepath.Join(bin, "claude")); err != nil {
		w.t.Fatal(err)
	}
	w.env = append(w.env, "PATH="+bin)
	return path
}

func TestRuntimesList(t *testing.T) {
	for name, tc := range map[string]struct {
		version string
		used    bool
		says    []string
	}{
		"tested":  {"2.1.197", true, []string{"*", "2.1.197", "tested"}},
		"newer":   {"2.2.0", true, []string{"*", "2.2.0", "newer than tested", "claude: Claude Code 2.2.0 is newer than " + runtimestest.ClaudeNewest}},
		"too old": {"1.0.0", false, []string{"is passed over: it is 1.0.0", "parley runtimes install claude"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			path := w.claudeOnPath(tc.version)
			out := w.mustRun("runtimes", "list")
			for _, want := range tc.says {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
			var all []foundRuntimes
			if err := json.Unmarshal([]byte(w.mustRun("runtimes", "list", "--json")), &all); err != nil || len(all) != 2 || all[1].Name != "copilot" {
				t.Fatalf("%+v, %v", all, err)
			}
			if row := all[0]; row.Name != "claude" || (row.Used != nil) != tc.used || (row.Problem == "") != tc.used ||
				tc.used && (row.Used.Path != path || row.Used.Source != runtimes.SourcePath) {
				t.Errorf("%+v", row)
			}
			if strings.Contains(w.run("doctor").out, "ok  claude         Claude Code "+tc.version) != tc.used {
				t.Errorf("doctor says\n%s", w.run("doctor").out)
			}
		})
	}
}

func TestDoctorOfAConfiguredRuntime(t *testing.T) {
	w := newWorld(t)
	w.env = append(w.env, "PARLEY_CLAUDE_PATH="+filepath.Join(w.home, "gone"))
	if o := w.run("doctor"); o.code != int(ExitFailed) || !strings.Contains(o.out, "!!  claude         claude.path: ") {
		t.Errorf("%+v", o)
	}
}

func TestProgressText(t *testing.T) {
	at := func(stage runtimes.Stage, done, total, rate int64, left time.Duration) runtimes.Progress {
		return runtimes.Progress{Name: "claude", Version: "2.1.197", Stage: stage, Done: done, Total: total, PerSecond: rate, Left: left}
	}
	for _, tc := range []struct {
		p    runtimes.Progress
		want string
	}{
		{at(runtimes.StageWaiting, 0, 0, 0, 0), "claude@2.1.197: waiting for another parley that installs it"},
		{at(runtimes.StageAsking, 0, 0, 0, 0), "claude@2.1.197: asking npm"},
		{at(runtimes.StageDownloading, 0, 77e6, 0, 0), "claude@2.1.197: downloading 77.0 MB"},
		{at(runtimes.StageDownloading, 7.7e6, 77e6, 1e6, 69300*time.Millisecond), "claude@2.1.197: downloading 10% of 77.0 MB, 1.0 MB/s, 1m9s left"},
		{at(runtimes.StageDownloading, 5e6, 0, 0, 0), "claude@2.1.197: downloading 5.0 MB"},
		{at(runtimes.StageDone, 0, 0, 0, 0), "claude@2.1.197: done"},
	} {
		if got := progressText(tc.p); got != tc.want || len(got) >= 80 {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
	// A terminal's line is redrawn; elsewhere each stage is told once.
	var b strings.Builder
	l := &progressLine{w: &b}
	for _, p := range []runtimes.Progress{at(runtimes.StageDownloading, 0, 10, 0, 0), at(runtimes.StageDownloading, 5, 10, 0, 0), at(runtimes.StageDone, 0, 0, 0, 0)} {
		l.show(p)
	}
	l.end()
	if got := b.String(); strings.Count(got, "\n") != 2 || strings.Contains(got, "\x1b") {
		t.Errorf("plain %q", got)
	}
}
