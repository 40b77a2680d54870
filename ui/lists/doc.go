// Package lists holds what can be chosen from a list: models, modes, agents, sessions, the queue, turns to fork from, commands,
// and the rest.
//
// Each list is a value: it makes the rows for ui/picker from plain data, and returns the action that stands for a choice. The
// root opens it in a picker and carries the action out. The package loads nothing and stores nothing; rows are visible text.
package lists
