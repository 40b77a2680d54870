// Package wire builds the requests of the builtin agent. In come the turns of a transcript, a model and its settings. Out go
// the pieces of the conversation and the body of a request to the Messages API, with its cache marks. It is pure: the same
// transcript gives the same bytes, so that a request begins with the one before and the service finds it in its cache.
//
// It may import session and session/builtin/tool, and does no input or output.
package wire
