package keymap

// briefs are shorter words for rows of the table, by name, and for what is written, by itself. Neighbors with the same words are one
// row of the help.
var briefs = map[string]string{
	"/permissions": "what may run unasked", "/mode": "what needs permission", "/changes": "review, undo",
	"/usage": "cost, and its limits", "/limit": "cost, and its limits", "/status": "session and account", "/login": "sign in or out", "/rename": "title this session", "/tabs": "other sessions", "tab": "other sessions", "/worktree": "on its own branch", "/add-dir": "another directory", "/rewind": "go back to a prompt", "/fork": "fork from a turn", "/effort": "reasoning effort", "/export": "save the conversation",
	"/agent": "use another agent", "/agents": "custom agents", "/config": "settings", "/theme": "theme, vim keys", "/vim": "theme, vim keys", "/extensions": "all that extends it", "/mcp": "servers, skills", "/skills": "servers, skills", "/hooks": "hooks and their runs", "/subagents": "the subagents", "/background": "background work",
	"/queue": "what waits", "/later": "what waits", "/btw": "ask a side question", "/delegate": "hand over to GitHub", "/browse": "pull request",
	"/tasks": "the tasks", "/trust": "hooks and settings", "/install": "install a runtime", "/new": "a new session", "/clear": "a new session", "/detach": "leave, or quit", "/quit": "leave, or quit",
	"/help": "this help", "/help-empty": "this help", "/palette": "/palette finds all", "/palette-empty": "/palette finds all",

	"/compact": "summarize to make room", "/context": "what fills the window", "/init": "write an AGENTS.md", "/memory": "instructions in force", "/output-style": "how it answers",

	"/": "commands; // for a /", "@": "files; @path:1-9", "!": "shell; !! for a !", "down, enter": "resume or suggestion",

	"send": "send, or queue", "steer": "send into the turn", "editor": "write in your editor", "search": "search your prompts", "image": "paste an image",
	"unfold": "expand a paste",

	"up": "row, past prompts", "down": "row, past prompts", "left": "a character", "right": "a character", "word-left": "a word",
	"word-right": "a word", "line-start": "ends of the line", "line-end": "ends of the line", "text-start": "ends of the prompt",
	"text-end": "ends of the prompt", "erase-left": "delete to the left", "erase-right": "delete to the right", "cut-word-left": "cut a word",
	"cut-word-right": "cut a word", "cut-to-start": "cut to the ends", "cut-to-end": "cut to the ends", "put": "paste cuts", "put-older": "paste cuts",
	"undo": "undo, redo", "redo": "undo, redo", "upper-word": "upper, lower, title", "lower-word": "upper, lower, title",
	"title-word": "upper, lower, title", "transpose": "swap two characters",

	"interrupt": "interrupt, then clear", "mode": "next permission mode", "tasks": "the tasks", "to-background": "send to the background",
	"fork": "fork from a turn", "answer": "answer the question",

	"fold": "show or fold a row", "open": "open a subagent", "mark-up": "mark another row", "mark-down": "mark another row", "page-up": "scroll",
	"page-down": "scroll", "top": "start, end", "bottom": "start, end", "turn-up": "other prompts", "turn-down": "other prompts", "new": "what is new",
	"fold-all": "show or fold all", "times": "times and durations", "diff-split": "diffs side by side", "find": "find in the chat",

	"copy-answer": "copy the last answer", "copy-code": "copy a code block", "select": "select with keys", "mouse": "mouse on or off",
	"stop": "clear; twice: quit", "leave": "quit, when empty",
}

// Brief returns the words of a row or of a command, with its slash, where there is little room; help where it has no others.
func Brief(name, help string) string {
	if b := briefs[name]; b != "" {
		return b
	}
	return help
}
