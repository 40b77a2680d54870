package shell

// Dialect is the language in which a line is read. What is printed means the same in all of them.
type Dialect int

// The dialects. Zsh is read as Bash.
const (
	Bash Dialect = iota
	// POSIX is the language that dash, ash and every sh understand.
	POSIX
)

// Line is all that a covered command line can be: pipelines, one after the other.
type Line []Pipeline

// Join says when a pipeline runs: after the one before it, or as that succeeds or fails.
type Join int

// The joins.
const (
	Then Join = iota
	And
	Or
)

// Pipeline is commands that read from one another.
type Pipeline struct {
	Join     Join
	Not      bool // its status is turned around
	Timed    bool // bash and zsh print how long it takes; the first command is a call
	Commands []Command
}

// Kind is the type of a command.
type Kind int

// The kinds of commands.
const (
	// Call runs a program or a builtin: Words are its name and its arguments.
	Call Kind = iota
	// Group runs Body in a shell of its own.
	Group
	// Block runs Body.
	Block
	// For runs Body for each of Words in the variable Name.
	For
	// If runs Body if Cond succeeds, and Else if not.
	If
	// While runs Body as long as Cond succeeds, or fails if Not.
	While
	// Assign sets variables of the line, which no program gets.
	Assign
	// Input reads a line of the input into the variables Names. With a setting blanks around it stay.
	Input
)

// Command is one command.
type Command struct {
	Kind Kind
	Not  bool
	// Start and End bound the command in bytes of the line that was read, without its redirections.
	Start, End       int
	Set              []Setting
	Words            []Word
	Name             string
	Names            []string
	Cond, Body, Else Line
	Redirects        []Redirect
	// Fed reports that Text, the text of a here-document in which nothing is replaced, is the input.
	Fed  bool
	Text string
}

// Setting is a variable that one call is given.
type Setting struct {
	Name  string
	Value Word
}

// Redirect opens File as the descriptor From, or makes From the same as To if Op is ">&".
type Redirect struct {
	// Start and End bound the redirection in bytes of the line that was read.
	Start, End int
	From       int
	Op         string // "<", ">", ">>" or ">&"
	To         int
	File       Word
}

// Each calls f with every command of a line, those within others and their words too, from left to right. piped means that
// another command's output is its input.
func (l Line) Each(f func(c *Command, piped bool)) {
	for i := range l {
		for k := range l[i].Commands {
			c := &l[i].Commands[k]
			f(c, k > 0)
			for _, w := range c.Words {
				w.each(f)
			}
			for _, s := range c.Set {
				s.Value.each(f)
			}
			for _, r := range c.Redirects {
				r.File.each(f)
			}
			c.Cond.Each(f)
			c.Body.Each(f)
			c.Else.Each(f)
		}
	}
}

func (w Word) each(f func(*Command, bool)) {
	for _, p := range w.Parts {
		p.Body.Each(f)
	}
}

// Plain reports whether the line is one call whose words are all known, and returns the words.
func (l Line) Plain() ([]string, bool) {
	if len(l) != 1 || l[0].Not || l[0].Timed || len(l[0].Commands) != 1 {
		return nil, false
	}
	c := l[0].Commands[0]
	if c.Kind != Call || c.Fed || len(c.Set)+len(c.Redirects) > 0 {
		return nil, false
	}
	words := make([]string, len(c.Words))
	for i, w := range c.Words {
		if !w.Known || w.Home {
			return nil, false
		}
		words[i] = w.Text
	}
	return words, true
}
