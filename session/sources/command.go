package sources

import (
	"strings"
	"unicode"

	"parley/session"
	"parley/session/permission/shell"
)

// commands are the command lines with which programs go on with a session, by the names of their agents.
var commands = map[string]string{
	"claude":      "claude --resume",
	"copilot":     "copilot --resume",
	"codex":       "codex resume",
	"opencode":    "opencode --session",
	"crush":       "crush --session",
	"gemini":      "gemini --resume",
	"goose":       "goose session --resume --session-id",
	"antigravity": "agy --conversation",
}

// Command returns the command line with which the program that made a session goes on with it, in any shell, and in the session's directory
// if that is given and can be typed. It is "" for a session of parley's own, and for a marked one: the program would take another.
func Command(agent string, id session.ID, dir string) string {
	command, has := commands[agent]
	if !has || Marked(id) || strings.ContainsFunc(string(id), unicode.IsControl) {
		return ""
	}
	command += " " + shell.Quote(strings.TrimPrefix(string(id), agent+"-"))
	if dir != "" && !strings.ContainsFunc(dir, unicode.IsControl) {
		command = "cd " + shell.Quote(dir) + " && " + command
	}
	return command
}
