// Package plugin finds, installs and switches plugins: folders that bring skills, commands, agents, hooks and servers together, as
// Agent Plugins 1.0 (a plugin.json), Claude Code (.claude-plugin) and the Copilot CLI describe them.
//
// In come the places of parley, Claude Code and the Copilot CLI, and sources: a folder, a git address, a name of a marketplace. Out go
// plugins with their state, where they come from, and all that they would run; and for the other rooms the folders of those that are on.
// What is listed is found by the same code that uses it later.
//
// A plugin is data of its author: it is copied within bounds, without links that lead out of it, and pinned by its commit and the hash
// of its content. It arrives switched off, nothing of it runs before the user switches it on, and a change switches off what runs
// something. Plugins of other programs are shown and never changed; of them only texts are used here.
package plugin
