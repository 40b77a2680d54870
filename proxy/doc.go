// Package proxy is the Anthropic Messages API on 127.0.0.1, on top of the Copilot client.
//
// In come HTTP requests of Anthropic clients: the agents of this program, the Claude Code runtime, any program written
// for the official SDKs. Out go the same requests to an [Upstream], and its answers back: streamed frames byte for byte,
// whole messages byte for byte, errors with their status. What differs between the two APIs is evened out here and
// nowhere else: the spelling of model ids, the betas the service accepts, the shape of the model list, the error
// envelopes, and the silence of a service that sends no pings. Models that speak another protocol are reached by
// translation, for which package translate is there.
//
// Each session has a bearer of its own ([Server.Open]), worthless after [Server.Revoke]. What a request cost is told to
// [Options.Observe] once it is over.
//
// The package may not listen on anything but 127.0.0.1, may not log bearers or bodies, may not retry, and imports
// nothing of this program but package copilot.
package proxy
