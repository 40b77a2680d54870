// Package protocol has the messages of the Copilot runtime: JSON-RPC 2.0 in the protocol versions 2 and 3, as the runtimes
// 0.0.420 to 1.0.102 speak it.
//
// In and out go plain values. Events are decoded in two stages: the envelope first, the data by its reader, so that unknown
// types cost nothing and break nothing. The package sends nothing, starts nothing and imports nothing of parley.
package protocol
