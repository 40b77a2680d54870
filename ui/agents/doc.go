// Package agents lists, chooses and makes the custom agents that can lead a session, for the command /agents.
//
// In come what the user wrote after the command and the custom agents that files define; out go the list and its effects: the
// agent that leads from now on, and the files to be opened in the user's editor. Files are read and made in the background.
package agents
