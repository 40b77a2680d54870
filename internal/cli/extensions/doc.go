// Package extensions has the commands of `parley extensions`: they list what extends agents in a directory,
// describe one of it, and install and switch plugins.
//
// In come the stream of a run and what finds the items, as [Options]. Out goes the command ([Command]). It starts git for plugins,
// and nothing that it lists.
package extensions
