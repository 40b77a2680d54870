package transcript

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// longest is how long a slug may be before the runtime shortens it and adds a hash.
const longest = 200

// Slug returns the name of the project folder that Claude Code 2.1 uses for a working directory: each UTF-16 code unit
// that is no ASCII letter or digit becomes a dash, and what is longer than 200 ends in a hash of the whole path. The
// runtime resolves symbolic links first; so has the caller.
func Slug(dir string) string {
	units := utf16.Encode([]rune(dir))
	var b strings.Builder
	var hash int32
	for _, u := range units {
		hash = hash*31 + int32(u)
		switch {
		case u >= 'a' && u <= 'z', u >= 'A' && u <= 'Z', u >= '0' && u <= '9':
			b.WriteByte(byte(u))
		default:
			b.WriteByte('-')
		}
	}
	if b.Len() <= longest {
		return b.String()
	}
	distance := int64(hash)
	if distance < 0 {
		distance = -distance
	}
	return b.String()[:longest] + "-" + strconv.FormatInt(distance, 36)
}
