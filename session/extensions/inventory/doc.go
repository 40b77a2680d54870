// Package inventory lists what extends agents in a directory: instructions, custom agents, skills, commands, hooks, MCP servers and
// plugins, of an administrator, the user, the project and plugins.
//
// In come the reports of the rooms that find each kind, in the vocabulary of session. Out go items in one form: whose each is, which
// file has it, whether an agent uses it and why not, what replaces it, and what it costs in the model's window.
//
// The package is pure: it reads no file, starts nothing and changes nothing. Texts come from files of others and are not made visible
// here. It may import session only.
package inventory
