// Package search is the builtin agent's tools that find files and text in them.
//
// In come the inputs of calls; out go jobs ([tool.Job]). What git ignores is left out, and what a read would be asked about
// ([tool.Searched]).
//
// It may import session, session/toolview, session/builtin/tool and rooms below internal.
package search
