// Package input is the field in which prompts are written: the composer with vim's keys, completion of commands,
// arguments and files, the search through past prompts, and what is attached to the next prompt.
//
// In come keys, pastes and the results of its own commands, all through [Model.Update], and answers of the chat around it
// through [Chat]. Out come an [Action], which the root carries out within the same call, commands for work elsewhere, and
// rows: of the field, of the list above it and of the attachments. The root wraps the commands and returns their messages,
// which are all of type [Msg].
//
// The package may not know of sessions that run, of the conversation on the screen or of other parts of the screen, and
// it may not read the disk outside a command.
package input
