package transcript

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// longest bounds the length of a slug. The runtime shortens longer ones and adds a hash.
const longest = 200

// Slug returns the name of Claude Code 2.1's project folder for a working directory with resolved links: each UTF-16 code
// unit other than an ASCII letter or digit becomes a dash, and more than 200 end in a hash of the whole path.
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
