package session

import "encoding/json"

// ToolKind sorts tools by what they do to the world.
type ToolKind string

// The kinds of tools.
const (
	ToolRead    ToolKind = "read"    // reads files
	ToolSearch  ToolKind = "search"  // finds files or text
	ToolEdit    ToolKind = "edit"    // changes files
	ToolCommand ToolKind = "command" // runs a command
	ToolFetch   ToolKind = "fetch"   // uses the network
	ToolAgent   ToolKind = "agent"   // starts a child agent
	ToolAsk     ToolKind = "ask"     // asks the user
	ToolPlan    ToolKind = "plan"    // plans or keeps a task list
	ToolMCP     ToolKind = "mcp"     // belongs to an MCP server
	ToolOther   ToolKind = "other"
)

// Display is how a tool call reads.
type Display struct {
	Kind ToolKind
	// Present, Past and Want begin the row while the call runs ("reading"), once it is done ("read") and while it waits
	// for permission ("wants to read").
	Present, Past, Want string
	// Subject is what it acts on: a path relative to dir, the first line of a command cut at 80 columns, a pattern.
	Subject string
}

// Describe tells how a call of the named tool with this input reads, for the tools of all agents. Unknown tools and
// malformed inputs get a decent generic answer. Paths below dir are shortened. input may be incomplete JSON.
func Describe(name string, input json.RawMessage, dir string) Display { panic("being written") }
