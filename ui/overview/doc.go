// Package overview is `/status`: what a session works with, and where that is on disk.
//
// In come the session as it is, and what is asked in the background: the account and the MCP servers; out go rows, on the screen and in
// lines. Nothing is changed.
package overview
