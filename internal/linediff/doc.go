// Package linediff compares two texts line by line and writes the difference as unified hunks.
//
// In come two texts. Out come hunks with a few lines around each change, and the numbers of added and removed lines. The time
// grows with the length of the texts, also where every line is another one: lines that both texts have once are matched
// first, and only what lies between them is searched. The package knows neither files nor screens.
package linediff
