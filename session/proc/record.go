package proc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// record is the file of a child, or with a pid of zero that of the program.
type record struct {
	Pid        int    `json:"pid"`
	Start      string `json:"start"`
	Owner      int    `json:"owner"`
	OwnerStart string `json:"ownerStart"`
	// Mark is that of the child, or the beginning of the marks of all children.
	Mark  string `json:"mark"`
	Label string `json:"label"`
	// Place names the machine and namespace in which the pids are valid; see place.
	Place string `json:"place"`
}

const recordSuffix = ".json"

func (g *Group) record(id ident, mark, label string) record {
	return record{Pid: id.pid, Start: id.start, Owner: g.self.pid, OwnerStart: g.self.start, Mark: mark, Label: label, Place: g.here}
}

func (g *Group) recordPath(mark string) string {
	return filepath.Join(g.dir, strings.TrimSuffix(mark, ".")+recordSuffix)
}

// writeRecord writes the file at once. A truncated record after a crash counts as none.
func (g *Group) writeRecord(r record) error {
	if g.dir == "" {
		return nil
	}
	if err := os.MkdirAll(g.dir, 0o700); err != nil {
		return err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(g.recordPath(r.Mark), data, 0o600)
}

func (g *Group) removeRecord(mark string) {
	if g.dir != "" {
		_ = os.Remove(g.recordPath(mark))
	}
}
