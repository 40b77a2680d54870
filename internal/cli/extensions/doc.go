// Package extensions has the commands of `parley extensions`: they list what extends agents in a directory and describe one of it.
//
// In come the stream of a run and what finds the items, as [Options]. Out goes the command ([Command]). It starts nothing that it lists.
package extensions
