// Package form has the tools of the builtin agent that put something to the user in place of work: questions, and plans with the
// notes about the mode in which plans are made.
//
// In come calls and answers. Out go forms ([tool.Form]), their outcomes, and notes for the model. It is pure, and may import session,
// session/builtin/tool and session/toolview.
package form
