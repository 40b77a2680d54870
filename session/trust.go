package session

import "context"

// RepositoryItem is one thing that a directory would bring into a session: settings, a hook, an MCP server, a plugin,
// instructions.
type RepositoryItem struct {
	// Kind is "settings", "hook", "mcp server", "plugin", "instructions", "agent", "skill" or "command".
	Kind string `json:"kind"`
	// Name says which one, in a few words, such as the event of a hook or the name of a server.
	Name string `json:"name"`
	// Path is the file it comes from, absolute.
	Path string `json:"path"`
	// Runs is the command line that it would start by itself; empty if it starts nothing.
	Runs string `json:"runs,omitempty"`
}

// RepositoryTruster is an agent that can load what a directory brings along, and does so only for directories the user
// has trusted. Implementations are safe for concurrent use.
type RepositoryTruster interface {
	// Untrusted lists what dir would bring if it were trusted. It is empty if there is nothing, or if the user has decided
	// about this very list before, either way. It starts nothing.
	Untrusted(ctx context.Context, dir string) ([]RepositoryItem, error)
	// Trust remembers what the user said about the list that Untrusted gave for dir. It holds from the next start of the
	// agent in that directory.
	Trust(ctx context.Context, dir string, items []RepositoryItem, yes bool) error
}
