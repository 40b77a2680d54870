// Package ui is the chat screen: what the user of a terminal sees and types.
//
// In come the events of one session (through an inbox that never blocks their source), keys, and the size of the
// window. Out go frames for ui/paint, and calls on the session: send, abort, answer, configure. The events are folded by
// session.Transcript.Apply; from the transcript come the items of the list, in one file, and nowhere else does an item
// change. Bubble Tea is the event loop, the raw mode and the input decoder; it writes nowhere.
//
//	agent goroutine - session.Event -> Inbox.Put (never blocks)
//	Inbox pump      - inboxMsg, at once for news, at most every 33 ms for text -> Model.Update
//	Model.Update    - Transcript.Apply -> items touched -> frame -> paint.Painter.Draw
//	keys            - Model.Update -> Model.keyTo -> a component -> its action -> frame -> Draw, at once
//
// The screen is made of components, each in a room below this one with its own state, keys, layout and tests. A component
// has nearly the shape of a Bubble Tea model:
//
//	Update(tea.Msg) (Action, tea.Cmd)   handles a key or the result of one of its commands
//	Want(width, most int) int           returns how many rows it needs
//	Rows(width, height int)             returns its rows and the cell of the cursor
//	Changes()                           reports whether anything changed since it was called last
//
// What covers the chat is a panel, see ui/panel; its action is an effect, and its commands and their results are the stack's.
//
// The action says what the root is to do (submit this, answer so, open that) and is carried out within the same call, since
// the message of a command could be overtaken by the next key. A command is work for elsewhere; the root guards it, so that
// a panic in it ends the program like one in the loop does, and returns its message to the component. What a component
// must know of the others it asks through a small interface that answers at once. Components do not import each other.
//
// Between the components stand the values of this package, one subject and one file each, which the [Model] makes and
// connects in one place: the session that is shown (current) and what changes it (switcher, opening, stream), what the next
// request uses (choices), questions and trust (asks), the way of a prompt (prompts, drafts), the panels (stack, effects),
// reading and copying (reader), the user's shell and installations (shell, install), the terminal apart from frames (terminal), the window
// (screen), and the frame (view). Each names what it needs, and none knows the Model.
//
// The package may not block in Update, read the disk or the network outside a command, let text from outside reach a row
// without cells.Visible, or import a runtime, a proxy or a store. Only it and its components import Bubble Tea.
package ui
