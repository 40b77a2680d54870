package builtin

import (
	"encoding/json"

	"parley/session/builtin/files"
	"parley/session/builtin/search"
	"parley/session/builtin/shell"
	"parley/session/builtin/tool"
	"parley/session/builtin/wire"
)

// tools are all tools, in the order the model sees them. The list is the same in every mode.
var tools = []*tool.Tool{files.Read, search.Glob, search.Grep, files.Edit, files.Write, shell.Bash, taskTool,
	todoTool, questionTool, planTool}

// paramsOf returns tools as a request has them.
func paramsOf(tools []*tool.Tool) []wire.Tool {
	out := make([]wire.Tool, len(tools))
	for i, t := range tools {
		out[i] = wire.Tool{Name: t.Name, Description: t.Description, InputSchema: json.RawMessage(t.Schema)}
	}
	return out
}

func toolNames(tools []*tool.Tool) []string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return names
}
