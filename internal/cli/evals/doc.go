// Package evals prints what the command parley eval found, see package internal/eval.
//
// In come tasks, runs and the report; out go the list, a line for each run, and the report as tables, JSON and a file.
package evals
