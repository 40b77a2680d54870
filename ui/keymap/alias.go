package keymap

import "slices"

// Alias is what a command of another program means here: a command of ours with arguments, or a sentence with the next step.
type Alias struct {
	Names   []string
	To      string // the command of ours, "" for none
	Args    string // before what is written after the name
	Instead string // a sentence where there is no command
	// Over means that it counts although the agent has a command of that name.
	Over bool
}

// Aliases are the commands of Claude Code and the Copilot CLI that have another name here, or none.
var Aliases = []Alias{
	{Names: []string{"cost"}, To: "usage", Over: true},
	{Names: []string{"stats", "extra-usage", "tokens", "quota", "rate-limit-options", "usage-credits"}, To: "usage"},
	{Names: []string{"limits"}, To: "limit"},
	{Names: []string{"todos", "todo"}, To: "tasks", Over: true},
	{Names: []string{"tab", "send"}, To: "tabs"},
	{Names: []string{"exit", "q"}, To: "quit"},
	{Names: []string{"reset"}, To: "new"},
	{Names: []string{"continue", "session", "sessions", "history"}, To: "resume"},
	{Names: []string{"models"}, To: "model"},
	{Names: []string{"branch"}, To: "fork"},
	{Names: []string{"share"}, To: "export"},
	{Names: []string{"diff", "undo"}, To: "changes"},
	{Names: []string{"checkpoint"}, To: "rewind"},
	{Names: []string{"allowed-tools", "approvals", "reset-allowed-tools"}, To: "permissions"},
	{Names: []string{"plan"}, To: "mode", Args: "plan"},
	{Names: []string{"allow-all", "yolo"}, To: "mode", Args: "bypassPermissions"},
	{Names: []string{"bashes", "bg", "jobs", "ps"}, To: "background"},
	{Names: []string{"thinking", "reasoning"}, To: "effort"},
	{Names: []string{"cloud", "remote", "remote-control", "remote-env", "rc", "teleport", "tp"}, To: "delegate"},
	{Names: []string{"pr", "pr-comments", "pr_comments"}, To: "browse"},
	{Names: []string{"commands", "keys", "?"}, To: "help"},
	{Names: []string{"fleet", "list-agents"}, To: "subagents"},
	{Names: []string{"skill", "reload-skills"}, To: "skills"},
	{Names: []string{"diagnose", "skill-doctor"}, To: "doctor"},
	{Names: []string{"aside"}, To: "btw"},
	{Names: []string{"settings"}, To: "config"},
	{Names: []string{"keybindings"}, To: "config", Args: "bindings"},
	{Names: []string{"statusline", "footer"}, To: "config", Args: "status_line"},
	{Names: []string{"notifications"}, To: "config", Args: "notify"},

	{Names: []string{"logout"}, To: "login", Args: "out"},
	{Names: []string{"user", "whoami"}, To: "login"},
	{Names: []string{"version"}, To: "status"},
	{Names: []string{"copy"}, Instead: "alt+w copies the last answer, alt+k a code block"},
	{Names: []string{"list-dirs"}, To: "add-dir"},
	{Names: []string{"cwd", "cd"}, Instead: "A session keeps its directory. /add-dir PATH lets agents work in another one too"},
	{Names: []string{"terminal-setup"}, Instead: "Nothing to set up here. /help lists the keys that your terminal sends"},
	{Names: []string{"search", "find"}, Instead: "ctrl+r finds past prompts, ctrl+f text in this session, /resume other sessions"},
	{Names: []string{"stop"}, Instead: "esc stops the turn, /background what runs beside it"},
	{Names: []string{"extension"}, To: "extensions"},
	{Names: []string{"memory", "instructions"}, To: "extensions", Args: "instructions"},
	{Names: []string{"plugin", "plugins", "marketplace"}, To: "extensions", Args: "plugins"},
	{Names: []string{"output-style"}, Instead: "This agent has no output styles here. Put how answers should read into an AGENTS.md; /extensions instructions lists yours"},
	{Names: []string{"collect-debug-logs"}, Instead: "Start parley with --verbose --log-file FILE"},
	{Names: []string{"compact", "context", "init", "review", "security-review",
		"ide", "lsp", "research", "loop", "schedule", "routines", "every", "after", "batch", "simplify", "autocompact",
		"pause-memory", "ultraplan", "ultrareview", "rubber-duck", "workflows", "goal", "recap", "subtask"},
		Instead: "This agent has no such command. /agent starts a session with another one"},
	{Names: []string{"add-plugin", "advisor", "ahp", "artifacts", "auto-mode-setup", "autofix-pr", "autopilot", "brief", "caffeinate", "chronicle", "claude-api", "cloud-plugins", "daemon",
		"design-consent", "design-login", "design-revoke", "downgrade", "environments", "import", "move", "powerup", "project", "radio", "refine", "scroll-speed", "setup-bedrock",
		"setup-vertex", "team-onboarding", "web-setup", "wellbeing", "ask", "bug", "changelog", "chrome", "color", "desktop", "app", "experimental", "fast", "feedback", "focus", "heapdump", "insights",
		"install-github-app", "install-slack-app", "ios", "android", "keep-alive", "mobile", "on-air", "passes",
		"privacy-settings", "release-notes", "reload-plugins", "restart", "sandbox", "sidekicks", "stickers", "streamer-mode", "tui",
		"update", "upgrade", "voice"}, Instead: "parley has no such command. /help lists those it has"},
}

// FindAlias returns the alias of a name.
func FindAlias(name string) (Alias, bool) {
	i := slices.IndexFunc(Aliases, func(a Alias) bool { return slices.Contains(a.Names, name) })
	if i < 0 {
		return Alias{}, false
	}
	return Aliases[i], true
}
