// Package command has what the commands of parley share: their arguments and flags, mistakes in them, exit codes and signals.
//
// In come arguments, errors and signals of the process. Out go usage errors with a next step, the exit code of an error
// ([CodeOf]), and contexts that end with a signal ([UntilSignal]). It prints nothing and knows no command.
package command
