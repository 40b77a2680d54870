// Package proc starts child processes that end with parley, however it ends.
//
// In come commands with a whole environment and, optionally, a directory for records. Out go [Child] values: three pipes, a
// way to end the child with all it has started, and how it ended. A [Group] owns the children of one program.
//
// Four means end the children, each for what the one before misses (on Linux; elsewhere what the system offers):
//   - the parent-death signal kills the child itself, even if parley is killed;
//   - a variable in its environment marks all it starts, including processes outside of its group and session or without a
//     parent, so that [Child.Kill] and [Group.Close] find them in the process table;
//   - a guard, a shell that waits on a pipe of parley, kills all marked processes when parley has ended;
//   - records, one small file per child, let the next start sweep what is left ([Group.Sweep]).
//
// One process escapes: one that leaves its process group and session and drops the variable, such as
// `env -i setsid -f sleep 1000`. It outlives its command and parley.
//
// A process is signalled only after its start time was compared, because pids are reused.
//
// [AgentEnviron] removes the user's GitHub tokens from the environment of an agent's processes. Commands that the user types
// have the whole environment.
//
// The package imports nothing of parley and knows no program that it starts.
package proc
