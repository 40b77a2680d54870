// Package vain notices a model that does the same in vain: calls that fail again and again or give nothing new, and files that are
// changed back and forth. In come the calls of a turn with their outcomes, out goes what the model has to know and why the turn has to
// end. It is pure, and safe for concurrent use.
package vain
