// Package proc starts child processes that end with parley, however it ends.
//
// In come commands with a whole environment and, optionally, a directory for records. Out go [Child] values: three pipes,
// a way to end the child with everything it has started, and how it ended. A [Group] owns the children of one program.
//
// What holds a child to us, each where the one before does not reach (Linux; elsewhere as far as the system allows):
//   - the parent-death signal kills the child itself, also when we are killed;
//   - a variable in its environment marks everything it starts, also what has left its process group and session and
//     whose parent is gone, so that [Child.Kill] and [Group.Close] find it in the process table;
//   - a guard, a shell that waits on a pipe that only we hold open, kills everything so marked when we are gone;
//   - records, one small file per child, let the next start sweep what even that has left ([Group.Sweep]).
//
// One process escapes all of these: one that leaves its process group and session and drops the variable, such as
// `env -i setsid -f sleep 1000`. It outlives its command and parley.
//
// A process is only ever signalled after its start time has been compared, because pids are used again.
//
// [AgentEnviron] leaves the user's GitHub tokens out of the environment of what runs for an agent. Commands that the user types
// have the whole environment, and do not go through it.
//
// The package imports nothing of parley and knows no program that it starts.
package proc
