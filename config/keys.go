package config

import "time"

// Agents are the values of the key "agent".
var Agents = []string{"auto", "builtin", "claude", "copilot", "cloud"}

// permissionModes are the values of the key "permission_mode".
var permissionModes = []string{"default", "acceptEdits", "plan", "bypassPermissions"}

// Keys are all configuration keys, in the order they are documented.
var Keys = []Key{
	{Name: "agent", Type: String, Default: "auto", Values: Agents, Flag: "agent",
		Doc: "The agent that answers: a name, or auto for the best one that is installed."},
	{Name: "model", Type: String, Default: "", Flag: "model",
		Doc: "The model of new sessions, as `parley models` lists them. Empty: the agent's own default."},
	{Name: "fallback_models", Type: Strings, Default: []string(nil), Flag: "fallback-model", check: checkAtMost(3),
		Doc: "Up to three models that answer, in this order, while the chosen one is overloaded or no longer offered. The chat " +
			"says so, and the next turn tries the chosen one first. Sessions of the copilot agent need copilot.traffic proxy."},
	{Name: "effort", Type: String, Default: "", Flag: "effort",
		Doc: "The reasoning effort of new sessions, one of those the model lists. Empty: the model's own default."},
	{Name: "permission_mode", Type: String, Default: "default", Values: permissionModes, Flag: "permission-mode",
		Doc: "What may happen without asking: default asks before edits and commands, acceptEdits only before commands, plan " +
			"changes nothing. bypassPermissions never asks and works as a flag only."},
	{Name: "add_dirs", Type: Strings, Default: []string(nil), Flag: "add-dir",
		Doc: "Directories the tools may use besides the current one."},
	{Name: "worktree_links", Type: Strings, Default: []string(nil),
		Doc: "Directories of a repository that its new worktrees share by a link, such as node_modules: caches that git ignores."},
	{Name: "screen", Type: String, Default: "alt", Values: []string{"alt", "inline", "plain"}, Flag: "screen",
		Doc: "Where the chat is drawn. alt uses the whole window and restores it at the end. inline leaves everything in the " +
			"terminal's scrollback. plain reads and writes lines, for screen readers and simple terminals."},
	{Name: "theme", Type: String, Default: "auto",
		Doc: "The theme. auto asks the terminal for its background and picks parley-dark or parley-light. Or a name: " +
			"parley-dark, parley-light, high-contrast, or one of glamour's styles (dark, light, dracula, tokyo-night, pink, " +
			"ascii, notty). Or the path of a glamour style file. With auto, GLAMOUR_STYLE applies."},
	{Name: "ui.colors", Type: String, Default: "auto", Values: []string{"auto", "none", "16", "256", "true"},
		Doc: "How many colors the terminal has. auto detects it from the environment and honors NO_COLOR."},
	{Name: "ui.charset", Type: String, Default: "auto", Values: []string{"auto", "unicode", "ascii"},
		Doc: "The characters to draw with. ascii replaces all others, in texts too. auto picks ascii on the Linux console and " +
			"where the locale is not UTF-8."},
	{Name: "ui.motion", Type: String, Default: "full", Values: []string{"full", "reduced"},
		Doc: "reduced stops spinners and blinking. Timers still count."},
	{Name: "ui.diff_split", Type: Bool, Default: false,
		Doc: "Show changes side by side in windows of 140 columns or more: old lines at the left, new ones at the right. alt+v " +
			"switches in the chat."},
	{Name: "ui.notify", Type: String, Default: "auto", Values: []string{"auto", "off", "bell", "osc9", "osc777", "osc99", "desktop"},
		Doc: "How to notify you of a question or the end of a long turn while you are in another window. auto picks what the " +
			"terminal supports; desktop uses the system's notifications."},
	{Name: "ui.notify_after", Type: Duration, Default: 10 * time.Second, check: checkDuration(0, 24*time.Hour),
		Doc: "How long a turn must run before its end is worth a notification."},
	{Name: "ui.title", Type: Bool, Default: true,
		Doc: "Show the session's topic and state in the window title. The title is restored at the end."},
	{Name: "ui.session_titles", Type: Bool, Default: true,
		Doc: "Give each session a short title after its first answer, with a model that your plan includes. It is one request, " +
			"counted as the agent's. Without such a model, lists show the first line of the prompt. /rename changes a title."},
	{Name: "ui.status_line", Type: Bool, Default: true,
		Doc: "Run the status line command of Claude Code's settings (statusLine) and show what it prints. The settings of a " +
			"directory count once you trust it."},
	{Name: "ui.group_tools", Type: Bool, Default: true,
		Doc: "Show several reads or searches in a row as one row that opens. Otherwise, each call has its row."},
	{Name: "ui.progress", Type: String, Default: "auto", Values: []string{"auto", "on", "off"},
		Doc: "Show progress in the taskbar or tab (OSC 9;4). auto does so in terminals known to support it."},
	{Name: "ui.mouse", Type: Bool, Default: true,
		Doc: "Use the mouse: the wheel scrolls, a click folds, a drag selects. Hold shift to use the terminal's own " +
			"selection, or press a key to switch the mouse off and on. Has no effect with the screen inline."},
	{Name: "ui.copy_on_select", Type: Bool, Default: true,
		Doc: "Copy a selection when the mouse button is released. Otherwise, ctrl+c copies it."},
	{Name: "ui.keys", Type: String, Default: "emacs", Values: []string{"emacs", "vim"},
		Doc: "The keys of the composer: emacs, or vim with its modes."},
	{Name: "ui.enter_steers", Type: Bool, Default: false,
		Doc: "While the agent works, enter sends into the running turn if the agent supports it, and ctrl+s queues. Otherwise " +
			"it is the other way round."},
	{Name: "ui.bindings", Type: Bindings, Default: []Binding(nil),
		Doc: "Your own key bindings: a list of objects such as {key: ctrl+e, action: editor}. See docs/keys.md for keys and " +
			"actions. A slash command such as /model is an action too; none removes a binding."},
	{Name: "editor", Type: String, Default: "",
		Doc: "The editor that ctrl+g opens. Empty: VISUAL, then EDITOR, then vi."},
	{Name: "log_file", Type: String, Default: "", Flag: "log-file",
		Doc: "The log file. Empty: parley.log in the state directory, with warnings only."},
	{Name: "verbose", Type: Bool, Default: false, Flag: "verbose",
		Doc: "Log everything, including requests and events. Tokens are never logged."},
	{Name: "github_host", Type: String, Default: "github.com", check: checkHost,
		Doc: "The GitHub host to sign in to: github.com, a tenant such as acme.ghe.com, or your own server."},
	{Name: "github_api_url", Type: String, Default: "", check: checkLoopback,
		Doc: "Redirects the GitHub API. Loopback addresses only, for tests and `parley sim`."},
	{Name: "copilot_api_url", Type: String, Default: "", check: checkLoopback,
		Doc: "Redirects the Copilot API and skips discovery. Loopback addresses only, for tests and `parley sim`."},
	{Name: "github.client_id", Type: String, Default: "",
		Doc: "The OAuth app that `parley auth login` uses to sign in with a code, without gh. There is no default. Whether " +
			"Copilot accepts the tokens of such an app is untested."},
	{Name: "api.integration_id", Type: String, Default: "",
		Doc: "The Copilot-Integration-Id header. Empty: parley's default; none: no header."},
	{Name: "api.editor_version", Type: String, Default: "",
		Doc: "The Editor-Version header. Empty: parley and its version."},
	{Name: "api.version", Type: String, Default: "",
		Doc: "The X-GitHub-Api-Version header of Copilot requests. Empty: the newest version parley was tested with."},
	{Name: "api.ca_file", Type: String, Default: "",
		Doc: "A PEM file with additional certificate authorities, for networks that inspect TLS. HTTPS_PROXY and NO_PROXY are " +
			"honored."},
	{Name: "api.stall_after", Type: Duration, Default: 5 * time.Minute, check: checkDuration(time.Second, time.Hour),
		Doc: "How long the service may be silent before a request fails. The limit before the first byte of a streamed answer " +
			"is two minutes at most."},
	{Name: "proxy.addr", Type: String, Default: "127.0.0.1:0", Flag: "addr", check: checkListen,
		Doc: "The address `parley proxy` listens on. Loopback only; port 0 picks a free port."},
	{Name: "proxy.max_body_mib", Type: Int, Default: 64, check: checkInt(1, 1024),
		Doc: "The largest request the proxy accepts, in MiB."},
	{Name: "proxy.coalesce", Type: Duration, Default: 12 * time.Millisecond, check: checkDuration(0, time.Second),
		Doc: "How long pieces of an answer may wait to be merged into one event. Sessions of the claude agent use 33ms at " +
			"least. 0s merges nothing."},
	{Name: "proxy.bearer_files", Type: Strings, Default: []string(nil),
		Doc: "Files with additional bearers for `parley proxy` that survive a restart. Each holds a secret and becomes the " +
			"bearer \"SECRET.NAME\", with the name of the file. A missing file is created with a new secret."},
	{Name: "proxy.access_log", Type: String, Default: "",
		Doc: "Where `parley proxy` logs every request as a line of JSON: a file, or - for stderr. Empty: no log."},
	{Name: "proxy.repair_off", Type: Strings, Default: []string(nil),
		Doc: "Request repairs to switch off, by name. An unknown name is an error that lists all of them."},
	{Name: "proxy.system_messages", Type: String, Default: "fold", Values: []string{"fold", "refuse"},
		Doc: "What to do with system messages inside a conversation, which Copilot rejects: fold them into the user's turn, " +
			"or refuse the request with the error of the Anthropic API."},
	{Name: "proxy.image_urls", Type: String, Default: "note", Values: []string{"note", "refuse"},
		Doc: "What to do with images given by URL, which Copilot does not fetch: replace each with a note to the model, or " +
			"refuse the request."},
	{Name: "proxy.betas", Type: Strings, Default: []string(nil),
		Doc: "Anthropic betas to pass on besides those Copilot is known to accept, as families without their dates."},
	{Name: "claude.path", Type: String, Default: "",
		Doc: "The Claude Code runtime to use: a program, a cli.js, or the directory of its npm package. Empty: the one " +
			"`parley runtimes install claude` installed, else claude on PATH."},
	{Name: "claude.version", Type: String, Default: "", check: checkVersion,
		Doc: "The version of the Claude Code runtime to use and install, such as 2.1.197. Empty: use the newest installed " +
			"one, and install the newest that parley was tested with. latest: install what npm calls latest."},
	{Name: "claude.config_dir", Type: String, Default: "",
		Doc: "Where the Claude Code runtime stores its settings and sessions, as CLAUDE_CONFIG_DIR. Empty: that variable, " +
			"else ~/.claude, so that Claude Code and parley share sessions."},
	{Name: "claude.rules", Type: Bool, Default: true,
		Doc: "Heed the permission rules of Claude Code's settings: the user's own, and those of a project that is trusted. They hold for " +
			"every agent where parley has a rule for them; /permissions lists them. false: only Claude Code itself heeds those that deny or ask."},
	{Name: "claude.hook_events", Type: Bool, Default: false,
		Doc: "Show what the hooks of the Claude Code runtime do while they run."},
	{Name: "copilot.path", Type: String, Default: "",
		Doc: "The Copilot runtime to use: a program, or the directory of its npm package. Empty: the one " +
			"`parley runtimes install copilot` installed, else the Copilot CLI, copilot, on PATH."},
	{Name: "copilot.version", Type: String, Default: "", check: checkVersion,
		Doc: "The version of the Copilot runtime to use and install, such as 1.0.102, as the Copilot CLI counts it. Empty: use " +
			"the newest installed one, and install the one that parley was tested with that starts fastest. latest: install " +
			"what npm calls the latest Copilot CLI."},
	{Name: "copilot.home", Type: String, Default: "",
		Doc: "Where the Copilot runtime stores its settings and sessions, as COPILOT_HOME. Empty: that variable, else " +
			"~/.copilot, so that the Copilot CLI and parley share sessions."},
	{Name: "copilot.traffic", Type: String, Default: "direct", Values: []string{"direct", "proxy"},
		Doc: "How requests to models travel in sessions of the Copilot agent: straight from the runtime to GitHub, which gets " +
			"parley's GitHub token for that, or through parley's own proxy without a token."},
	{Name: "cloud.list", Type: Bool, Default: true,
		Doc: "List the tasks of GitHub's cloud agent beside the sessions of this machine. The list is asked for when it is shown."},
	{Name: "tools.bash_timeout", Type: Duration, Default: 2 * time.Minute, check: checkDuration(time.Second, time.Hour),
		Doc: "How long a command of the builtin agent may run before it goes on in the background, unless the agent sets a timeout."},
	{Name: "tools.max_rounds", Type: Int, Default: 200, check: checkInt(1, 100000),
		Doc: "How many rounds of tool calls the builtin agent makes in one turn before it stops."},
	{Name: "tools.pass_env", Type: Strings, Default: []string(nil), check: checkPassed,
		Doc: "Environment variables, such as GH_TOKEN, to pass to agents even though they hold a GitHub token: to their " +
			"commands, and to the Claude Code runtime with its hooks and MCP servers. COPILOT_GITHUB_TOKEN cannot be passed."},
	{Name: "tools.off", Type: Strings, Default: []string(nil),
		Doc: "Tools of parley that agents don't get, such as session_search; all: none of them. See docs/tools.md."},
	{Name: "builtin.lsp", Type: Bool, Default: true,
		Doc: "Let the builtin agent ask the language servers that are installed: for errors after its edits, definitions and " +
			"references. They start when they are needed. See docs/builtin.md."},
	{Name: "builtin.lsp_servers", Type: Servers, Default: []LanguageServer(nil),
		Doc: "Language servers to add, change, allow or disable: a list of objects such as {name: pyright, off: true} or " +
			"{name: mine, command: [mine, --stdio], extensions: [.mine], roots: [mine.toml]}. Naming a server that executes " +
			"project code, such as {name: rust-analyzer}, allows it in every directory. In the environment: NAME=on or NAME=off."},
	{Name: "builtin.mcp", Type: Bool, Default: true,
		Doc: "Let the builtin agent use MCP servers: those of mcp.json in the configuration directory, of Claude Code and the Copilot CLI, " +
			"and, once you agree, of the project. See docs/builtin.md."},
	{Name: "builtin.hooks", Type: Bool, Default: true,
		Doc: "Let the builtin agent run hooks: those of your settings of Claude Code and Copilot and, once you agree, of the project. See " +
			"docs/hooks.md."},
	{Name: "builtin.hook_timeout", Type: String, Default: "block", Values: []string{"block", "pass"},
		Doc: "What a hook means that runs before a tool and takes too long: block blocks the call, pass lets it go ahead. You read of it either way."},
	{Name: "limits.session_credits", Type: Int, Default: 0, check: checkInt(0, 1<<30),
		Doc: "How many credits one session may cost in all. When they are used up, its turn ends and nothing more is sent until the limit is " +
			"raised, here or with /limit. 0 sets no limit."},
	{Name: "limits.day_credits", Type: Int, Default: 0, check: checkInt(0, 1<<30),
		Doc: "How many credits all sessions of this machine may cost together on one day, with every agent and in every parley. 0 sets no limit."},
	{Name: "changes.keep", Type: Bool, Default: true,
		Doc: "Keep copies of files before and after agents change them, on this machine and readable by you only, so that " +
			"changes can be shown and undone. Otherwise nothing is copied, and later changes cannot be undone."},
	{Name: "changes.max_mib", Type: Int, Default: 2048, check: checkInt(0, 1<<20),
		Doc: "How much space these copies may take, in MiB. Those of the oldest sessions are removed first. 0 sets no limit."},
	{Name: "sessions.bin_days", Type: Int, Default: 0, check: checkInt(0, 36500),
		Doc: "After how many days deleted sessions leave the bin for good. 0 keeps them until you empty it with `parley sessions rm --empty-bin`."},
	{Name: "sessions.outlive", Type: Bool, Default: true,
		Doc: "Let sessions go on when their terminal closes or you leave them with /detach: they run in a process of their own, and " +
			"parley attach shows them again. false keeps them in the process of the chat, and only those that parley --detach starts go on. " +
			"See docs/detach.md."},
	{Name: "sessions.unattended_hours", Type: Int, Default: 12, check: checkInt(0, 24*365),
		Doc: "How many hours a session may go on while no terminal shows it. Then its turn is stopped, which it tells. 0 sets no limit."},
	{Name: "sessions.unattended_credits", Type: Int, Default: 0, check: checkInt(0, 1<<30),
		Doc: "How many credits a session may use while no terminal shows it, before its turn is stopped. 0 sets no limit."},
}
