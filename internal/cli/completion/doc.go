// Package completion has the command `parley completion` and the values that shells offer: agents, models, modes, sessions and
// others.
//
// In come the tree of commands and what reads stored models and sessions, as [Sources]. Out go completions of flags and arguments
// ([Add]). It asks no service and waits for no network.
package completion
