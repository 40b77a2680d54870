package session

import "context"

// Skill is a skill or a command in a file, as a person looks at it.
type Skill struct {
	// Name is what the user types after "/" if Typed. Kind is "skill" or "command".
	Name, Kind string
	// About says what it does, Hint what arguments it takes.
	About, Hint string
	// Path is its file.
	Path   string
	Origin CustomOrigin
	// Why says why it is not used, empty for one that is; Over is the file of the one that has its name, if that is why. Notes are what is
	// wrong with it otherwise.
	Why, Over string
	Notes     []string
	// Offered means that the model is offered it, Typed that the user may type it.
	Offered, Typed bool
	// Tokens is about what its text costs when it is used; a line in the list of the model costs less.
	Tokens int
}

// SkillLister lists the skills and commands of a directory. It may read files.
type SkillLister interface {
	Skills(ctx context.Context) []Skill
}
