package switches

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/safefs"
)

// maxSettings bounds settings that are read, in bytes.
const maxSettings = 4 << 20

// settings are the switches of a file of settings.
type settings struct {
	Skills         map[string]string `json:"skillOverrides"`
	DisabledSkills []string          `json:"disabledSkills"`
	Servers        []string          `json:"disabledMcpServers"`
}

func read(ctx context.Context, path string, links safefs.Links) (s settings) {
	if data, err := safefs.ReadFile(ctx, path, maxSettings, links); err == nil {
		_ = json.Unmarshal(blank(data), &s)
	}
	return s
}

// Skills returns what finds the word for a skill, by its name and file, and the settings that have it: "off", "name-only" or
// "user-invocable-only", "" for one that is on. Those of a repository count where the user trusts it, before the user's own.
func (p Places) Skills(ctx context.Context, dir string, trusted bool) func(name, file string) (word, settings string) {
	var files []string
	if trusted {
		files = append(files, filepath.Join(dir, ".claude", "settings.local.json"), filepath.Join(dir, ".claude", "settings.json"))
	}
	repository := len(files)
	files = append(files, filepath.Join(p.Claude, "settings.json"))
	var all []settings
	for n, file := range files {
		all = append(all, read(ctx, file, map[bool]safefs.Links{true: safefs.NoLinks, false: safefs.FollowLinks}[n < repository]))
	}
	copilot := filepath.Join(p.Copilot, "settings.json")
	theirs := read(ctx, copilot, safefs.FollowLinks)
	return func(name, file string) (string, string) {
		switch {
		case below(file, p.Copilot) && slices.Contains(theirs.DisabledSkills, name):
			return "off", copilot
		case below(file, p.Claude) || strings.Contains(filepath.ToSlash(file), "/.claude/"):
			for n, s := range all {
				if word := s.Skills[name]; word != "" {
					return word, files[n]
				}
			}
		}
		return "", ""
	}
}

// Servers returns the names of the Copilot CLI's servers that are off, and the settings that say so.
func (p Places) Servers(ctx context.Context) (off []string, settings string) {
	settings = filepath.Join(p.Copilot, "settings.json")
	return read(ctx, settings, safefs.FollowLinks).Servers, settings
}
