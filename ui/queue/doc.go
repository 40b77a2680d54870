// Package queue lists the prompts that wait to be sent, for the command /queue.
//
// In come the prompts; out go rows, and effects that take one back, drop it or move it; for the chat in lines what is sent or
// dropped. The queue itself belongs to the session.
package queue
