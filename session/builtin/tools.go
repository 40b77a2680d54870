package builtin

import (
	"context"
	"encoding/json"
	"slices"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/builtin/clienttool"
	"parley/session/builtin/files"
	"parley/session/builtin/form"
	"parley/session/builtin/role"
	"parley/session/builtin/search"
	"parley/session/builtin/shell"
	"parley/session/builtin/todo"
	"parley/session/builtin/tool"
	"parley/session/builtin/web"
	"parley/session/builtin/wire"
)

// tools are all tools, in the order the model sees them. The list is the same in every mode; see [offered] for models.
var tools = []*tool.Tool{files.Read, search.Glob, search.Grep, files.Edit, files.MultiEdit, files.ApplyPatch, files.Write,
	files.NotebookEdit, shell.Bash, shell.BashOutput, shell.BashInput, shell.KillShell, web.Fetch, web.Search, role.Task, todo.Tool, form.Question, form.Plan}

var _ session.ClientTools = (*conversation)(nil)

// SetTools sets the tools of parley, starting with the next request.
func (c *conversation) SetTools(_ context.Context, tools []session.ClientTool) error {
	made := clienttool.Tools(tools)
	c.has.clients.Store(&made)
	return nil
}

// given returns tools as they are where somebody answers, or where nobody does and a session ends with the last answer.
func given(unattended bool, all []*tool.Tool) []*tool.Tool {
	if !unattended {
		return all
	}
	all = slices.DeleteFunc(slices.Clone(all), func(t *tool.Tool) bool { return t == form.Question || t == form.Plan })
	at := slices.Index(all, shell.Bash)
	return slices.Replace(all, at, at+1, shell.UnattendedBash)
}

// offered returns the tools that a model is offered: GPT models are trained to change files by patches, others to replace
// texts. searches reports that the login can search the web. A call of a tool that is not offered works all the same, because another
// model may have used it before.
func offered(tools []*tool.Tool, model string, searches bool) []*tool.Tool {
	patches := patchFamily.MatchString(model)
	return slices.DeleteFunc(slices.Clone(tools), func(t *tool.Tool) bool {
		switch t {
		case files.ApplyPatch:
			return !patches
		case files.Edit, files.MultiEdit:
			return patches
		case web.Search:
			return !searches
		}
		return false
	})
}

// patchFamily matches the ids of models that are trained on apply_patch.
var patchFamily = lazyregexp.New(`(?i)^(gpt-|o[134]\b)|codex`)

// paramsOf returns tools as a request to a model has them. Only GPT models are held to schemas: others pay for that with time.
func paramsOf(tools []*tool.Tool, model string) []wire.Tool {
	gpt := patchFamily.MatchString(model)
	out := make([]wire.Tool, len(tools))
	for i, t := range tools {
		out[i] = wire.Tool{Name: t.Name, Description: t.Description, InputSchema: json.RawMessage(t.Schema), Strict: gpt && t.Strict()}
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
