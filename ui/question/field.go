package question

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/session"
	"parley/ui/style"
)

// FreeLabel is the option that leads to free text.
const FreeLabel = "something else…"

// missing is what is wrong with a required field without an answer.
const missing = "this must be filled in"

// Field is one question of a form. Its texts come from outside and are not visible yet.
type Field struct {
	Key     string // the key of its answer
	Tab     string // the question in a word or two
	Text    string
	Expects string // what an answer must look like
	Warning string // what parley cannot show or check of it
	Options []session.QuestionOption
	Values  []string // the values of the options, where these are not their labels
	Multi   bool
	Free    bool
	Notes   bool // the answer may have a note
	Limits
	Reply
}

// Limits are what an answer must fulfil.
type Limits struct {
	Required bool
	// Least and Most bound how many options may be chosen, 0 for no bound.
	Least, Most int
	// Check returns what is wrong with free text, "" for nothing.
	Check func(words string) string
}

// Reply is what the user answered so far.
type Reply struct {
	Chosen []string // values of the chosen options
	Own    string   // free text
	Note   string   // the user's note to the answer
	// Trouble is what is wrong with the answer since the field was left, "" for nothing.
	Trouble string
}

// Rows returns the number of lines that can be selected.
func (fd *Field) Rows() int {
	n := len(fd.Options)
	if fd.Free && n > 0 {
		n++
	}
	return n
}

// Value returns the value of an option.
func (fd *Field) Value(i int) string {
	if i < len(fd.Values) {
		return fd.Values[i]
	}
	return fd.Options[i].Label
}

// Preview returns what an option would mean, "" for none.
func (fd *Field) Preview(i int) string {
	if i < 0 || i >= len(fd.Options) {
		return ""
	}
	text := strings.TrimRight(fd.Options[i].Preview, " \t\r\n")
	for first, rest, more := strings.Cut(text, "\n"); more && strings.TrimSpace(first) == ""; first, rest, more = strings.Cut(text, "\n") {
		text = rest // an empty line; blanks before the first word belong to the drawing
	}
	return text
}

// HasPreviews reports whether an option has a preview.
func (fd *Field) HasPreviews() bool {
	for i := range fd.Options {
		if fd.Preview(i) != "" {
			return true
		}
	}
	return false
}

// Toggle chooses an option, or takes it back.
func (fd *Field) Toggle(i int) {
	v := fd.Value(i)
	fd.Trouble = ""
	if at := slices.Index(fd.Chosen, v); at >= 0 {
		fd.Chosen = slices.Delete(fd.Chosen, at, at+1)
		return
	}
	fd.Chosen = append(fd.Chosen, v)
}

// Answered reports whether there is an answer.
func (fd *Field) Answered() bool { return len(fd.Chosen) > 0 || fd.Own != "" }

// Clear takes the answer back. The note stays.
func (fd *Field) Clear() { fd.Chosen, fd.Own, fd.Trouble = nil, "", "" }

// Answer returns the values chosen, in the order of the options, and then the free text.
func (fd *Field) Answer() []string {
	var out []string
	for i := range fd.Options {
		if v := fd.Value(i); slices.Contains(fd.Chosen, v) && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	if fd.Own != "" {
		out = append(out, fd.Own)
	}
	return out
}

// Words returns the answer by the labels it was chosen by, as visible text.
func (fd *Field) Words() string {
	var out []string
	for i, o := range fd.Options {
		if slices.Contains(fd.Chosen, fd.Value(i)) {
			out = append(out, style.Visible(style.OneLine(o.Label)))
		}
	}
	if fd.Own != "" {
		out = append(out, style.Visible(style.OneLine(fd.Own)))
	}
	return strings.Join(out, ", ")
}

// wrong returns what is wrong with free text, "" for nothing.
func (fd *Field) wrong(words string) string {
	switch {
	case words == "" && fd.Required && len(fd.Options) == 0:
		return missing
	case words != "" && fd.Check != nil:
		return fd.Check(words)
	}
	return ""
}

// problem returns what is wrong with the answer as a whole, "" for nothing.
func (fd *Field) problem() string {
	n := len(fd.Answer())
	switch {
	case n == 0 && fd.Required && (fd.Least > 0 || !fd.Multi):
		return missing
	case n == 0:
		return "" // no answer, or for a list that is required an empty one
	case fd.Multi && n < fd.Least:
		return fmt.Sprintf("too few: pick at least %d", fd.Least)
	case fd.Multi && fd.Most > 0 && n > fd.Most:
		return fmt.Sprintf("too many: pick at most %d", fd.Most)
	}
	return fd.wrong(fd.Own)
}

// Line takes a line of text as the answer: free text, or the numbers or labels of options with commas between them. It
// returns what is wrong with it, "" for nothing.
func (fd *Field) Line(line string) string {
	fd.Clear()
	if len(fd.Options) == 0 {
		if trouble := fd.wrong(line); trouble != "" {
			return trouble
		}
		fd.Own = line
		return ""
	}
	if line == "" {
		return ""
	}
	picks := []string{line}
	if fd.Multi {
		picks = strings.Split(line, ",")
	}
	for _, s := range picks {
		s = strings.TrimSpace(s)
		at := slices.IndexFunc(fd.Options, func(o session.QuestionOption) bool { return strings.EqualFold(o.Label, s) })
		if n, err := strconv.Atoi(s); err == nil {
			at = n - 1
		}
		if at < 0 || at >= len(fd.Options) {
			if fd.Free {
				fd.Chosen, fd.Own = nil, line
				return fd.wrong(line)
			}
			return "there is no " + style.Visible(style.OneLine(s))
		}
		if v := fd.Value(at); !slices.Contains(fd.Chosen, v) {
			fd.Chosen = append(fd.Chosen, v)
		}
	}
	return fd.problem()
}
