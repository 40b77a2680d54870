// Package fuzzy scores texts by the letters that a user typed: they must come in their order, and score best at the beginning
// of names and words and in a row. Capitals count little, and only ASCII letters have them.
//
// Scoring allocates nothing and compares bytes, because files are found among 200,000 while the user types.
package fuzzy
