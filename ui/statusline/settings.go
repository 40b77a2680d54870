package statusline

import (
	"context"
	"encoding/json"
	"path/filepath"
	"time"

	"parley/internal/safefs"
)

// Command is a status line as the settings have it.
type Command struct {
	// Line is the shell's line.
	Line string
	// Padding is the number of columns that stay free at both sides.
	Padding int
	// Every is the interval at which it runs when nothing changes; 0 is never.
	Every time.Duration
}

// Places says where settings are. Config is the directory of Claude Code (CLAUDE_CONFIG_DIR, or .claude in the home).
type Places struct{ Config, Dir string }

// maxSettings is the largest settings file that is read, in bytes.
const maxSettings = 4 << 20

// Find returns the command that the settings name, and reports whether there is one. Those of the directory win over the
// user's own, but are read only if trusted is true. A file that cannot be read, or says something else, counts as empty.
func Find(ctx context.Context, p Places, trusted bool) (Command, bool) {
	var files []string
	if p.Config != "" {
		files = append(files, filepath.Join(p.Config, "settings.json"))
	}
	if trusted {
		files = append(files, filepath.Join(p.Dir, ".claude", "settings.json"), filepath.Join(p.Dir, ".claude", "settings.local.json"))
	}
	var found Command
	off := false
	for _, name := range files {
		data, err := safefs.ReadFile(ctx, name, maxSettings, safefs.FollowLinks)
		if err != nil {
			continue
		}
		var s struct {
			StatusLine json.RawMessage `json:"statusLine"`
			Off        *bool           `json:"disableAllHooks"`
		}
		if json.Unmarshal(data, &s) != nil {
			continue
		}
		if s.Off != nil {
			off = *s.Off
		}
		if c, ok := parse(s.StatusLine); ok {
			found = c
		}
	}
	return found, found.Line != "" && !off
}

// parse reads one statusLine setting.
func parse(raw json.RawMessage) (Command, bool) {
	var c struct {
		Type     string  `json:"type"`
		Command  string  `json:"command"`
		Padding  float64 `json:"padding"`
		Interval float64 `json:"refreshInterval"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &c) != nil || c.Type != "command" || c.Command == "" {
		return Command{}, false
	}
	every := time.Duration(0)
	if c.Interval > 0 {
		every = time.Duration(max(1, min(c.Interval, 3600)) * float64(time.Second))
	}
	return Command{Line: c.Command, Padding: int(max(0, min(c.Padding, 20))), Every: every}, true
}
