// Package head reads the head of a file of an agent, a prompt, a skill or an output style: YAML between two lines of dashes.
//
// In comes the content of a file. Out go its values as texts, lists and truths, the text behind the head, and what is wrong with
// it, with lines. Keys count in every spelling, values with a colon as they are meant; references, which make gigabytes out of a few
// lines, and heads that are too long are refused.
//
// The package is pure.
package head
