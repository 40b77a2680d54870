package proc

import "fmt"

// Command is a program to start.
type Command struct {
	// Argv is the program, absolute or on our PATH, and its arguments. It is not empty.
	Argv []string
	// Dir is the working directory; "": ours.
	Dir string
	// Env is the whole environment; only the mark, [MarkVariable], is added.
	Env []string
	// Label names the child in records and logs. It contains no secrets.
	Label string
	// Merge sends standard error into the pipe of standard output, which keeps their order; the child's Stderr is nil.
	Merge bool
	// NoInput gives the child an empty standard input instead of a pipe; the child's Stdin is nil.
	NoInput bool
	// Raw is the unchanged command line for programs that split it in another way; Windows only.
	Raw string
}

// Exit describes the end of a process.
type Exit struct {
	// Code is the exit status; -1 after a signal or if unknown.
	Code int
	// Signal names the signal that ended it, such as "killed"; "" for none.
	Signal string
}

// String returns the signal or else the exit status.
func (e Exit) String() string {
	if e.Signal != "" {
		return "signal: " + e.Signal
	}
	return fmt.Sprintf("exit status %d", e.Code)
}
