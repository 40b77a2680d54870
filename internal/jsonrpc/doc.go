// Package jsonrpc speaks JSON-RPC 2.0 with another program over two pipes, in frames with a Content-Length header, as
// language servers and agent runtimes do. Both sides call and notify each other.
//
// In come a reader and a writer, usually the pipes of a child process. Out go results of calls, and what the other side asks
// or reports, given to functions of the caller. Ids and kinds of messages are those of github.com/sourcegraph/jsonrpc2; the
// package adds what an untrusted or stuck program needs: bounds on headers, messages, unsent bytes, open requests and
// unanswered calls, writes that never wait, and cancellation in both directions.
//
// A frame that is not a message is skipped, a few times; a broken frame ends the connection. The package starts nothing and
// knows no method besides the one that cancels.
package jsonrpc
