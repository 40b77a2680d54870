// Package align finds which part of a text each row of a layout shows.
//
// Rows come in as they were drawn, with the texts that they were made of; out comes the trace that copying needs. The rows
// were wrapped, their tabs expanded and the blanks at their ends cut. It is pure.
package align
