// Package sim is the command that serves a simulated GitHub and Copilot, see package copilot/sim.
//
// In come its flags; out go the addresses on the output, and the requests on the messages.
package sim
