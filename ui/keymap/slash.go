package keymap

import (
	"slices"
	"strings"
)

// Slash is a slash command as lists and the help show it.
type Slash struct {
	Name, args, Help string
}

// Usage returns how the command is written.
func (c Slash) Usage() string { return strings.TrimSpace("/" + c.Name + " " + c.args) }

// slashes are the slash commands, in the order in which they are offered.
var Commands = []Slash{
	{"help", "", "keys and commands"},
	{"model", "[name]", "switch model"},
	{"effort", "[level]", "set the reasoning effort"},
	{"mode", "[name]", "set what needs permission"},
	{"resume", "[words]", "resume another session"},
	{"fork", "", "fork this session from a turn"},
	{"new", "", "start a new session"},
	{"clear", "", "same as /new; this chat stays in /resume"},
	{"agent", "[name]", "start a session with another agent"},
	{"agents", "", "show the subagents of this session"},
	{"queue", "", "show and reorder queued prompts"},
	{"tasks", "", "expand or fold the task list"},
	{"trust", "", "review this project's hooks and settings"},
	{"install", "[stop]", "install the agent's runtime, or stop installing"},
	{"notices", "", "show past notices"},
	{"usage", "", "show what this session cost and what is left of your plan"},
	{"palette", "", "find a command or key"},
	{"export", "[file]", "save the conversation as markdown"},
	{"quit", "", "quit parley"},
}

// knownSlash finds a command by its name.
func FindCommand(name string) (Slash, bool) {
	i := slices.IndexFunc(Commands, func(c Slash) bool { return c.Name == name })
	if i < 0 {
		return Slash{}, false
	}
	return Commands[i], true
}

// LeavingWords leave when they are all that is written, as people are used to from shells and vi.
var LeavingWords = []string{"exit", "quit", ":q"}

// leavesBy reports whether a text is nothing but a word to leave by.
func Leaves(text string) bool { return slices.Contains(LeavingWords, strings.TrimSpace(text)) }

// ParseCommand splits a line that begins with one slash into name and arguments.
func ParseCommand(text string) (name, args string, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "/") || strings.HasPrefix(text, "//") || strings.Contains(text, "\n") {
		return "", "", false
	}
	name, args, _ = strings.Cut(text[1:], " ")
	if strings.Contains(name, "/") { // a path, such as /etc/hosts
		return "", "", false
	}
	return name, strings.TrimSpace(args), true
}
