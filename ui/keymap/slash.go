package keymap

import (
	"slices"
	"strings"
)

// Slash is a slash command as lists and the help show it. One with keys is run by them too, wherever nothing else takes them.
type Slash struct {
	Name, args, Help string

	keys  []string
	empty []string // keys that run it only while nothing is written
	group string   // of its keys in the help
}

// Usage returns how the command is written.
func (c Slash) Usage() string { return strings.TrimSpace("/" + c.Name + " " + c.args) }

// Commands are the slash commands in the order in which they are offered: what people need most comes first.
var Commands = []Slash{
	{Name: "model", args: "[name]", Help: "switch model"},
	{Name: "resume", args: "[words]", Help: "resume another session"},
	{Name: "new", args: "", Help: "start a new session"},
	{Name: "mode", args: "[name]", Help: "set what needs permission"},
	{Name: "permissions", args: "[words]", Help: "list, change and explain what runs without asking"},
	{Name: "changes", args: "", Help: "review, keep and undo what agents did to files", keys: []string{"alt+e"}, group: "reading"},
	{Name: "usage", args: "", Help: "show what this session cost and what is left of your plan"},
	{Name: "limit", args: "[credits]", Help: "show or set how many credits may be used"},
	{Name: "status", args: "", Help: "show what this session works with: agent, model, account, files"},
	{Name: "help", args: "[words]", Help: "keys and commands", keys: []string{"f1"}, empty: []string{"?"}, group: "parley"},
	{Name: "effort", args: "[level]", Help: "set the reasoning effort"},
	{Name: "config", args: "[name] [value]", Help: "show and change your settings"},
	{Name: "theme", args: "[name]", Help: "try and choose a theme"},
	{Name: "rename", args: "title", Help: "give this session a title"},
	{Name: "tabs", args: "[number] [words]", Help: "show a session that works beside this one, or send words there", keys: []string{"alt+g", "ctrl+tab"}, group: "parley"},
	{Name: "worktree", args: "[name] [copy/move]", Help: "start a session on its own branch, list and remove worktrees"},
	{Name: "add-dir", args: "[path or rm path]", Help: "let agents work in another directory too"},
	{Name: "rewind", args: "[undo]", Help: "go back to before a prompt: conversation, files or both"},
	{Name: "fork", args: "", Help: "fork this session from a turn"},
	{Name: "export", args: "[file]", Help: "save the conversation as .md, .html or .json"},
	{Name: "agent", args: "[name]", Help: "start a session with another agent"},
	{Name: "agents", args: "[name, none or new]", Help: "use or create a custom agent"},
	{Name: "extensions", args: "[kind or words]", Help: "show and switch all that extends the agent"},
	{Name: "mcp", args: "[name]", Help: "show, start and stop MCP servers"},
	{Name: "skills", args: "[words]", Help: "show skills and commands, and use one"},
	{Name: "hooks", args: "[part]", Help: "show hooks, their last runs, and their events"},
	{Name: "subagents", args: "", Help: "show the subagents of this session"},
	{Name: "background", args: "", Help: "show what runs in the background, and stop it", keys: []string{"alt+j"}, group: "the agent"},
	{Name: "queue", args: "", Help: "show and reorder queued prompts"},
	{Name: "later", args: "", Help: "go on by itself when the limit of the service ends", keys: []string{"alt+n"}, group: "the agent"},
	{Name: "btw", args: "question", Help: "ask beside the conversation, also while the agent works"},
	{Name: "delegate", args: "[words]", Help: "hand this work over to GitHub's cloud agent"},
	{Name: "browse", args: "", Help: "open the pull request of this session in the browser", keys: []string{"alt+o"}, group: "the agent"},
	{Name: "tasks", args: "", Help: "expand or fold the task list"},
	{Name: "trust", args: "", Help: "review this project's hooks and settings"},
	{Name: "install", args: "[stop]", Help: "install the agent's runtime, or stop installing"},
	{Name: "vim", args: "[on or off]", Help: "switch the composer's vim keys"},
	{Name: "login", args: "[out]", Help: "show who is signed in, sign in again or out"},
	{Name: "doctor", args: "", Help: "check your setup"},
	{Name: "notices", args: "", Help: "show past notices"},
	{Name: "palette", args: "", Help: "find a command or key", keys: []string{"alt+x", "ctrl+shift+p"}, empty: []string{"ctrl+k"}, group: "parley"},
	{Name: "clear", args: "", Help: "same as /new; this chat stays in /resume"},
	{Name: "detach", args: "", Help: "leave; what runs goes on, parley attach shows it", keys: []string{"ctrl+\\"}, group: "parley"},
	{Name: "quit", args: "", Help: "quit parley"},
}

// rows returns the rows of the key table for a command.
func (c Slash) rows() (all []binding) {
	if len(c.keys) > 0 {
		all = append(all, binding{Name: "/" + c.Name, Keys: c.keys, Act: RunCommand, Group: c.group, Help: c.Help})
	}
	if len(c.empty) > 0 {
		all = append(all, binding{Name: "/" + c.Name + emptyRow, Keys: c.empty, Act: RunCommand, Group: c.group, Help: c.Help + ", on an empty line", Empty: true})
	}
	return all
}

// emptyRow ends the name of the row with the keys that run a command on an empty line.
const emptyRow = "-empty"

// findCommand finds a command by its name.
func findCommand(name string) (Slash, bool) {
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
