package toolview

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
func (k Kind) renderer() Renderer {
	switch k {
	case Command:
		return RenderTerminal
	case Search:
		return RenderSearch
	case Read, Fetch:
		return RenderRead
	case Edit:
		return RenderDiff
	case Agent:
		return RenderAgent
	case Plan:
		return RenderList
	case Ask:
		return RenderQuestion
	default:
		return RenderGeneric
	}
}

// ToolGroup sorts tools by how much they can do, for permissions and statistics.
type Group string

// The groups of tools.
const (
	GroupReadOnly  Group = "read-only" // looks and changes nothing
	GroupEdit      Group = "edit"      // changes files
	GroupExecution Group = "execution" // runs commands or other agents, which can do anything
	GroupMCP       Group = "mcp"       // belongs to an MCP server, which alone knows what it does
	GroupOther     Group = "other"
)

// Group returns the group of a kind of tool.
func (k Kind) Group() Group {
	switch k {
	case Read, Search, Fetch:
		return GroupReadOnly
	case Edit:
		return GroupEdit
	case Command, Agent:
		return GroupExecution
	case MCP:
		return GroupMCP
	default:
		return GroupOther
	}
}
