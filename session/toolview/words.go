package toolview

import (
	"fmt"
	"strings"
)

// Count returns a number with its noun, such as "1 line" or "3 matches".
func Count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ch"):
		return fmt.Sprintf("%d %ses", n, noun)
	default:
		return fmt.Sprintf("%d %ss", n, noun)
	}
}

// Size returns a number of bytes, such as "200 bytes", "12 kB" or "30 MB". Units are powers of 1024.
func Size(bytes int64) string {
	switch {
	case bytes >= 10<<20:
		return fmt.Sprintf("%d MB", bytes>>20)
	case bytes >= 10<<10:
		return fmt.Sprintf("%d kB", bytes>>10)
	default:
		return fmt.Sprintf("%d bytes", bytes)
	}
}
