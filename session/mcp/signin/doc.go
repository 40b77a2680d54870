// Package signin signs in to MCP services with OAuth, as the protocol's revision 2025-11-25 describes it.
//
// In come the answer of a service that wants a sign-in, and the wish of the user. Out go the page that the browser has to show, and
// tokens, which a [Store] keeps: in the system's keyring, or in a file that only the user reads. Nothing is opened and nobody is
// asked before the user wishes it. The browser comes back to a listener on this machine that waits for this one answer.
//
// The package imports internal/crash and internal/safefs; the flow is that of github.com/modelcontextprotocol/go-sdk/auth.
package signin
