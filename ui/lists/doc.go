// Package lists holds what can be chosen from short lists: the queue, subagents, commands and keys, notices, code, what is used.
//
// Each list is a value: it makes the rows for ui/list from plain data, and returns the effect that stands for a choice. The
// package loads nothing and stores nothing; rows are visible text.
package lists
