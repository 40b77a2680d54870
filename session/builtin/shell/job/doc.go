// Package job is the table of the commands that a conversation runs: in the foreground, where a call waits for them, and in
// the background, where they go on under a short name such as "sh1".
//
// In come running commands ([Table.Add]) with their output ([Job.Write]) and end ([Job.End]); out go requests to stop one
// ([Job.Stopping]) or to send it to the background ([Job.InBackground]), and its newest output ([Job.Read]). Their number and what is
// kept of their output are bounded. A job starts and kills nothing: the call that runs the command does.
//
// It may import session and nothing else of parley.
package job
