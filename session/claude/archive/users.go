package archive

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/sources"
)

// registered is the file that a running runtime writes under the number of its process.
type registered struct {
	Session    string `json:"sessionId"`
	Entrypoint string `json:"entrypoint"`
}

var _ session.Remover = (*Archive)(nil)

// Users returns the processes of Claude Code itself that have a session open, sorted. Runtimes since 2.1.112 register in their
// directory. Processes of parley are left out: a lock allows one per session.
func (a *Archive) Users(id session.ID) []int {
	if a.configDir == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(a.configDir, "sessions", "*.json"))
	if err != nil {
		return nil
	}
	var pids []int
	for _, name := range files {
		pid, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(name), ".json"))
		if err != nil || pid <= 0 || !a.Alive(pid) { // killed runtimes may leave many files
			continue
		}
		data, err := os.ReadFile(name)
		var r registered
		if err == nil && json.Unmarshal(data, &r) == nil && r.Session == string(sources.Raw(id)) && r.Entrypoint != driver.Entrypoint {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}
