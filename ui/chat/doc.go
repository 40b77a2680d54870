// Package chat is the chat on the screen: the panel at the bottom of the stack, with the conversation, the question, the field
// and the rows around them, and what is done with the session that is shown.
//
// In come the events of the session (through an inbox that never blocks their source), what the user does while nothing covers
// the chat, and effects that panels have on it. Out go frames, effects, and calls on the session: send, abort, answer, configure.
// The events are folded by session.Transcript.Apply; from the transcript come the items of the list, in one file of
// ui/transcript, and nowhere else does an item change.
//
// [Model] makes the components and what stands between them, one subject and one file each: the session that is shown
// (current) and what changes it (switcher, opening, stream), what the next request uses (choices), questions (question), the way
// of a prompt (field, prompts, queue, drafts), reading (reader), the commands (commands) and the frame (view). Each names what
// it needs, and none knows the Model.
//
// A command of a component is work for elsewhere; its message comes back to [Model.Update]. The package may not block there, read
// the disk or the network outside a command, let text from outside reach a row without cells.Visible, or write to the terminal.
package chat
