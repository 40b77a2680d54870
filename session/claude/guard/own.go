package guard

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"parley/internal/safefs"
)

// hasOwnRules reports whether the runtime may have rules of the user that deny or ask about commands. It reads the settings anew,
// because the runtime heeds changes of them.
func (g Guard) hasOwnRules() bool {
	return g.OwnRules || slices.ContainsFunc(g.Settings, hasRules)
}

// allowsItself reports whether the runtime may have rules of the user that allow changes of files, pages or tools of servers. parley
// judges these calls, too: what such a rule allows is asked unless a rule of parley says the same.
func (g Guard) allowsItself() bool {
	return slices.ContainsFunc(g.Settings, func(path string) bool {
		own, ok := readRules(path)
		return !ok || slices.ContainsFunc(own.Allow, func(rule string) bool {
			tool, _, _ := strings.Cut(rule, "(")
			return tool != "Bash" && tool != "Read"
		})
	})
}

// hasRules reports whether a settings file has a rule that denies or asks about commands, or cannot be read.
func hasRules(path string) bool {
	own, ok := readRules(path)
	return !ok || slices.ContainsFunc(slices.Concat(own.Deny, own.Ask), AboutCommands)
}

// ownRules are the rules of a settings file, in the runtime's form.
type ownRules struct{ Allow, Deny, Ask []string }

// readRules returns the rules of a settings file, none of one that does not exist, and false for one that cannot be read.
func readRules(path string) (own ownRules, ok bool) {
	data, err := safefs.ReadFile(context.Background(), path, maxSettings, safefs.FollowLinks)
	if os.IsNotExist(err) {
		return own, true
	}
	var settings struct {
		Permissions ownRules `json:"permissions"`
	}
	if err == nil {
		err = json.Unmarshal(data, &settings)
	}
	return settings.Permissions, err == nil
}

// AboutCommands reports whether a rule of the runtime may be about commands. Rules for files are, too: the runtime looks for
// files in command lines.
func AboutCommands(rule string) bool {
	tool, _, _ := strings.Cut(rule, "(")
	return !strings.HasPrefix(tool, "mcp__") && tool != "WebFetch" && tool != "WebSearch"
}
