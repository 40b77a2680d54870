// Package human formats numbers, sizes and times for people, in the same few forms on the screen, in the output of
// commands and in the results of tools.
//
// It is pure and knows no width: every form is short.
package human
