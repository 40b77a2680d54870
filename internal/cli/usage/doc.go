// Package usage has the command `parley usage`: what sessions cost, by day, model, agent and directory.
//
// In come the costs of all sessions as a report, and the stream of a run, as [Options]. Out goes the command ([Command]).
package usage
