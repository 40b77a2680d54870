// Package human writes numbers, sizes and times in the few forms that people read in parley, the same everywhere: on the
// screen, in the output of commands and in what tools report.
//
// It is pure and knows no width: every form is short.
package human
