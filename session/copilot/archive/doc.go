// Package archive reads the sessions that the Copilot runtime stores on disk, of parley and of the Copilot CLI alone.
//
// In come the runtime's home directory and session ids. Out go descriptions, prompts, and the events of stored sessions and
// of their ends. A session is a folder below session-state: workspace.yaml describes it, events.jsonl has what happened, one
// event in a line. session/copilot/mapper maps the events.
//
// Others write these files, also while they are read: a last line without an end is left for later, damaged lines are
// counted, and only regular files of bounded size are read. The package starts no process and works without a runtime. Only
// Remove changes files. It may import session, session/copilot/mapper, session/copilot/protocol, internal/human and
// internal/safefs, and nothing else of parley.
package archive
