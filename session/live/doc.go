// Package live holds running sessions: drafts, queues, asks, journals and lifetimes.
//
// In come prompts, answers and choices from the callers of [Manager] and [Session], and events from agents. Out go the
// same events, in order, in the session's [session.Log], which the journal, screens and attached listeners read. A [Session] serialises what happens to it; no
// lock is held while it calls an agent, a journal or a listener.
//
// A [Session] is a handle: what it does is its [Transport], a session of this process or one that package host reaches in another.
//
// A session owns a few values, and calls go one way: worker -> runtime -> storage -> state -> feed and journal. The
// state has the session's lock, which also guards other fields where noted. Feed, journal, port and warm-up have locks
// below it. Three goroutines run only while needed: the feed calls the listeners, the worker delivers prompts, the
// journal writes. A preparation of the next prompt, or a recent failure of one, is not repeated.
//
// On resume session/history puts the agent's transcript and the journal together. [Manager.Resume] closes what the
// process before left open: it cancels the running turn and the asks, and holds waiting prompts until
// [local.Release], with a notice. The journal gets this with the first prompt. A session left in [session.ModeBypass]
// is resumed in [session.ModeDefault] with a notice: each process needs the choice again.
//
// A session of another running process ([session.HolderReporter]) is shown as it was read; [Elsewhere] names
// the process. Its running turn is [session.TurnElsewhere]; asks and waiting prompts, which only that process can handle,
// are not shown. Sending fails with kind [session.KindLocked] while that process has the session; sending afterwards, or
// [Rejoin], shows what it did.
//
// The turns of a [session.RemoteAgent] go on without parley: their end as [session.TurnElsewhere] is shown and not
// journaled, resuming does not cancel them, and delivers the running one again, which follows it. What they change is not
// in the session's directory, and no tracker gets it.
//
// [Manager.Fork] stores and lists the copy at once, with the directories, model, effort and mode of the original, which
// may be running. Grants of the session do not hold in the copy. An agent with its own transcripts makes the copy;
// otherwise the journal is copied. For a session without prompts the result is a draft with the same choices and a
// notice.
//
// A session has a tracker of files ([session.FileKeeper]) from the beginning. Its agent tells it of calls before they run;
// the session passes it the end of each call once it is published, also of a conversation that was given up, and publishes
// what it finds. The content of files ([session.FileEdit.Before]) reaches the tracker and no history. Closing waits for it
// between the end of the conversation and that of the journal.
//
// The package imports session and session/history, and nothing else of parley: internal/cli wires agents and stores
// through the interfaces of package session.
package live
