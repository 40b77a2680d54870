package style

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/agentfiles/head"
)

// Style is an output style.
type Style struct {
	Name, About string
	// Text is for the model, empty for the default.
	Text string
	// From is the file, empty for one that is built in.
	From string
}

// The bounds of reading: bytes of a file, files of a directory.
const (
	maxFile  = 64 << 10
	maxFiles = 100
)

// Default is the name of the style that changes nothing.
const Default = "Default"

// builtin are the styles that are always there.
var builtin = []Style{
	{Name: Default, About: "does the work and says what it did"},
	{Name: "Explanatory", About: "explains choices and the patterns of the project on the way", Text: "Explain on the way. Before and after a change " +
		"add a short passage that begins with a line \"Insight\": two or three points about why this way and not another, which pattern of " +
		"this project it follows, and what is worth knowing about it. They are about this code, not general advice, and stand in the answer, " +
		"never in files."},
	{Name: "Learning", About: "lets you write small parts yourself, with explanations", Text: "Work as a teacher beside the user, who wants to " +
		"learn. Explain choices as they come, in a few sentences. Where a part of 2 to 10 lines holds a real decision (logic, an algorithm, how an " +
		"error is met), prepare the place with a comment YOUR TURN, say what it has to do, with its trade-offs, and ask the user to write " +
		"it; then stop and wait. There is at most one such part open at a time. When it is done, read it, say what is good and what to look " +
		"at again, and go on. Do routine work yourself."},
}

// Finder finds styles. It is safe for concurrent use.
type Finder struct {
	// Dirs are the user's directories that have a folder output-styles.
	Dirs []string
	// Trusted reports whether the user agreed to what the project of a directory brings; nil: to none.
	Trusted func(dir string) bool
}

// Find returns the styles for sessions in a directory, in the order of their names behind those that are built in.
func (f *Finder) Find(ctx context.Context, dir string) []Style {
	all := slices.Clone(builtin)
	for _, own := range f.Dirs {
		all = add(all, read(ctx, own, safefs.FollowLinks))
	}
	if f.Trusted != nil && f.Trusted(dir) {
		all = add(all, project(ctx, dir))
	}
	slices.SortStableFunc(all[len(builtin):], func(a, b Style) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return all
}

// Named returns the style of a name in any case, false for none.
func Named(all []Style, name string) (Style, bool) {
	i := slices.IndexFunc(all, func(s Style) bool { return strings.EqualFold(s.Name, name) })
	if i < 0 {
		return Style{}, false
	}
	return all[i], true
}

// Items lists the styles of a project, for the user who is asked about what it brings.
func Items(ctx context.Context, dir string) (items []session.RepositoryItem) {
	for _, s := range project(ctx, dir) {
		items = append(items, session.RepositoryItem{Kind: "output style", Name: s.Name, Path: s.From})
	}
	return items
}

func project(ctx context.Context, dir string) []Style {
	return read(ctx, filepath.Join(dir, ".claude"), safefs.NoLinks)
}

// add adds styles; one of a name that is taken replaces it unless that is built in.
func add(all, more []Style) []Style {
	for _, s := range more {
		i := slices.IndexFunc(all, func(o Style) bool { return strings.EqualFold(o.Name, s.Name) })
		switch {
		case i < 0:
			all = append(all, s)
		case i >= len(builtin):
			all[i] = s
		}
	}
	return all
}

// read returns the styles in a directory's folder.
func read(ctx context.Context, dir string, links safefs.Links) (all []Style) {
	folder, err := os.Open(filepath.Join(dir, "output-styles"))
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(maxFiles) // an error leaves those that were read
	slices.Sort(names)
	for _, name := range names {
		stem, is := strings.CutSuffix(name, ".md")
		if !is || ctx.Err() != nil {
			continue
		}
		path := filepath.Join(folder.Name(), name)
		data, err := safefs.ReadFile(ctx, path, maxFile, links)
		if err != nil {
			continue
		}
		h, body := head.Read(data)
		s := Style{Name: line(cmp.Or(h.Text("name"), stem)), About: line(h.Text("description")), Text: strings.TrimSpace(body), From: path}
		if !head.Deadly(h.Faults) && s.Text != "" && s.Name != "" {
			all = append(all, s)
		}
	}
	return all
}

// line returns a text as one line, not too long.
func line(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.ToValidUTF8(s[:min(len(s), 200)], "")
}
