package disk

import (
	"path/filepath"
	"strings"
	"unicode"
)

// IsSeparator reports whether a sign parts the names of a path.
func IsSeparator(r rune) bool { return r == '/' || r == filepath.Separator }

// IsGit reports whether a disk may take the name for .git: disks ignore case, signs without width, dots and spaces at the
// end, streams after a colon, or offer a short name.
func IsGit(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
	name = strings.ToLower(strings.TrimRight(name, ". "))
	return name == ".git" || strings.HasPrefix(name, "git~")
}

// FoldName spells a name as the disk that tells least apart does: without case, without signs that have no width, dots and
// spaces at the end, and streams after a colon.
func FoldName(name string) string {
	name, _, _ = strings.Cut(name, ":")
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		for folded := unicode.SimpleFold(r); folded != r; folded = unicode.SimpleFold(folded) {
			if folded < unicode.MaxASCII { // such as the sign for kelvin
				return folded
			}
		}
		return r
	}, name)
	name = ligatures.Replace(strings.ToLower(name))
	if trimmed := strings.TrimRight(name, ". "); trimmed != "" {
		return trimmed
	}
	return name
}

// ligatures are signs that some disks take for several letters.
var ligatures = strings.NewReplacer("ß", "ss", "ẞ", "ss", "ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")
