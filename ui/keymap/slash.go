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

// Commands are the slash commands in the order in which they are offered: what people need most comes first.
var Commands = []Slash{
	{"model", "[name]", "switch model"},
	{"resume", "[words]", "resume another session"},
	{"new", "", "start a new session"},
	{"mode", "[name]", "set what needs permission"},
	{"permissions", "[words]", "list, change and explain what runs without asking"},
	{"changes", "", "review, accept and undo what agents did to files"},
	{"usage", "", "show what this session cost and what is left of your plan"},
	{"help", "", "keys and commands"},
	{"effort", "[level]", "set the reasoning effort"},
	{"rename", "title", "give this session a title"},
	{"fork", "", "fork this session from a turn"},
	{"export", "[file]", "save the conversation as markdown"},
	{"agent", "[name]", "start a session with another agent"},
	{"agents", "[name, none or new]", "let a custom agent hold this session, or create one"},
	{"subagents", "", "show the subagents of this session"},
	{"background", "", "show what runs in the background, and stop it"},
	{"queue", "", "show and reorder queued prompts"},
	{"btw", "question", "ask beside the conversation, also while the agent works"},
	{"delegate", "[words]", "hand this work over to GitHub's cloud agent"},
	{"browse", "", "open the pull request of this session in the browser"},
	{"tasks", "", "expand or fold the task list"},
	{"trust", "", "review this project's hooks and settings"},
	{"install", "[stop]", "install the agent's runtime, or stop installing"},
	{"notices", "", "show past notices"},
	{"palette", "", "find a command or key"},
	{"clear", "", "same as /new; this chat stays in /resume"},
	{"quit", "", "quit parley"},
}

// FindCommand finds a command by its name.
func FindCommand(name string) (Slash, bool) {
	i := slices.IndexFunc(Commands, func(c Slash) bool { return c.Name == name })
	if i < 0 {
		return Slash{}, false
	}
	return Commands[i], true
}

// LeavingWords leave when they are all that is written, as people are used to from shells and vi.
var LeavingWords = []string{"exit", "quit", ":q"}

// Leaves reports whether a text is nothing but a word to leave by.
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
