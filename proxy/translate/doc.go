// Package translate lets clients of the Anthropic Messages API use models that speak another protocol: OpenAI's
// Responses API or its older Chat Completions.
//
// In comes the body of a Messages request together with what the model can do. Out comes the body for the other API
// ([RequestToResponses], [RequestToChat]) and, bound to it, the way back: [Request.NewStream] turns streamed events into
// the events of the Messages API, [Request.Message] a whole answer into a whole message. The events that come out are
// always in the order Anthropic's SDKs demand, one block after the other, whatever the order of what came in.
//
// Reasoning that the service hands out encrypted travels to the client as a thinking block whose signature carries it
// ([IsOwnSignature]), and back with the next request. The signature of anybody else is never sent on.
//
// Everything here is a pure function or a state machine: no network, no clock, no randomness, no goroutines. It does not
// know the Copilot client. Requests and answers are structs of this package with the fields that are used
// (wire_request.go, wire_answer.go). The official OpenAI Go SDK judges them in tests and is not part of the program.
// Deltas, which come by the thousand, are scanned and not decoded (delta.go).
//
// It follows anthropic-version 2023-06-01 and the two OpenAI APIs as version 3.95 of the SDK describes them, with what
// the Copilot API adds to Chat Completions: reasoning_text, reasoning_opaque, thinking_budget and copilot_usage.
package translate
