package guard

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"parley/session"
	"parley/session/toolview"
)

// Call is the action that the runtime asks about: a tool call before it runs, or a permission request for one.
type Call struct {
	ID session.CallID
	// Tool is the name by which rules know the tool: "bash", "mcp__server__tool".
	Tool  string
	Kind  toolview.Kind
	Input json.RawMessage
	// Agent is the child agent that calls, "" for the top level.
	Agent string
	// Command is a command line, Paths the files or directories, as the runtime names them. Written is the command line that the
	// model wrote, where a hook has put Command in its place; "" where it has not.
	Command, Written string
	Paths            []string
	// Edits are the exact changes to files, where the runtime says them.
	Edits []session.FileEdit
	// Purpose is the reason why the model does it, in its words; may be empty.
	Purpose string
	// Always is the reason why the user must be asked although a rule may allow it; "" for nothing.
	Always string
	// Unasked reports that the runtime would run the call without a permission request.
	Unasked bool
	// Own reports whether the call is one of the runtime's for itself: it asks the user, plans, or starts what is judged later.
	Own bool
}

// own are the tools of the runtime that do nothing beyond its own session: what they start is judged call by call.
var own = []string{"ask_user", "exit_plan_mode", "task", "read_agent", "write_agent", "list_agents", "stop_agent", "wait_agent", "skill",
	"sql", "session_store_sql", "report_intent", "update_todo", "task_complete", "tool_search_tool", "fetch_copilot_cli_documentation", "think",
	"read_bash", "list_bash", "stop_bash", "read_powershell", "list_powershell", "stop_powershell"}

// asking are the tools about which every runtime makes a permission request by itself.
var asking = []string{"bash", "powershell", "local_shell", "view", "create", "edit", "insert", "str_replace", "str_replace_editor", "apply_patch",
	"glob", "grep", "rg", "web_fetch", "fetch", "store_memory", "vote_memory"}

// looking are the tools that may read files without a permission request.
var looking = []string{"show_file", "lsp", "semantic_code_search"}

// typing are the tools that type into a running program, of which no rule for commands knows.
var typing = []string{"write_bash", "write_powershell"}

// arguments are the arguments of the runtime's tools that rules are about.
type arguments struct {
	Command string `json:"command"`
	Path    string `json:"path"`
	File    string `json:"file"`
	// FilePath is what tools of parley call a path.
	FilePath string `json:"file_path"`
	Input    string `json:"input"`
	Patch    string `json:"patch"`
	URL      string `json:"url"`
	About    string `json:"description"`
}

// ReadHook reads the input of the hook before or after a tool call. servers are the MCP servers of the session, and client
// the tools that parley provides. It reports false for one that cannot be read.
func ReadHook(input json.RawMessage, servers, client []string) (Call, bool) {
	var in struct {
		Tool  string          `json:"toolName"`
		Args  json.RawMessage `json:"toolArgs"`
		Agent string          `json:"agentId"`
	}
	if json.Unmarshal(input, &in) != nil || in.Tool == "" {
		return Call{}, false
	}
	c := Describe(in.Tool, slices.Clone(in.Args), servers, client)
	c.Agent = in.Agent
	return c, true
}

// Describe returns a call of a tool with its arguments, which may be a string that has the JSON.
func Describe(tool string, args json.RawMessage, servers, client []string) Call {
	var text string
	if json.Unmarshal(args, &text) == nil && json.Valid([]byte(text)) && strings.HasPrefix(strings.TrimSpace(text), "{") {
		args = json.RawMessage(text)
	}
	c := Call{Tool: tool, Input: args, Kind: toolview.Other}
	var a arguments
	_ = json.Unmarshal(args, &a) // of another shape it names nothing
	if slices.Contains(client, tool) {
		c.Kind = toolview.Describe(tool, args, "").Kind
		if path := cmp.Or(a.FilePath, a.Path); path != "" && (c.Kind == toolview.Read || c.Kind == toolview.Search) {
			c.Paths = []string{path}
		}
		return c
	}
	switch {
	case slices.Contains(own, tool):
		c.Kind, c.Own = toolview.Plan, true
		return c
	case slices.Contains(typing, tool):
		c.Unasked = true
		return c
	case slices.Contains(asking, tool):
	case slices.Contains(looking, tool):
		c.Unasked = true
	default:
		if name, ok := serverTool(tool, servers); ok {
			c.Tool, c.Kind = name, toolview.MCP
		}
		c.Unasked = true
		return c
	}
	c.Kind = toolview.Describe(tool, args, "").Kind
	switch c.Kind {
	case toolview.Command:
		c.Command, c.Purpose = a.Command, a.About
	case toolview.Edit, toolview.Read, toolview.Search:
		c.Paths = patched(cmp.Or(a.Input, a.Patch, text))
		if path := cmp.Or(a.Path, a.File); path != "" {
			c.Paths = append([]string{path}, c.Paths...)
		}
		if len(c.Paths) == 0 && c.Kind == toolview.Search {
			c.Paths = []string{"."}
		}
	case toolview.Plan:
		c.Kind = toolview.Other // a memory lasts beyond the session
	}
	return c
}

// serverTool returns the name of a tool of an MCP server as rules know it. The runtime joins the two with a dash.
func serverTool(tool string, servers []string) (string, bool) {
	server := ""
	for _, s := range servers {
		if strings.HasPrefix(tool, s+"-") && len(s) > len(server) {
			server = s
		}
	}
	if server == "" {
		return "", false
	}
	return "mcp__" + server + "__" + strings.TrimPrefix(tool, server+"-"), true
}

// patched returns the files of a patch in the form of apply_patch.
func patched(patch string) []string {
	var paths []string
	for line := range strings.Lines(patch) {
		for _, begin := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
			if path, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), begin); ok && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}
