// Package printed is the question in the chat in lines: it prints what is asked and makes answers of the lines that return.
//
// In come the asks of the session and lines; out go printed texts and answers to the session. From a keyboard only what a prompt
// would not be counts as an answer, and nothing that was typed before the question could be read. ui/question makes the answers.
package printed
