package guard

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"parley/internal/regular"
)

// hasOwnRules reports whether the runtime may have rules of the user that deny or ask about commands. It reads the settings anew,
// because the runtime heeds changes of them.
func (g Guard) hasOwnRules() bool {
	return g.OwnRules || slices.ContainsFunc(g.Settings, hasRules)
}

// hasRules reports whether a settings file has such a rule, or cannot be read.
func hasRules(path string) bool {
	data, err := regular.ReadFile(context.Background(), path, maxSettings, regular.FollowLinks)
	if os.IsNotExist(err) {
		return false
	}
	var settings struct {
		Permissions struct {
			Deny, Ask []string
		} `json:"permissions"`
	}
	if err != nil || json.Unmarshal(data, &settings) != nil {
		return true
	}
	return slices.ContainsFunc(slices.Concat(settings.Permissions.Deny, settings.Permissions.Ask), AboutCommands)
}

// AboutCommands reports whether a rule of the runtime may be about commands. Rules for files are, too: the runtime looks for
// files in command lines.
func AboutCommands(rule string) bool {
	tool, _, _ := strings.Cut(rule, "(")
	return !strings.HasPrefix(tool, "mcp__") && tool != "WebFetch" && tool != "WebSearch"
}
