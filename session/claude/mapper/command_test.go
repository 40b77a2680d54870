package mapper

import "testing"

// What a command printed for a terminal keeps its lines and columns; markdown stays markdown.
func TestFenced(t *testing.T) {
	for text, want := range map[string]string{
		"Total cost:    $1\nDuration:      2s": "```\nTotal cost:    $1\nDuration:      2s\n```",
		"## Context\n\n| a  b | c |":           "## Context\n\n| a  b | c |",
		"- one  two\n- three":                  "- one  two\n- three",
		"One line  only":                       "One line  only",
		"Two lines\nof words":                  "Two lines\nof words",
		"":                                     "",
	} {
		if got := fenced(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
