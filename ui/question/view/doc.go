// Package view shows one question above the composer, owns the rule of when it has the keyboard, and decides which question is shown
// and what becomes of its answer.
//
// In come asks of the session, questions of ui/question, keys, clicks, the time, and what the rest of the screen does ([Around]).
// Out come rows, answers to the session, once for each ask, decisions about what a directory loads, keys that turned out to be text,
// and scrolls of the conversation. What only the root can do is behind [Chat].
//
// The rule is a state machine without a clock ([View.Press] sees every key once, before anything else handles it): a question gets
// the keyboard by a key, or after a pause without any key while nothing is being written; a letter is held for a moment before it
// answers; nothing that is typed as text answers. What may take a while is a command. One goroutine, the event loop, may use a
// [View] or [Asks].
package view
