package session

import "context"

// ServerState is the state of an MCP server.
type ServerState string

// The states of a server.
const (
	ServerWaiting   ServerState = "waiting" // for the first prompt
	ServerStarting  ServerState = "starting"
	ServerConnected ServerState = "connected"
	ServerFailed    ServerState = "failed"
	ServerSignIn    ServerState = "wants a sign-in" // switching it on begins one
	ServerOff       ServerState = "off"             // switched off, replaced, or not usable as it is described
)

// Server is an MCP server of a conversation.
type Server struct {
	Name string
	// From is the file that describes it, About its program or host, Of the custom agents whose it is, "" for a server of all.
	From, About, Of string
	// Project means that the file belongs to the repository and not to the user.
	Project bool
	State   ServerState
	// Why says why it failed or is off, empty for the others. Over is the file of the one that has its name, if that is why.
	Why, Over string
	// Page is what the browser has to show while the user signs in, empty otherwise.
	Page string
	// Tools counts its tools.
	Tools int
}

// ServerResource is what an MCP server offers to be read. Name and About describe it, Mention is what a prompt says after an @ to have
// it read.
type ServerResource struct{ Mention, Name, About string }

// ResourceLister is a [ServerKeeper] that knows resources. It answers from memory, and reads none of them.
type ResourceLister interface {
	Resources() []ServerResource
}

// Words says the state in a sentence: "connected", or "off: …".
func (s Server) Words() string {
	if s.Why == "" {
		return string(s.State)
	}
	return string(s.State) + ": " + s.Why
}

// ServerKeeper shows and switches MCP servers. It is safe for concurrent use.
type ServerKeeper interface {
	// Servers returns the servers in the order in which their names hold. With settled it waits until none is starting. It may
	// read files, but starts nothing.
	Servers(ctx context.Context, settled bool) []Server
	// SwitchServer starts a server, again if it runs, or ends it for this conversation. One that wants a sign-in begins it.
	SwitchServer(ctx context.Context, name string, on bool) error
	// SignOut forgets the sign-in to a service and ends its connection. It reports false if there was none.
	SignOut(ctx context.Context, name string) (bool, error)
}
