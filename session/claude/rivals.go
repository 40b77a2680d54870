package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"parley/session/claude/driver"
)

// registered is what a living runtime says of itself, in a file named after its process.
type registered struct {
	Session    string `json:"sessionId"`
	Entrypoint string `json:"entrypoint"`
}

// rivals are the processes of Claude Code itself that have a session, by what the runtimes of 2.1.112 and later say in
// their own directory. Those of parley are not among them: a session of parley's has one process, by a lock of its own.
func (a *Agent) rivals(id string) []int {
	if a.transcripts == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(a.transcripts, "sessions", "*.json"))
	if err != nil {
		return nil
	}
	var pids []int
	for _, name := range files {
		pid, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(name), ".json"))
		if err != nil || pid <= 0 || !a.alive(pid) { // killed ones leave their files, which may be many: they are not read
			continue
		}
		data, err := os.ReadFile(name)
		var r registered
		if err == nil && json.Unmarshal(data, &r) == nil && r.Session == id && r.Entrypoint != driver.Entrypoint {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

// livesAsClaude reports whether a process lives and, where that can be told, is the runtime: a killed one leaves its file
// behind, and its number may be another's by now. Where signals cannot be asked about, nothing lives.
func livesAsClaude(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err != nil || bytes.Contains(line, []byte("claude"))
}

// rivalsText words who else has the session.
func rivalsText(pids []int) string {
	names := make([]string, len(pids))
	for i, pid := range pids {
		names[i] = fmt.Sprint(pid)
	}
	return fmt.Sprintf("Claude Code itself has this session open too (pid %s). Neither notices what is said in the other: "+
		"close it there before you go on here.", strings.Join(names, ", "))
}
