// Package host keeps sessions in a process of their own, which screens attach to and leave.
//
// A host owns sessions from their first prompt: [Run] serves a manager of package live on a Unix socket, on Windows on a named
// pipe. In come requests of screens, each on a connection of its own, in JSON lines; out go replies, the events of the session in
// their order, and what is known of it beside events. [Manager] is the screen's side: it has the methods of a live.Manager, reads
// stored sessions itself, and hands out a live.Session whose transport is a connection.
//
// What makes it hold:
//
//   - The lock is the owner. Only its holder removes an old socket, and writes the entry file. Any number may start a host at once:
//     one lives, the others end, and all connect to it.
//   - A client has a place in the session's log and no queue. A slow or stopped one delays no session and no other client.
//   - A prompt has an id that its client chose. It is sent until the host has it on disk, also to the next host, and runs once.
//   - A connection begins with the session's whole history. After a break from the same log it begins with what the screen lacks, by the number
//     of the newest event that it has, within an epoch. With another host the history replaces what the screen had, since the host before
//     may have published up to 250 ms more than it stored.
//   - A client that takes nothing for a minute is dropped, and counts as a terminal no longer.
//   - Clients are counted under the mutex that decides the end of an idle host. Who connects while it ends gets no greeting, and
//     connects again, which starts the next host.
//   - Replies come after the events of what they answer, and never wait behind a stream.
//
// The package knows no command, configuration, login or terminal: internal/cli/host wires it. The files transport_*.go have what
// differs between systems; that of Windows was run in Wine alone.
package host
