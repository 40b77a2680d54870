// Package core is what a user does with a session, for the screen and for the chat in lines alike: prompts on their way
// with the files and images they name, drafts, the user's shell, forks, exports, the words for what happens, and the settings of both
// faces.
//
// In come a session, what the user wrote or chose, and the time. Out go calls on the session, and plain values to show.
// A state machine (DraftKeeper apart) belongs to one goroutine; a function that may take time takes a context, blocks, and
// is run wherever its caller wants.
//
// The package draws nothing and knows neither keys nor an event loop.
package core
