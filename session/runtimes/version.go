package runtimes

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// versions are only compiled where one is read from a text.
var (
	exactVersion = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[0-9]{1,6}\.[0-9]{1,6}\.[0-9]{1,6}(-[0-9A-Za-z.-]{1,40})?$`)
	})
	spokenVersion = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[0-9]{1,6}\.[0-9]{1,6}\.[0-9]{1,6}(-[0-9A-Za-z.-]{1,40})?`)
	})
)

// isVersion reports whether s is an exact version and therefore safe as the name of a directory and as npm's argument.
func isVersion(s string) bool { return exactVersion().MatchString(s) && !strings.Contains(s, "..") }

// compareVersions orders exact versions as semver 2.0.0 does for their numbers; one with a suffix comes before the same
// one without, and suffixes are ordered as text, which is enough to tell releases apart.
func compareVersions(a, b string) int {
	aCore, aSuffix, _ := strings.Cut(a, "-")
	bCore, bSuffix, _ := strings.Cut(b, "-")
	as, bs := strings.Split(aCore, "."), strings.Split(bCore, ".")
	for i := range max(len(as), len(bs)) {
		if c := cmp.Compare(number(as, i), number(bs, i)); c != 0 {
			return c
		}
	}
	switch {
	case aSuffix == bSuffix:
		return 0
	case aSuffix == "":
		return 1
	case bSuffix == "":
		return -1
	}
	return strings.Compare(aSuffix, bSuffix)
}

func number(parts []string, i int) int {
	if i >= len(parts) {
		return 0
	}
	n, _ := strconv.Atoi(parts[i])
	return n
}

func trimPrefix(s, prefix string) string {
	rest, ok := strings.CutPrefix(s, prefix)
	if !ok {
		return ""
	}
	return rest
}
