package toolview

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"parley/session"
)

// ToolKind sorts tools by what they do to the world.
type Kind string

// The kinds of tools.
const (
	Read    Kind = "read"    // reads files
	Search  Kind = "search"  // finds files or text
	Edit    Kind = "edit"    // changes files
	Command Kind = "command" // runs a command
	Fetch   Kind = "fetch"   // uses the network
	Agent   Kind = "agent"   // starts a child agent
	Ask     Kind = "ask"     // asks the user
	Plan    Kind = "plan"    // plans or keeps a task list
	MCP     Kind = "mcp"     // belongs to an MCP server
	Other   Kind = "other"
)

// Display holds the words for a tool call.
type Display struct {
	Kind Kind
	// Renderer is the form that shows the result best.
	Renderer Renderer
	// Present, Past, Want and Failed begin the row while the call runs ("reading"), once it is done ("read"), while it waits
	// for permission ("wants to read") and when it has failed ("could not read").
	Present, Past, Want, Failed string
	// Subject names the object of the call: a path relative to dir, the first line of a command, a pattern; cut at 80 columns, one
	// line, empty if the input does not say (yet). It comes from the model and may hold control characters.
	Subject string
}

// Ended returns the words that begin the row of a call that ended so: "wanted to edit" if it was denied, "could not edit" if
// it failed and such a call does all or nothing, the past form otherwise.
func (d Display) Ended(outcome session.ToolOutcome) string {
	switch {
	case outcome == session.ToolDenied:
		return strings.Replace(d.Want, "wants", "wanted", 1)
	case outcome == session.ToolFailed && d.AllOrNothing():
		return d.Failed
	}
	return d.Past
}

// AllOrNothing reports whether a failed call of this kind has done nothing. The others may have done a part.
func (d Display) AllOrNothing() bool {
	return d.Kind == Read || d.Kind == Search || d.Kind == Edit || d.Kind == Fetch
}

// clientPrefix begins the names that tools of parley have in a runtime that knows them as a server's.
const clientPrefix = "mcp__parley__"

// ClientTool returns the name of parley's tool that a runtime calls by a name, false for any other tool.
func ClientTool(name string) (own string, ok bool) {
	own, ok = strings.CutPrefix(name, clientPrefix)
	return own, ok && clientTools[own]
}

// Describe tells how a call of the named tool with this input reads, for the tools of all agents. Unknown tools and
// malformed inputs get a decent generic answer. Paths below dir are shortened. input may be incomplete JSON, such as
// [Tool.Partial]; of that, the strings that have begun are used. It knows the tools of Claude Code 2.1.112 to 2.1.329,
// of the Copilot runtime 0.0.420 to 1.0.102, and parley's own.
func Describe(name string, input json.RawMessage, dir string) Display {
	if own, ok := ClientTool(name); ok {
		name = own
	}
	row, known := toolRows[name]
	if !known {
		if d, ok := describeMCP(name); ok {
			return d
		}
		row = genericRow(name)
	}
	d := Display{Kind: row.kind, Present: row.present, Past: row.past, Want: "wants to " + row.want,
		Failed: "could not " + row.want, Renderer: row.renderer}
	if row.refine != nil {
		row.refine(&d, input)
	}
	if d.Renderer == "" {
		d.Renderer = d.Kind.renderer()
	}
	for _, f := range row.fields {
		text, found := stringField(input, f.name, f.deep)
		if !found || text == "" {
			continue
		}
		if f.path {
			text = shortPath(text, dir)
		}
		d.Subject = session.Subject(text)
		break
	}
	return d
}

// describeMCP reads the names that both runtimes give to the tools of MCP servers.
func describeMCP(name string) (Display, bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return Display{}, false
	}
	server, tool, ok := strings.Cut(rest, "__")
	if !ok || server == "" || tool == "" {
		server, tool = "", rest
	}
	d := Display{Kind: MCP, Present: "calling", Past: "called", Want: "wants to call", Failed: "could not call",
		Renderer: RenderGeneric, Subject: session.Subject(tool)}
	if server != "" {
		d.Subject = session.Subject(tool + " of " + server)
	}
	return d, true
}

func genericRow(name string) toolRow {
	if name == "" {
		name = "a tool"
	}
	return toolRow{kind: Other, present: "using " + session.Subject(name), past: "used " + session.Subject(name),
		want: "use " + session.Subject(name), fields: fields("description", "title", "name", "query", "path:file_path", "path:path", "command", "url")}
}

// shortPath returns path relative to dir if it lies below it.
func shortPath(path, dir string) string {
	if dir == "" || !filepath.IsAbs(path) {
		return path
	}
	rel, err := filepath.Rel(dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	if rel == "." {
		return "./"
	}
	return rel
}
