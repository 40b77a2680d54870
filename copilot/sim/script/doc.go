// Package script is the language in which tests say what a simulated model answers. script.md describes the format.
//
// In comes YAML ([Parse]) and, for each request, a [Situation]: where the conversation stands and what is asked for. Out
// comes an [Answer]: the steps of the reply with their templates filled in, at their pace, with the faults that stand in
// them. [Default] and [Demo] are the scripts of the program.
//
// The package reads no request and sends nothing: the server of sim does both. It does no I/O and has no clock.
package script
