package repair

import (
	"slices"
	"strconv"
	"strings"

	"parley/internal/jsonedit"
)

// maxTools is the number of tools that the service accepts; its error for more is only "Bad Request".
const maxTools = 128

// serverTools are prefixes of the types of tools that would run in the service, which does not have them.
var serverTools = []string{"web_search", "web_fetch", "code_execution", "mcp_toolset", "advisor"}

// tool is one offered tool.
type tool struct {
	index int
	node  jsonedit.Node
	name  string
	typ   string
}

// tools returns the tools that are not deleted.
func (w *work) tools() []tool {
	if !w.offered {
		w.offered = true
		for n := range w.Children(w.top("tools")) {
			w.toolList = append(w.toolList, tool{len(w.toolList), n, w.String(w.Member(n, "name")), w.String(w.Member(n, "type"))})
		}
	}
	if slices.ContainsFunc(w.toolList, w.gone) {
		w.toolList = slices.DeleteFunc(slices.Clone(w.toolList), w.gone)
	}
	return w.toolList
}

func (w *work) gone(t tool) bool { return w.Deleted(t.node) }

// own reports whether the client runs and describes the tool itself; the service knows the others by their type.
func (t tool) own() bool { return t.typ == "" || t.typ == "custom" }

// dropServerTools removes tools that the service would have to run. If nothing else is offered, or such a tool must be
// called, it refuses the request: the model would pretend to have searched.
func dropServerTools(w *work) {
	tools := w.tools()
	choice := w.top("tool_choice")
	left := len(tools)
	for _, t := range tools {
		i := slices.IndexFunc(serverTools, func(s string) bool { return strings.HasPrefix(t.typ, s) })
		if i < 0 {
			continue
		}
		left--
		if w.typeIs(choice, "tool") && w.Is(w.Member(choice, "name"), t.name) || left == 0 {
			w.refuse("tools.%d: The use of the %s tool is not supported: the Copilot API does not run it.", t.index,
				strings.ReplaceAll(serverTools[i], "_", " "))
			return
		}
		w.Delete(t.node)
		w.fire("tools.%d", t.index)
	}
}

// dropDuplicateTools keeps the first tool of each name.
func dropDuplicateTools(w *work) {
	seen := map[string]bool{}
	for _, t := range w.tools() {
		if t.name != "" && seen[t.name] {
			w.Delete(t.node)
			w.fire("tools.%d", t.index)
		}
		seen[t.name] = true
	}
}

// dropTools keeps as many tools as the service accepts: the first ones, and those that the conversation has used or the
// client demands. Clients put the tools of MCP servers last.
func dropTools(w *work) {
	tools := w.tools()
	if len(tools) <= maxTools {
		return
	}
	needed := map[string]bool{w.String(w.member(w.top("tool_choice"), "name")): true}
	for _, b := range w.blocks() {
		if b.typ == "tool_use" {
			needed[w.String(w.Member(b.node, "name"))] = true
		}
	}
	excess := len(tools) - maxTools
	for _, t := range slices.Backward(tools) {
		if excess > 0 && !needed[t.name] {
			w.Delete(t.node)
			w.fire("tools.%d", t.index)
			excess--
		}
	}
}

// dropToolFields removes fields such as eager_input_streaming.
func dropToolFields(w *work) {
	for _, t := range w.tools() {
		if t.own() {
			w.keep(t.node, toolField, "tools."+strconv.Itoa(t.index)+".")
		}
	}
}

// mendToolSchemas removes the schema's address, and adds what a schema may leave open: an input is an object, and an
// object has properties.
func mendToolSchemas(w *work) {
	for _, t := range w.tools() {
		if !t.own() || w.Kind(t.node) != '{' {
			continue
		}
		schema := w.Member(t.node, "input_schema")
		switch {
		case schema == jsonedit.None:
			w.AppendMember(t.node, "input_schema", `{"type":"object","properties":{}}`)
			w.fire("tools.%d.input_schema", t.index)
			continue
		case w.Kind(schema) != '{':
			w.Replace(schema, `{"type":"object","properties":{}}`)
			w.fire("tools.%d.input_schema", t.index)
			continue
		}
		if w.DeleteMember(schema, "$schema") {
			w.fire("tools.%d.input_schema.$schema", t.index)
		}
		w.demand(schema, "type", `"object"`, func(n jsonedit.Node) bool { return w.Is(n, "object") }, t.index)
		w.demand(schema, "properties", `{}`, func(n jsonedit.Node) bool { return w.Kind(n) == '{' }, t.index)
	}
}

// demand sets a member of a schema if it is missing or invalid.
func (w *work) demand(schema jsonedit.Node, name, value string, good func(jsonedit.Node) bool, index int) {
	n := w.Member(schema, name)
	switch {
	case n == jsonedit.None:
		w.AppendMember(schema, name, value)
	case !good(n):
		w.Replace(n, value)
	default:
		return
	}
	w.fire("tools.%d.input_schema.%s", index, name)
}

// isToolID reports whether a JSON string is an id that the service accepts: letters, digits, _ and -.
func isToolID(raw []byte) bool {
	for _, c := range raw[1 : len(raw)-1] {
		if !toolIDByte(c) {
			return false
		}
	}
	return len(raw) > 2
}

func toolIDByte(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// mendToolIDs respells ids that other services made, in calls and results alike and always in the same way.
func mendToolIDs(w *work) {
	bad := false
	for _, b := range w.blocks() {
		bad = bad || w.Kind(b.id) == '"' && !isToolID(w.Raw(b.id))
	}
	if !bad {
		return
	}
	used, spelled := map[string]bool{}, map[string]string{}
	for _, b := range w.blocks() {
		if w.Kind(b.id) == '"' && isToolID(w.Raw(b.id)) {
			used[w.String(b.id)] = true
		}
	}
	for m, b := range w.blocks() {
		if w.Kind(b.id) != '"' || isToolID(w.Raw(b.id)) {
			continue
		}
		was := w.String(b.id)
		if spelled[was] == "" {
			id := spell(was)
			for used[id] {
				id += "_"
			}
			used[id], spelled[was] = true, id
		}
		w.Replace(b.id, jsonedit.Quote(spelled[was]))
		w.fire("messages.%d.content", m.index)
	}
}

// spell replaces the characters that an id may not have by _.
func spell(id string) string {
	if id == "" {
		return "_"
	}
	b := []byte(id)
	for i, c := range b {
		if !toolIDByte(c) {
			b[i] = '_'
		}
	}
	return string(b)
}

// mendToolInputs replaces an input that is not an object by an empty object.
func mendToolInputs(w *work) {
	for m, b := range w.blocks() {
		switch {
		case b.typ != "tool_use" || w.Kind(b.input) == '{':
			continue
		case b.input == jsonedit.None:
			w.AppendMember(b.node, "input", `{}`)
		default:
			w.Replace(b.input, `{}`)
		}
		w.fire("messages.%d.content", m.index)
	}
}
