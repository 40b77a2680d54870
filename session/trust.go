package session

import "context"

// RepositoryItem is one thing that a directory would bring into a session: settings, a hook, an MCP server, a plugin,
// instructions.
type RepositoryItem struct {
	// Kind is "settings", "hook", "mcp server", "plugin", "instructions", "agent", "skill" or "command".
	Kind string `json:"kind"`
	// Name identifies the item in a few words, such as the event of a hook or the name of a server.
	Name string `json:"name"`
	// Path is the absolute path of the file that contains it.
	Path string `json:"path"`
	// Runs is the command line that it would start by itself; empty for none.
	Runs string `json:"runs,omitempty"`
}

// RepositoryTruster is an agent that can load settings from a directory, and does so only for directories that the user
// has trusted. Implementations are safe for concurrent use.
type RepositoryTruster interface {
	// Untrusted lists what a trusted dir would bring into a session. The list is empty if there is nothing, or if the
	// user has already decided about exactly this list, either way. It starts nothing.
	Untrusted(ctx context.Context, dir string) ([]RepositoryItem, error)
	// Trust records the user's decision about the list that Untrusted returned for dir. It takes effect at the next
	// start of the agent there.
	Trust(ctx context.Context, dir string, items []RepositoryItem, yes bool) error
}
