// Package dispatch finds the session and the child agent of everything that the Copilot runtime reports and asks, and runs
// the session's handler.
//
// In come notifications and requests of one connection, in the protocol versions 2 (requests) and 3 (events that are answered
// by a call). Out go events in their order, calls of handlers in goroutines, and their answers. Three maps know the children;
// one lock guards them and is never held while a handler runs. One function resolves every session id.
//
// The package decides nothing except whether a child agent may call a tool of the client, and has the runtime store each
// prompt at once. It starts no process and reads no connection.
package dispatch
