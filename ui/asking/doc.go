// Package asking decides which question is shown and what becomes of its answer: it stands between the asks of the session
// that is shown, the question on the screen (ui/ask) and the conversation, which shows what is asked about.
//
// In come keys, clicks and the time, passed by the root, and the results of its commands as a [Msg]. Out go answers to
// the session, once for each ask, and decisions about what a directory loads. What only the root can do is behind [Chat].
//
// The package draws nothing itself and blocks nothing: what may take a while is a command. It changes no item of the
// conversation.
package asking
