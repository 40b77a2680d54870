package proc

// Command is a program to start.
type Command struct {
	// Argv is the program, absolute or looked up in our own PATH, and its arguments. Never empty.
	Argv []string
	// Dir is the working directory; "" means ours.
	Dir string
	// Env is the whole environment. Nothing is added but the mark, [MarkVariable].
	Env []string
	// Label says what the child is, for records and logs. It must hold nothing secret.
	Label string
	// Merge sends standard error into the same pipe as standard output, so that both keep their order; the child's Stderr
	// is nil then.
	Merge bool
	// NoInput gives the child an empty standard input instead of a pipe; the child's Stdin is nil then.
	NoInput bool
	// Raw is the command line as it is to be passed on, for programs that do not split it as others do; Windows only.
	Raw string
}

// Exit says how a process ended.
type Exit struct {
	// Code is the exit status; -1 if a signal ended it or it is not known.
	Code int
	// Signal names the signal that ended it, such as "killed"; "" if none did.
	Signal string
}
