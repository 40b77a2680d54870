// Package trust finds what a directory would bring into a session of the Claude Code runtime, and remembers what the
// user said about it.
//
// In come a directory and the user's home. Out goes a list of what the runtime would load from the directory and those
// above it: settings, the commands of hooks and helpers, permissions given in advance, MCP servers, plugins, instructions,
// agents, skills and commands ([Scan]); and whether the user has agreed to that very list ([Store]).
//
// The files belong to whoever wrote the repository. They are read as data: nothing of them is run, links are not followed
// out of the repository, names, sizes and counts are bounded, and what cannot be read is itself an item of the list. The
// list errs on the side of saying more than the runtime would load.
//
// The package imports only session. It may not start anything, write into a repository, or decide for the user.
package trust
