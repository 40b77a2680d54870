// Package ui is the chat screen: what the user of a terminal sees and types.
//
// In come the events of one session (through an inbox that never blocks whoever emits them), keys, and the size of the
// window. Out go frames for ui/paint, and calls on the session: send, abort, answer, configure. The events are folded by
// session.Transcript.Apply; from the transcript come the items of the list, in one file, and nowhere else does an item
// change. Bubble Tea is the event loop, the raw mode and the input decoder; it writes nowhere.
//
//	agent goroutine - session.Event -> Inbox.Put (never blocks)
//	Inbox pump      - inboxMsg, at once for news, at most every 33 ms for text -> Model.Update
//	Model.Update    - Transcript.Apply -> items touched -> frame -> paint.Painter.Draw
//	keys            - Model.Update -> keys.go table -> one method -> frame -> Draw, at once
//
// The package may not block in Update, read the disk or the network outside a command, let text from outside reach a row
// without md.Visible, or import a runtime, a proxy or a store. It alone imports Bubble Tea.
package ui
