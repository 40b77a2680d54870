// Package search is the builtin agent's tools that find files and text in them, with the semantics of ripgrep.
//
// In come the inputs of calls; out go jobs ([tool.Job]). Left out is what git, .ignore and .rgignore files ignore, and what a
// read would be asked about ([tool.Searched]). Several workers go through a tree ([walk]); its results come in one order,
// whichever worker found them. A [matcher] skips files and lines by what every match contains, and lets the regular
// expression judge the lines that are left.
//
// It may import session, session/toolview, session/builtin/tool and rooms below internal. It starts no program.
package search
