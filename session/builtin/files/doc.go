// Package files is the builtin agent's tools that read and change files.
//
// In come the inputs of calls; out go jobs ([tool.Job]). A file is changed only if the model has seen what it contains, and
// only if it still contains what the user was shown.
//
// It may import session, session/toolview, session/builtin/tool and rooms below internal.
package files
