package agentfiles

import (
	"slices"
	"strings"
	"unicode"

	"parley/session"
)

// same are the names that agents have for one tool each, as [spelled] returns them.
var same = [][]string{
	{"read", "view", "readfile", "notebookread", "showfile"},
	{"edit", "multiedit", "applypatch", "strreplace", "strreplaceeditor"},
	{"write", "create", "createfile"},
	{"notebookedit"},
	{"rename"},
	{"glob", "filesearch"},
	{"grep", "rg", "textsearch"},
	{"lsp"},
	{"ls", "listdirectory"},
	{"bash", "powershell", "runinterminal"},
	{"bashoutput", "readbash", "readpowershell", "taskoutput", "agentoutput"},
	{"killshell", "killbash", "stopbash", "stoppowershell", "taskstop"},
	{"writebash", "writepowershell", "bashinput"},
	{"listbash", "listpowershell"},
	{"webfetch", "fetch"},
	{"websearch"},
	{"task", "agent", "customagent", "runsubagent"},
	{"todowrite", "todo", "todos", "updatetodo", "managetodolist", "taskcreate", "taskupdate", "tasklist", "taskget"},
	{"askuserquestion", "askuser"},
	{"exitplanmode"},
	{"skill"},
}

// groups are the words that mean several tools, with the first names of these in same.
var groups = map[string][]string{
	"read":        {"read", "ls"},
	"edit":        {"edit", "write", "notebookedit", "rename"},
	"editfiles":   {"edit", "write", "notebookedit", "rename"},
	"search":      {"glob", "grep", "lsp", "ls"},
	"codebase":    {"glob", "grep", "lsp", "ls"},
	"usages":      {"grep", "lsp"},
	"execute":     {"bash", "bashoutput", "killshell", "writebash", "listbash"},
	"shell":       {"bash", "bashoutput", "killshell", "writebash", "listbash"},
	"bash":        {"bash", "bashoutput", "killshell", "writebash", "listbash"},
	"runcommands": {"bash", "bashoutput", "killshell", "writebash", "listbash"},
	"web":         {"webfetch", "websearch"},
}

// Allowed returns those of an agent's tools that a custom agent may use, in their order. Its file may name them as this agent
// does, as another does, or by a word for several: edit, search, execute, web, agent, todo.
func Allowed(a session.CustomAgent, tools []string) []string {
	out := []string{}
	for _, t := range tools {
		if (a.Tools == nil || matches(a.Tools, t)) && !matches(a.Denied, t) {
			out = append(out, t)
		}
	}
	return out
}

// matches reports whether one of the entries of a list means a tool.
func matches(entries []string, tool string) bool {
	return slices.ContainsFunc(entries, func(e string) bool { return e == "*" || means(e, tool) })
}

// means reports whether an entry means a tool.
func means(entry, tool string) bool {
	if entry == tool {
		return true
	}
	if server, name, is := serverTool(tool); is {
		s, n, also := serverTool(entry)
		return also && s == server && (n == "*" || n == name)
	}
	if _, _, is := serverTool(entry); is && !strings.Contains(entry, "/") {
		return false
	}
	entry, _, _ = strings.Cut(entry, "(") // Bash(git *) limits what the tool may do; parley's rules do that
	first, rest, nested := strings.Cut(entry, "/")
	word := spelled(first)
	if nested { // edit/editFiles, as VS Code writes
		if groups[word] == nil && word != "agent" && word != "todo" {
			return false
		}
		if word = spelled(rest); !known(word) {
			word = spelled(first)
		}
	}
	name := kindOf(spelled(tool))
	if word == spelled(tool) {
		return true
	}
	// Claude Code's Edit and Read, with a capital, are one tool each; Copilot's edit and read are several.
	if several := groups[word]; several != nil && !(capital(entry) && (word == "edit" || word == "read")) {
		return slices.Contains(several, name)
	}
	return known(word) && kindOf(word) == name
}

func capital(s string) bool { return s != "" && unicode.IsUpper(rune(s[0])) }

// known reports whether a word means tools.
func known(word string) bool {
	return groups[word] != nil || slices.ContainsFunc(same, func(names []string) bool { return slices.Contains(names, word) })
}

// kindOf returns the first of the names that a tool has, the given one for a tool that nothing is known of.
func kindOf(word string) string {
	for _, names := range same {
		if slices.Contains(names, word) {
			return names[0]
		}
	}
	return word
}

// spelled returns a name of a tool in lower case with its letters and digits only.
func spelled(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// serverTool returns the server and the tool of a name such as "github/search" or "mcp__github__search"; the tool is "*" for
// all of the server.
func serverTool(name string) (server, tool string, is bool) {
	if rest, ours := strings.CutPrefix(name, "mcp__"); ours {
		server, tool, is = strings.Cut(rest, "__")
		if !is || tool == "" {
			tool = "*"
		}
		return server, tool, server != ""
	}
	server, tool, is = strings.Cut(name, "/")
	return server, tool, is && server != "" && tool != ""
}

// ServerTools returns the entries of a list that mean tools of MCP servers, as Claude Code names them: mcp__server__tool, or
// mcp__server for all of a server.
func ServerTools(list []string) []string {
	var out []string
	for _, e := range list {
		server, tool, is := serverTool(e)
		if !is || known(spelled(server)) && !strings.HasPrefix(e, "mcp__") {
			continue
		}
		name := "mcp__" + server
		if tool != "*" {
			name += "__" + tool
		}
		out = append(out, name)
	}
	return out
}
