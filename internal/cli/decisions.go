package cli

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"strings"

	"parley/session/rules"
	"parley/session/trust"
)

// decisions returns where the user's own settings of the runtime are, and what the user has decided about directories.
func (a *app) decisions() (own func() string, _ *trust.Store) {
	home := a.getenv("HOME")
	own = func() string {
		return trust.UserConfig(cmp.Or(a.cfg.Claude.ConfigDir, a.getenv("CLAUDE_CONFIG_DIR")), home)
	}
	return own, trust.New(trust.Options{Dir: a.paths.Trust(), Home: home, UserConfig: own})
}

// claudeSettings returns the settings of Claude Code whose rules hold in a directory: the user's, and a project's once it is trusted.
func (a *app) claudeSettings(dir string) []rules.Settings {
	if a.cfg == nil || !a.cfg.Claude.Rules || a.demo != nil {
		return nil
	}
	home := cmp.Or(a.cfg.Claude.ConfigDir, a.getenv("CLAUDE_CONFIG_DIR"))
	if home == "" {
		if home = a.getenv("HOME"); home == "" {
			return nil
		}
		home = filepath.Join(home, ".claude")
	}
	_, decisions := a.decisions()
	agreed := func() bool { return a.trusted(decisions)(dir) }
	return []rules.Settings{{Path: filepath.Join(home, "settings.json"), Root: home},
		{Path: filepath.Join(dir, ".claude", "settings.json"), Root: dir, Holds: agreed},
		{Path: filepath.Join(dir, ".claude", "settings.local.json"), Root: dir, Holds: agreed}}
}

// copilotDecisions returns the MCP servers of sessions of the Copilot runtime, and what the user has decided about what it would
// load from directories: it reads other files than Claude Code, and each list is agreed to separately.
func (a *app) copilotDecisions() (servers func(dir string, trusted bool) json.RawMessage, _ *trust.Store) {
	home := a.getenv("HOME")
	_, dir := a.runtimeHomes()
	config := ""
	if dir != "" {
		config = filepath.Join(dir, "mcp-config.json")
	}
	return func(at string, trusted bool) json.RawMessage { return trust.CopilotServers(config, at, home, trusted) },
		trust.New(trust.Options{Dir: filepath.Join(a.paths.Trust(), "copilot"), Home: home, Runtime: trust.Copilot})
}

// trusted returns a function that reports whether the user trusts a directory.
func (a *app) trusted(decisions *trust.Store) func(dir string) bool {
	return func(dir string) bool {
		yes, err := decisions.Trusted(dir)
		if err != nil {
			a.log.Warn("look whether a directory is trusted", "dir", dir, "error", err)
		}
		return yes && err == nil
	}
}

// noticeLine joins notices to one line.
func noticeLine(texts ...string) string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, strings.TrimSuffix(t, ".")+".")
		}
	}
	return strings.Join(out, " ")
}
