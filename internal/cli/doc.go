// Package cli holds the commands of parley and wires the rooms together.
//
// It gets the arguments, the environment and the three streams of a process, and returns an exit code. It reads flags,
// loads the configuration, makes the services and hands them to the commands: one file per command. It is the only room
// that knows every other one, and no other room may import it. What a service does belongs to the service's own room.
package cli
