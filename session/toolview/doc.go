// Package toolview decides how a tool call is shown: its verb, its subject, its kind and the renderer of its result.
//
// In come a tool's name and its input, which may be incomplete JSON. Out comes a [Display]. Every agent's tools have words
// here, so a call reads the same live, replayed and exported. It is pure, draws nothing and trusts no input: what comes
// from a model may hold control characters, which callers make visible before layout.
package toolview
