package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/cli/command"
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
			var all []struct {
				Name    string
				Used    *runtimes.Runtime
				Problem string
			}
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
	if o := w.run("doctor"); o.code != int(command.ExitFailed) || !strings.Contains(o.out, "!!  claude         claude.path: ") {
		t.Errorf("%+v", o)
	}
}
