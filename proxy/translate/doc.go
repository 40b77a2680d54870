// Package translate lets clients of the Anthropic Messages API use models with another protocol: OpenAI's Responses API
// or its older Chat Completions.
//
// In comes the body of a Messages request together with the abilities of the model. Out comes the body for the other
// API ([RequestToResponses], [RequestToChat]) and, bound to it, the way back: [Request.NewStream] translates streamed
// events to events of the Messages API, [Request.Message] a whole answer to a whole message. The resulting events are
// always in the order that Anthropic's SDKs require, one block after the other, whatever the order of the input.
//
// Encrypted reasoning of the service travels to the client in the signature of a thinking block ([IsOwnSignature]), and
// back with the next request. A signature made elsewhere is never sent on.
//
// Everything here is a pure function or a state machine: no network, no clock, no randomness, no goroutines. The
// package does not know the Copilot client. Requests and answers are structs of this package with the fields that are
// used (wire_request.go, wire_answer.go). The official OpenAI Go SDK verifies them in tests and is not part of the
// program. Deltas, the most frequent events, are scanned and not decoded (delta.go).
//
// It follows anthropic-version 2023-06-01 and the two OpenAI APIs as version 3.95 of the SDK describes them, with the
// additions of the Copilot API to Chat Completions: reasoning_text, reasoning_opaque, thinking_budget and
// copilot_usage.
package translate
