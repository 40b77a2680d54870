package keymap

import (
	"slices"
	"testing"
)

// Every alias leads to a command of ours or says what to do, and none hides a command.
func TestAliases(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range Aliases {
		if _, known := findCommand(a.To); (a.To != "" && !known) || (a.To == "") == (a.Instead == "") {
			t.Errorf("%v leads nowhere: %q, %q", a.Names, a.To, a.Instead)
		}
		for _, name := range a.Names {
			if _, ours := findCommand(name); ours || seen[name] {
				t.Errorf("/%s is a command, or stands twice", name)
			}
			seen[name] = true
		}
	}
}

// What Claude Code and the Copilot CLI call a command is answered, whatever it is.
func TestTheirCommandsAreAnswered(t *testing.T) {
	claude := []string{"add-dir", "agents", "bashes", "branch", "btw", "bug", "chrome", "clear", "color", "compact", "config", "context", "copy", "cost",
		"desktop", "diff", "doctor", "effort", "exit", "export", "extra-usage", "fast", "feedback", "fork", "help", "hooks", "ide", "init",
		"insights", "install-github-app", "keybindings", "login", "logout", "mcp", "memory", "mobile", "model", "output-style", "passes",
		"permissions", "plan", "plugin", "pr-comments", "privacy-settings", "release-notes", "rename", "reset", "resume", "continue", "review",
		"rewind", "checkpoint", "sandbox", "security-review", "settings", "skills", "stats", "status", "statusline", "stickers", "tasks",
		"terminal-setup", "theme", "todos", "upgrade", "usage", "vim", "voice", "quit", "remote-control", "allowed-tools",
		"advisor", "artifacts", "auto-mode-setup", "autocompact", "autofix-pr", "background", "brief", "claude-api", "cloud-plugins", "daemon",
		"design-consent", "design-login", "design-revoke", "focus", "goal", "heapdump", "import", "install-slack-app", "list-agents", "pause-memory",
		"powerup", "project", "radio", "rate-limit-options", "rc", "recap", "reload-plugins", "reload-skills", "remote-env", "routines", "schedule",
		"scroll-speed", "setup-bedrock", "setup-vertex", "skill-doctor", "stop", "subtask", "team-onboarding", "teleport", "tp", "tui", "ultraplan",
		"ultrareview", "usage-credits", "version", "web-setup", "wellbeing", "workflows", "simplify", "batch", "loop"}
	copilot := []string{"add-dir", "agent", "allow-all", "yolo", "ask", "changelog", "clear", "compact", "context", "copy", "cwd", "cd", "delegate", "diff",
		"exit", "experimental", "feedback", "fleet", "help", "ide", "init", "instructions", "keep-alive", "list-dirs", "login", "logout", "lsp",
		"mcp", "model", "models", "new", "on-air", "plan", "plugin", "pr", "quit", "rename", "research", "reset-allowed-tools", "restart",
		"resume", "review", "rewind", "sandbox", "search", "session", "sessions", "share", "skills", "streamer-mode", "tasks", "terminal-setup",
		"theme", "undo", "update", "usage", "user", "version", "voice", "after", "agents", "ahp", "app", "autopilot", "branch", "btw", "bug", "caffeinate",
		"chronicle", "collect-debug-logs", "config", "continue", "diagnose", "downgrade", "environments", "every", "export", "extension",
		"extensions", "find", "footer", "fork", "goal", "limits", "loop", "memory", "move", "permissions", "refine", "release-notes", "remote",
		"reset", "rubber-duck", "security-review", "settings", "sidekicks", "skill", "statusline", "subagents", "upgrade", "vim", "workflows",
		"worktree"}
	for _, name := range slices.Concat(claude, copilot) {
		_, ours := findCommand(name)
		if _, alias := FindAlias(name); !ours && !alias {
			t.Errorf("/%s is not answered", name)
		}
	}
}

// A limit is set by the command for it, which another program calls by its plural.
func TestLimitsLeadToLimit(t *testing.T) {
	if a, known := FindAlias("limits"); !known || a.To != "limit" {
		t.Errorf("%+v", a)
	}
}
