// Package proxy is the Anthropic Messages API on 127.0.0.1, on top of the Copilot client.
//
// In come HTTP requests of Anthropic clients: the agents of this program, the Claude Code runtime, any program written
// for the official SDKs. Out go the same requests to an [Upstream], and its answers back: streamed frames byte for byte,
// whole messages byte for byte, errors with their status. What differs between the two APIs is evened out here and
// nowhere else: the spelling of model ids, what the service accepts of a request (package repair), the shape of the model
// list, the error envelopes, and the silence of a service that sends no pings. Letters that follow each other within a
// moment arrive as one event. Models that speak another protocol are reached by translation (package translate).
//
// Each session has its own bearer ([Server.Open]), useless after [Server.Revoke]; programs of the user may have fixed
// ones. What a request cost is told to [Options.Observe] once it is over, and summed up by session ([Server.Spent]); a log
// of requests and /metrics show the rest. A session may ask for markers in error messages ([WithMarker]).
//
// The package may not listen on anything but 127.0.0.1, may not log bearers or bodies, may not retry, and imports
// nothing of this program but package copilot and its own subfolders.
package proxy
