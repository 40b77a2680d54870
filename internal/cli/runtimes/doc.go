// Package runtimes has the commands of `parley runtimes`: they list, install and remove the runtimes of agents.
//
// In come the streams of a run and what finds runtimes, as [Options]. Out goes the command ([Command]). It starts no runtime.
package runtimes
