package shell

// Dialect is the language of a shell.
type Dialect int

// The dialects.
const (
	Bash Dialect = iota
	// POSIX is the language that dash, ash and every sh understand.
	POSIX
	// Zsh is read as Bash, and only where the two mean the same.
	Zsh
)

// Kind is what a shell does in a step.
type Kind int

// The kinds of steps.
const (
	// Call runs a program or a builtin: Words are its name and its arguments.
	Call Kind = iota
	// Write opens a file for writing: Words has its name.
	Write
	// Input opens a file for reading: Words has its name.
	Input
	// Assign sets a variable: Name is its name. It is exported if a program follows, or if Name was exported before.
	Assign
	// Odd is what cannot be judged: Why says what it is.
	Odd
)

// Step is one thing that a shell does.
type Step struct {
	Kind Kind
	// Start and End bound the step in bytes of the line. Steps of substitutions lie within the step that they are part of.
	Start, End int
	Words      []Word
	Name       string
	Why        string
	// Fed means that a here-document or a here-string is the input of this call.
	Fed bool
	// Again means that the step may run more than once, because it is part of a loop.
	Again bool
}

// Word is one word of a step.
type Word struct {
	// Text is the word as the program gets it, or the beginning of it that is sure.
	Text string
	// Known means that Text is all of the word, and that it is one word.
	Known bool
	// Begins means that each word that the shell makes of it begins with Text. It is so where the word is known.
	Begins bool
	// Home means that Text is "~" or begins with "~/", and that the shell puts the home directory there.
	Home bool
}

// Line is a command line as a shell reads it.
type Line struct {
	// Steps are in the order of their first bytes.
	Steps []Step
}

// Plain reports whether the line is one call whose words are all known, and returns the words.
func (l Line) Plain() ([]string, bool) {
	if len(l.Steps) != 1 || l.Steps[0].Kind != Call || l.Steps[0].Fed {
		return nil, false
	}
	words := make([]string, len(l.Steps[0].Words))
	for i, w := range l.Steps[0].Words {
		if !w.Known || w.Home {
			return nil, false
		}
		words[i] = w.Text
	}
	return words, len(words) > 0
}

// Sure reports whether each word that the shell makes of w is one that a program takes for something else than an option.
func (w Word) Sure() bool {
	return w.Begins && w.Text != "" && w.Text[0] != '-' && w.Text[0] != '+' || w.Known && w.Text == ""
}
