package style

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Noticeable is the shortest duration that is worth showing.
const Noticeable = 2 * time.Second

// Seconds says a duration the short way: "4s", "2m 05s", "1h 12m".
func Seconds(d time.Duration) string {
	s := int(d / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm %02ds", s/60, s%60)
	}
	return fmt.Sprintf("%dh %02dm", s/3600, s/60%60)
}

// Age says how long ago something was: "now", "5 min", "2 h", "3 d".
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d/time.Hour))
	}
	return fmt.Sprintf("%d d", int(d/(24*time.Hour)))
}

// Thousands says a number of tokens: "900", "41k", "1.2M".
func Thousands(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", (n+500)/1000)
	}
	s := fmt.Sprintf("%.1f", float64(n)/1e6)
	return strings.TrimSuffix(s, ".0") + "M"
}

// Count says how many there are of something.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Group(n) + " " + many
}

// Group writes a number with separators between the thousands.
func Group(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// lineCount is the number of lines of s, where a last line without line end counts.
func Lines(s string) int {
	if s == "" {
		return 0
	}
	n := strings.Count(s, "\n")
	if !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// homely shortens a directory below the user's home to "~/...".
func ShortPath(dir, home string) string {
	if home == "" || home == string(os.PathSeparator) {
		return dir
	}
	if dir == home {
		return "~"
	}
	if rest, ok := strings.CutPrefix(dir, strings.TrimSuffix(home, "/")+"/"); ok {
		return "~/" + filepath.ToSlash(rest)
	}
	return dir
}

// versionedModel is an id that ends with a version, with dots or dashes, and perhaps with a date or the mark of a longer
// context window.
var versionedModel = regexp.MustCompile(`^([a-z-]*[a-z])-(\d+(?:[.-]\d{1,2})?)(-\d{8})?(\[\dm\])?$`)

// ShortModel is a model's id the way people say it: without the vendor, and with a space before the version, however a
// runtime spells it.
func ShortModel(id string) string {
	rest, ok := strings.CutPrefix(id, "claude-")
	if !ok {
		return id
	}
	if m := versionedModel.FindStringSubmatch(rest); m != nil {
		return m[1] + " " + strings.ReplaceAll(m[2], "-", ".")
	}
	return rest
}

// Capital makes the first letter a capital.
func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// OneLine puts blanks in the place of breaks and tabs. Other control characters stay, to be made visible: one that vanished
// would make a name or a command look like another.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		return r
	}, s)
}

// Indent moves rows below a gutter to the column of what belongs to a row.
func Indent(rows []string) []string {
	for i, r := range rows {
		if r != "" {
			rows[i] = "    " + r
		}
	}
	return rows
}

// ruleOf is the line between the conversation and what is yours.
func Rule(w int) string {
	b := make([]rune, 0, w)
	b = append(b, '╶')
	for range w - 1 {
		b = append(b, '─')
	}
	return string(b)
}

// LastLines returns the last n lines of s without touching the rest of it, and whether there were more before.
func LastLines(s string, n int) (string, bool) {
	s = strings.TrimRight(s, "\n")
	at := len(s)
	for range n {
		i := strings.LastIndexByte(s[:at], '\n')
		if i < 0 {
			return s, false
		}
		at = i
	}
	return s[at+1:], true
}
