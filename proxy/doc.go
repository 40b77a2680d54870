// Package proxy serves the Anthropic Messages API on 127.0.0.1, on top of the Copilot client.
//
// In come HTTP requests of Anthropic clients: the agents of this program, the Claude Code runtime, any program written
// for the official SDKs. Out go the same requests to an [Upstream], and its answers back: streamed frames and whole
// messages byte for byte, errors with their status. All differences between the two APIs are handled here and nowhere
// else: the spelling of model ids, what the service accepts of a request (package repair), the shape of the model list,
// the error envelopes, and the silence of a service that sends no pings. Text that arrives within a moment becomes one
// event: the contents of the JSON strings are concatenated, escapes included, because clients parse, copy and draw per
// event. Models with another protocol are reached by translation (package translate), and a question whose only tool is the hosted web
// search by a search of a GPT model (package search).
//
// Each session has a separate bearer ([Server.Open]), valid until [Server.Revoke]; programs of the user may have fixed
// ones. The cost of a finished request is reported to [Options.Observe] and added up per session ([Server.Spent]); a
// log of requests and /metrics show the rest. A session may request markers in error messages ([WithMarker]).
//
// The package may not listen on anything but 127.0.0.1, may not log bearers or bodies, and may not retry, except that a search which
// one model refuses may go to another, and a request of a model that is overloaded or gone to the user's fallback models. It imports nothing of this program but packages copilot, internal/errmark, internal/jsonedit
// and its own subfolders.
package proxy
