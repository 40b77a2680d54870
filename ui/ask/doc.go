// Package ask shows one question above the composer and owns the rule of when a question has the keyboard.
//
// In come a question of ui/question, keys, clicks, the time, and from the root what the rest of the screen does ([Around]).
// Out come rows, and actions for the root: an answer, a deed, a key that turned out to be text, a scroll of the
// conversation. The rule is a state machine without a clock ([Model.Press] sees every key once, before anything else handles
// it): a question gets the keyboard by a key, or after a pause without any key while nothing is being written; a letter is
// held for a moment before it answers; nothing that is typed as text answers.
//
// The package calls no session, opens no editor and no browser, and knows nothing of the rest of the screen. One goroutine,
// the event loop, may use a [Model].
package ask
