package runtimes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"parley/internal/safefs"
)

// noticesFile holds the notices that were returned, in Options.Dir.
const noticesFile = "seen.json"

// NewNotices returns the notices that an audience, such as "chat", has not got before. If they cannot be recorded, they are
// returned again the next time.
func (r *Runtimes) NewNotices(audience string, notices []Notice) []Notice {
	if len(notices) == 0 {
		return nil
	}
	path := filepath.Join(r.o.Dir, noticesFile)
	var seen []string
	if data, err := readBounded(path, 1<<20); err == nil && json.Unmarshal(data, &seen) != nil {
		seen = nil
	}
	var unseen []Notice
	for _, n := range notices {
		if key := audience + ": " + n.Text; !slices.Contains(seen, key) {
			unseen = append(unseen, n)
			seen = append(seen, key)
		}
	}
	if len(unseen) == 0 {
		return nil
	}
	seen = seen[max(0, len(seen)-maxCached):]
	if data, err := json.Marshal(seen); err == nil && os.MkdirAll(r.o.Dir, 0o700) == nil {
		_ = safefs.WriteFile(path, data)
	}
	return unseen
}
