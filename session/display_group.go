package session

// Renderer says which way of showing a result suits a tool.
type Renderer string

// The renderers.
const (
	RenderTerminal Renderer = "terminal" // output as a terminal would show it
	RenderSearch   Renderer = "search"   // a list of files or matches
	RenderRead     Renderer = "read"     // the content of a file or page, folded
	RenderDiff     Renderer = "diff"     // a change of files
	RenderAgent    Renderer = "agent"    // the work of a child agent, nested
	RenderList     Renderer = "list"     // a task list or a plan
	RenderQuestion Renderer = "question" // a question and what was answered
	RenderGeneric  Renderer = "generic"  // text
)

// renderer is the one that suits most tools of a kind.
func (k ToolKind) renderer() Renderer {
	switch k {
	case ToolCommand:
		return RenderTerminal
	case ToolSearch:
		return RenderSearch
	case ToolRead, ToolFetch:
		return RenderRead
	case ToolEdit:
		return RenderDiff
	case ToolAgent:
		return RenderAgent
	case ToolPlan:
		return RenderList
	case ToolAsk:
		return RenderQuestion
	default:
		return RenderGeneric
	}
}

// ToolGroup sorts tools by how much they can do, for permissions and statistics.
type ToolGroup string

// The groups of tools.
const (
	GroupReadOnly  ToolGroup = "read-only" // looks and changes nothing
	GroupEdit      ToolGroup = "edit"      // changes files
	GroupExecution ToolGroup = "execution" // runs commands or other agents, which can do anything
	GroupMCP       ToolGroup = "mcp"       // belongs to an MCP server, which alone knows what it does
	GroupOther     ToolGroup = "other"
)

// Group returns the group of a kind of tool.
func (k ToolKind) Group() ToolGroup {
	switch k {
	case ToolRead, ToolSearch, ToolFetch:
		return GroupReadOnly
	case ToolEdit:
		return GroupEdit
	case ToolCommand, ToolAgent:
		return GroupExecution
	case ToolMCP:
		return GroupMCP
	default:
		return GroupOther
	}
}
