// Package panel is the one door for everything that covers the chat: what a panel is, the stack on which panels stand, and what
// they ask of the program.
//
// In come the messages of the event loop; each goes to the panels that it is for, by one rule: input to the top panel, the
// result of a command to the panel that started it, everything else to all. Out go frames of the top panel, and effects, which
// the owner of the stack carries out. The chat stands at the bottom. The package names no feature and draws nothing itself.
package panel
