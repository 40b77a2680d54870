package foreign

import (
	"encoding/json"

	"parley/session/words"
)

// alias is the tool of parley's own agent that does what another program's tool does, and the field of the input that is called otherwise.
type alias struct{ name, field, as string }

// aliases are by the names of tools in their programs. With them calls look as those of other agents do, and a copy of a session can go on.
var aliases = map[string]alias{
	"exec_command":      {"Bash", "cmd", "command"},             // Codex
	"run_shell_command": {"Bash", "command", "command"},         // Gemini CLI
	"run_command":       {"Bash", "CommandLine", "command"},     // Antigravity
	"developer__shell":  {"Bash", "command", "command"},         // goose
	"bash":              {"Bash", "command", "command"},         // opencode, crush
	"read":              {"Read", "filePath", "file_path"},      // opencode
	"read_file":         {"Read", "absolute_path", "file_path"}, // Gemini CLI
	"view":              {"Read", "file_path", "file_path"},     // crush
	"view_file":         {"Read", "AbsolutePath", "file_path"},  // Antigravity
	"write":             {"Write", "filePath", "file_path"},
	"write_file":        {"Write", "file_path", "file_path"},
	"write_to_file":     {"Write", "TargetFile", "file_path"},
	"edit":              {"Edit", "filePath", "file_path"},
	"replace":           {"Edit", "file_path", "file_path"},

	"replace_file_content": {"Edit", "TargetFile", "file_path"},
	"search_file_content":  {"Grep", "pattern", "pattern"},
	"grep_search":          {"Grep", "Query", "pattern"},
	"list_directory":       {"LS", "dir_path", "path"},
	"list_dir":             {"LS", "DirectoryPath", "path"},
	"list":                 {"LS", "path", "path"},
	"webfetch":             {"WebFetch", "url", "url"},
	"google_web_search":    {"WebSearch", "query", "query"},
	"todowrite":            {"TodoWrite", "todos", "todos"},
}

// translated returns the name and the input of a call as parley knows them. An input that is no object becomes one.
func translated(name string, input json.RawMessage) (string, json.RawMessage) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil || fields == nil {
		fields = map[string]json.RawMessage{}
		if text := words.Strings(input); len(text) > 0 {
			fields["input"], _ = json.Marshal(string(text))
		}
	}
	if a, known := aliases[name]; known {
		name = a.name
		if value, has := fields[a.field]; has && a.field != a.as {
			delete(fields, a.field)
			fields[a.as] = value
		}
	}
	if name = limited(callLetters.ReplaceAllString(name, "_"), 64); name == "" {
		name = "tool"
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return name, json.RawMessage("{}")
	}
	return name, out
}
