package repair

import (
	"slices"
	"strconv"
	"strings"

	"parley/internal/jsonedit"
)

// maxTools is how many tools the service takes; at more it says nothing but "Bad Request".
const maxTools = 128

// serverTools begin the types of tools that would run at the service, and that it does not have.
var serverTools = []string{"web_search", "web_fetch", "code_execution", "mcp_toolset", "advisor"}

// tool is one offered tool.
type tool struct {
	index int
	node  jsonedit.Node
	name  string
	typ   string
}

// tools are those that are not deleted.
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

// own reports a tool that the client runs and describes itself; the others are known to the service by their type.
func (t tool) own() bool { return t.typ == "" || t.typ == "custom" }

// dropServerTools drops tools that the service would have to run. Where nothing else is offered, or such a tool must be
// called, the request makes no sense without: the model would pretend to have searched.
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

// dropTools keeps as many tools as the service takes: the first ones, and those that the conversation has used or the
// client insists on. Clients put the tools of MCP servers last.
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

// dropToolFields drops fields such as eager_input_streaming.
func dropToolFields(w *work) {
	for _, t := range w.tools() {
		if t.own() {
			w.keep(t.node, toolField, "tools."+strconv.Itoa(t.index)+".")
		}
	}
}

// mendToolSchemas takes the schema's own address out, and says what it may leave open: an input is an object, and an
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

// demand gives a schema a member if that is missing or not good.
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

// isToolID reports a JSON string that is an id as the service takes it: letters, digits, _ and -.
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

// spell puts _ in the place of what an id may not have.
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

// mendToolInputs has every call in the conversation carry an object.
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
