// Package style finds output styles: texts that change how an agent answers, in Claude Code's format.
//
// In come the directories of the user and that of a session. Out go the styles with their texts, those that are built in first, and
// which of one name holds: the project's, then the user's. Files of others are read within bounds, and nothing is run. Those of a
// project hold only once the user agreed to what it brings.
package style
