// Package cloud holds conversations with GitHub's cloud agent, which works on GitHub's own machines and opens pull requests.
//
// In come prompts through the interfaces of package session, and what a [Service] knows. Out go [session.Event] values. The
// first prompt of a session starts a job, a later one becomes a comment on the pull request that the job made; each is one
// session of the service, and one turn here. Its log is followed until the service says that it is over. Closing or
// interrupting only ends the following: the work goes on.
//
// What is at the service decides what exists. On this machine the agent keeps, for each task begun or continued here, which
// turns are which sessions; the newest list of the viewer's tasks, so that it is there at once; and the logs of finished
// sessions. Without them, as on another machine, tasks are listed and continued all the same, under the ids of their first
// sessions.
//
// Its folder mapper turns logs and states into events. The package may import session, copilot/cloud and its own
// subfolders, and nothing else of parley. It never sees a GitHub token: the service is an interface.
package cloud
