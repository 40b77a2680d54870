// Package rules lists, changes and explains the permission rules for the command /permissions, on the screen and in
// lines.
//
// In come the rules on disk, those of the session, and what the user wrote behind the command. Out come the rules in
// groups with their numbers, what each means in words, what would happen with a command or a file and by which rule, and
// the changes on disk. The package draws nothing. What reads or changes files may block.
package rules
