// Package extensions lists what extends the session's agent, for the command /extensions; /mcp, /skills and /hooks are the same list of
// one kind.
//
// In come what finds the items of a directory, and what shows and switches the servers, hooks and skills of the session. Out go the list
// and its effects: a server that is started or ended, a skill that is written into the field, and a file opened in the user's editor.
// All are read, and servers switched, in the background.
package extensions
