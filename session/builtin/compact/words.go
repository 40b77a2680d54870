package compact

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/session"
)

// maxSummary bounds a summary, in bytes.
const maxSummary = 24 << 10

// minWords is the smallest number of different words that make an answer a summary.
const minWords = 8

// Insist follows [Ask] where the model answered with something else than a summary.
const Insist = "<system-reminder>\nYour last answer was no summary. Write the summary itself now, as text, and call no tool.\n</system-reminder>"

// Without stands in place of a summary where the model gave none, and what was said is left out all the same.
const Without = "The model could not summarize it: what was said and done before is left out. Find out what was done from the files, " +
	"and ask the user where that does not help."

// ErrNone is the error of an answer that is no summary.
var ErrNone = errors.New("the model gave no summary")

// Ask returns the words that ask the model for a summary. focus names the topic that the user wants, empty for none.
func Ask(focus string) string {
	ask := `<system-reminder>
The conversation is about to be shortened: what was said so far will no longer be sent to you, and your answer to this message
stands in its place. Write everything that you need to go on, for yourself. Call no tool. Do not go on with the task now.

Write markdown with these sections, and leave out a section that would be empty:
## Task
What the user wants, in full. Quote short wishes, corrections and constraints of the user word for word.
## Decisions
What was decided, and why; what was tried and did not work.
## Files
Each file that was read or changed: its path, what was changed, and what matters in it, such as names, signatures and lines.
## Errors
Errors and failing tests that were met, with their exact words where they matter, and whether they are solved.
## State
What is done, what is open, what runs in the background.
## Next step
What you were about to do, as concrete as possible.

Be exact about names, paths, numbers and commands. Invent nothing. At most 1,500 words.`
	if focus = strings.TrimSpace(focus); focus != "" {
		ask += "\n\nThe user wants the summary to keep this above all: " + focus
	}
	return ask + "\n</system-reminder>"
}

// Summary returns the summary that an answer contains, with the list of tasks. An answer without one is an error.
func Summary(answer string, todos []session.Todo) (string, error) {
	text := strings.TrimSpace(strings.ToValidUTF8(answer, "\uFFFD"))
	if !substance(text) {
		return "", ErrNone
	}
	if len(text) > maxSummary {
		text = head(text, maxSummary) + "\n(cut here: the summary is too long)"
	}
	return text + todoList(todos), nil
}

// substance reports whether a text says enough to be a summary: some different words, and mostly letters.
func substance(text string) bool {
	different, letters, signs := map[string]bool{}, 0, 0
	for _, word := range strings.Fields(strings.ToLower(text)) {
		if different[word] = true; len(different) > 10*minWords {
			break
		}
		for _, r := range word {
			signs++
			if unicode.IsLetter(r) {
				letters++
			}
		}
	}
	return len(different) >= minWords && 2*letters >= signs
}

// todoList returns the tasks as a section, empty if there are none.
func todoList(todos []session.Todo) string {
	if len(todos) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n\n## Todo list\n")
	for _, t := range todos {
		fmt.Fprintf(&b, "- [%s] %s\n", t.State, t.Text)
	}
	return strings.TrimRight(b.String(), "\n")
}

// head returns at most n bytes of the beginning of s, whole characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
