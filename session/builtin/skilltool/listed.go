package skilltool

import (
	"context"

	"parley/session"
	"parley/session/extensions/inventory"
	"parley/session/extensions/skill"
)

// Lister lists the skills of a directory for a person.
type Lister struct {
	Finder *skill.Finder
	Dir    string
	// Off returns what is off in the session; nil: nothing is.
	Off func() inventory.Off
}

var _ session.SkillLister = Lister{}

// bytesPerToken is about how long the text of a token is.
const bytesPerToken = 4

// Skills returns the skills and commands, in the order in which their names hold.
func (l Lister) Skills(ctx context.Context) []session.Skill {
	var out []session.Skill
	for _, s := range find(ctx, l.Finder, l.Dir, l.Off) {
		out = append(out, session.Skill{Name: s.Name, Kind: string(s.Kind), About: s.About, Hint: s.Hint, Path: s.Path, Origin: s.Origin, Why: s.Why, Over: s.Over,
			Notes: s.Notes, Offered: s.Offered(), Typed: s.Typed(), Tokens: (s.Size + bytesPerToken - 1) / bytesPerToken})
	}
	return out
}
