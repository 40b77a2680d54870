// Package browser opens web pages in the user's browser. In comes an address; out goes the start of a program of the system,
// which outlives this one. It may import nothing of parley.
package browser
