// Package form turns the answers to a form of an MCP server into the values that its schema asks for.
//
// In come the schema and the user's choices as text. Out come values to be marshalled as JSON: the server never gets a value of
// another type or one that it does not list. The package is pure and imports nothing of parley.
package form
