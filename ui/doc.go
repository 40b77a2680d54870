// Package ui is the screen: the terminal, the stack of panels on it, and the effects that are not on the chat.
//
// In come keys, pastes, the pointer, the size of the window and what the terminal reports. Out go frames for ui/paint. Bubble Tea is
// the event loop, the raw mode and the input decoder; it writes nowhere.
//
//	agent goroutine - session.Event -> session.Log.Add -> wakes core.Inbox (never blocks)
//	Inbox pump      - at once for news, at most every 33 ms for text -> Model.Update -> panel.Stack -> chat.Model.Update
//	Model.Update    - effects carried out, chat.Model.Settle, and if anything changed a frame -> paint.Painter.Draw
//	keys            - Model.Update -> Model.key -> panel.Stack -> the top panel -> its effect -> frame -> Draw, at once
//
// Everything that is shown is a panel, see ui/panel: the chat (ui/chat) at the bottom, and what covers it. A panel's action is an
// effect, carried out within the same call, since the message of a command could be overtaken by the next key: by the stack, by
// this package where it concerns the terminal, the notices or the program, else by the chat. A command is work for elsewhere; the
// screen guards it, so that a panic in it ends the program like one in the loop does, and its result goes back to its panel.
//
// The chat is made of components, each in a room of its own with its own state, keys, layout and tests. A component has nearly the
// shape of a Bubble Tea model:
//
//	Update(tea.Msg) (Action, tea.Cmd)   handles a key or the result of one of its commands
//	Want(width, max int) int            returns how many rows it needs
//	Rows(width, height int)             returns its rows and the cell of the cursor
//	Changes()                           reports whether anything changed since it was called last
//
// What a component must know of the others it asks through functions that answer at once. Components do not import each other.
//
// The package names no feature. It may not block in Update, read the disk or the network outside a command, or let text from
// outside reach a row without cells.Visible. Only it and the rooms below it import Bubble Tea.
package ui
