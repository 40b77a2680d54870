// Package watch sees changes of the files that extend agents: skills, commands, custom agents, instructions, hooks, MCP servers, plugins
// and settings, of an administrator, the user, a project and plugins.
//
// In come the places of these files. Out goes a [State] of a directory, which differs once one of its files has another content, and a
// signal when it does. Folders are watched and not files, because editors replace files; a file that is written with the same content
// has not changed. Folders and files are bounded, and no folder of a project is entered by a link that leads out of it.
//
// Where a folder cannot be watched, because the system has no watches left or the file system reports nothing, [Watcher.Look] still
// sees what has changed: it looks at the files themselves, and agents call it before each prompt. Nothing is watched and no goroutine
// runs before the first [Watcher.Follow] waits. The package reads files, changes none, and decides nothing about their content.
package watch
