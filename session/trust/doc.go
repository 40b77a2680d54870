// Package trust lists what a directory would bring into a session of the Claude Code or the Copilot runtime, and remembers
// the user's decision about it.
//
// In come a directory and the user's home. Out goes a list of what the runtime would load from the directory and those
// above it: settings, the commands of hooks and helpers, permissions granted in advance, MCP servers, plugins,
// instructions, agents, skills and commands; and whether the user has agreed to exactly that list ([Store]). Equal
// lists have equal sums. A list fails only if the directory itself cannot be read. The home directory is the user's own
// and not listed.
//
// The files are not trusted, because the author of the repository wrote them. They are read as data: nothing in them is
// run, links are not followed out of the repository, and names, sizes and counts are bounded. An unreadable file is
// itself an item of the list, which rather has too many items than too few.
//
// The package imports only session. It may not start anything, write into a repository, or decide for the user.
package trust
