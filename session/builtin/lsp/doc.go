// Package lsp asks language servers about the project: errors after an edit, definitions, references, symbols, renames.
//
// In come a [tool.Workspace], the edits of calls, and the calls of the tools LSP and Rename. Out go texts for the model, with
// paths, lines and columns as people count them. A [Pool] belongs to one conversation: it starts a server when it is first
// needed, one per language and root, restarts it a few times, and ends all with the conversation.
//
// A server is a program of the user: it is on PATH and not within the session's directories. Servers that run what a
// project contains (build scripts, plugins, a configuration that is code) are started only where the user trusts the
// directory or has named the server in the configuration; the same holds for programs in node_modules/.bin.
//
// What a server says is data of a stranger: sizes, counts and times are bounded, positions are clamped, paths outside of
// the session's directories are not read, files that rules hide are left out, and no request of a server changes or opens
// anything. Documents always have the content of the disk. No edit waits longer than a few seconds; what comes later is
// in the next result.
//
// It may import session, session/builtin/files, session/builtin/tool, session/permission, session/proc, session/toolview and rooms below internal.
package lsp
