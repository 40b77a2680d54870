//go:build contract && linux

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"parley/internal/repeat"
	"parley/session/runtimes/runtimestest"
)

// TestContractKilledRuntime kills real runtimes, their hosts and terminals at random moments: no prompt is lost, and no command runs twice.
func TestContractKilledRuntime(t *testing.T) {
	victims := []string{"runtime", "runtime", "runtime", "host", "terminal"}
	onRuntimes(t, func(t *testing.T, use func(*world)) {
		w := newOutliving(t, appends)
		use(w)
		w.env = append(w.env, "PARLEY_AGENT=claude")
		killAtAnyMoment(t, w, repeat.Times(3, 5, 200), victims, killRuntimes)
	})
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		t.Run("copilot "+version, func(t *testing.T) {
			w := newOutliving(t, strings.Replace(appends, "tool: Bash", "tool: bash", 1))
			w.useCopilot(dir, version)
			w.env = append(w.env, "PARLEY_AGENT=copilot")
			killAtAnyMoment(t, w, repeat.Times(3, 5, 200), victims, killRuntimes)
		})
	}
}

// killRuntimes kills the processes that hosts have started, and reports whether there was one.
func killRuntimes(hosts []int) (any bool) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, _ := os.ReadFile(name) // it may have ended
		_, rest, _ := strings.Cut(string(data), ") ")
		fields := strings.Fields(rest)
		if len(fields) < 2 || fields[0] == "Z" {
			continue
		}
		parent, _ := strconv.Atoi(fields[1])
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil && slices.Contains(hosts, parent) {
			any = syscall.Kill(pid, syscall.SIGKILL) == nil || any
		}
	}
	return any
}
