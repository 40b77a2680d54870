// Package words looks for words in what was said in a session, whatever their case.
//
// In come the words, and texts piece by piece; files of lines for those who read them. Out go whether each word was there, and the
// passages with them. It holds a few kilobytes of a text at a time, and nothing of a line that is too long.
package words
