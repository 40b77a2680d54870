package catalog

import (
	"slices"
	"strconv"
	"strings"

	"parley/session"
)

// family is a line of models whose versions differ and whose use does not. A model belongs to it if its id begins with prefix and,
// where there is a word, has that between dashes behind it.
type family struct{ prefix, word, purpose string }

// families are those that Copilot has had, in our words: the first that fits a model counts. A version is in no row, so that new
// ones fit. The words are about the rank within a vendor's models, which its prices show, and compare no vendors.
var families = []family{
	{"claude-opus", "fast", "sooner answers, for a higher price"},
	{"claude-fable", "", "the hardest work; takes its time"},
	{"claude-mythos", "", "the hardest work; takes its time"},
	{"claude-opus", "", "hard problems and long work"},
	{"claude-sonnet", "", "everyday work; fast enough to wait for"},
	{"claude-haiku", "", "quick answers and small edits"},
	{"gpt-", "codex", "code in many steps, with many tools"},
	{"gpt-", "nano", "short questions, at the lowest price"},
	{"gpt-", "mini", "small edits and questions, at a low price"},
	{"gpt-", "luna", "small edits and questions, at a low price"},
	{"gpt-", "terra", "everyday work"},
	{"gpt-", "sol", "hard problems and long work"},
	{"gpt-", "astra", "the hardest work; takes its time"},
	{"gpt-", "", "everyday work and hard problems"},
	{"o1", "", "puzzles thought through step by step"},
	{"o3", "", "puzzles thought through step by step"},
	{"o4", "", "puzzles thought through step by step"},
	{"gemini-", "flash", "quick answers over long texts"},
	{"gemini-", "pro", "hard problems, long texts and images"},
	{"grok-code", "", "quick edits of code"},
	{"grok-", "", "everyday work"},
	{"kimi-", "", "long work with many tools"},
	{"mai-code", "", "quick edits of code, at a low price"},
	{"qwen", "", "small tasks in code"},
	{"raptor-", "", "quick edits of code, at a low price"},
	{"oswe-", "", "quick edits of code, at a low price"},
	{"goldeneye", "", "code in many steps"},
}

// older is what an older version of a family is for.
const older = "older; where a team has pinned it"

// setPurposes says of each model what it is for, and nothing of one whose family is not known. A version is older if a newer one of
// its family can be used and is not a preview, unless the service offers it first.
func setPurposes(models []session.Model) {
	for i := range models {
		m := &models[i]
		f, version := familyOf(m)
		if f < 0 {
			continue
		}
		m.Purpose = families[f].purpose
		if !m.Default && slices.ContainsFunc(models, func(o session.Model) bool {
			g, newer := familyOf(&o)
			return g == f && o.Unusable == "" && !o.Preview && slices.Compare(version, newer) < 0
		}) {
			m.Purpose = older
		}
	}
}

// familyOf returns the index of a model's family, by its id or else by its name, and its version; -1 if none is known.
func familyOf(m *session.Model) (index int, version []int) {
	for _, name := range []string{m.ID, strings.ReplaceAll(m.Name, " ", "-")} {
		name = strings.ToLower(name)
		index = slices.IndexFunc(families, func(f family) bool { return f.has(name) })
		if index >= 0 {
			return index, versionOf(name[len(families[index].prefix):])
		}
	}
	return -1, nil
}

// has reports whether a name in small letters belongs to the family.
func (f family) has(name string) bool {
	rest, is := strings.CutPrefix(name, f.prefix)
	return is && (f.word == "" || slices.Contains(strings.FieldsFunc(rest, between), f.word))
}

// between reports whether a character stands between the words of a name.
func between(r rune) bool { return r == '-' || r == '(' || r == ')' }

// versionOf returns the first numbers in the rest of a name, however they are divided: 4 and 6 of "-4.6" and of "-4-6-20260115".
func versionOf(rest string) (version []int) {
	for word := range strings.FieldsFuncSeq(rest, func(r rune) bool { return between(r) || r == '.' }) {
		n, err := strconv.Atoi(word)
		switch {
		case err == nil && n < 1000: // a longer one is a date
			version = append(version, n)
		case len(version) > 0:
			return version
		}
	}
	return version
}
