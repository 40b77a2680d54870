// Package runtimes finds, installs and removes the runtimes of agents that run as a separate program.
//
// In come the name of an agent, its configuration, the environment, and the cache directory. Out go the command line that
// starts a runtime, with its version and source ([Runtimes.Find]), installed versions ([Runtimes.List]), and notices about
// runtimes that were passed over or are newer than all tested versions. The table in table.go describes each agent's
// runtime: packages, hashes, versions, names of programs.
//
// Finding starts no process and sends nothing: it reads a few small files. [Runtimes.probe] asks a program whose files do
// not contain its version, and caches the answer until the program changes.
//
// Installing uses the user's npm, for its registry, login and certificates. The archive is checked against a SHA-512 hash
// before it is unpacked: for tested versions a hash of parley, for others that of npm, which the result reports. Nothing of
// a package runs during its installation. A version has one directory, which appears complete or not at all; several
// processes may install the same one at once, and one of them does the work.
//
// The package imports only session and session/proc, which starts all processes. It does not choose the agent of a session,
// write to a terminal, start a runtime for anything but its version, or put a registry's address into an error.
package runtimes
