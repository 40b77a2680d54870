// Package lookup gives agents on a runtime what the builtin agent has from language servers: diagnostics, definitions, references.
//
// In come the directories of a session and questions of a model. Out go a [session.ClientTool] where a server is installed for
// their files, and its answers. The servers of a session start with its first question and end when it has asked nothing for a while;
// what they may read and which may start, package lsp says.
package lookup
