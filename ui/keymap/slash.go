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
	{"model", "[name]", "choose the model"},
	{"effort", "[level]", "choose how hard it thinks"},
	{"mode", "[name]", "choose what needs permission"},
	{"resume", "[words]", "go on in another session"},
	{"fork", "", "go on in a copy of this session, from a turn you choose"},
	{"new", "", "begin a new session"},
	{"clear", "", "as /new: what was said stays under /resume"},
	{"agent", "[name]", "begin a new session with another agent"},
	{"agents", "", "look at what the agent's own agents do"},
	{"queue", "", "see and take back what waits to be sent"},
	{"tasks", "", "open or fold the task list"},
	{"trust", "", "decide about what the directory brings along"},
	{"install", "[stop]", "install the agent's runtime, or stop that"},
	{"notices", "", "see again what was told"},
	{"usage", "", "see what this session cost and what is left of the plan"},
	{"palette", "", "find a command or a key by its name"},
	{"export", "[file]", "write the conversation as markdown"},
	{"quit", "", "leave"},
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
