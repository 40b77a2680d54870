// Package hook puts the user's hooks into the life of the builtin agent: when they run, and what their words mean for a prompt, a call,
// a permission, a summary and the end of a run.
//
// In come the moments of a conversation and of each of its agents. Out go problems of turns, outcomes of calls, decisions about
// permissions, changed inputs, and texts for the model. What a hook changes is judged like what the model wrote; what it allows is
// allowed only where nothing but the lack of a rule is against it.
//
// The package starts nothing itself: session/hooks finds and runs the hooks. It asks the user nothing and knows no conversation.
package hook
