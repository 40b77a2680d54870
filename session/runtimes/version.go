package runtimes

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Regular expressions of versions, compiled at the first use.
var (
	exactVersion = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[0-9]{1,6}\.[0-9]{1,6}\.[0-9]{1,6}(-[0-9A-Za-z.-]{1,40})?$`)
	})
	spokenVersion = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[0-9]{1,6}\.[0-9]{1,6}\.[0-9]{1,6}(-[0-9A-Za-z.-]{1,40})?`)
	})
)

// isVersion reports whether s is an exact version, which is safe as a directory name and an argument of npm.
func isVersion(s string) bool { return exactVersion().MatchString(s) && !strings.Contains(s, "..") }

// compareVersions orders exact versions by their numbers as semver 2.0.0 does. A version with a suffix comes before the one
// without; suffixes are ordered as text.
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
