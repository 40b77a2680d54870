package human

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Spent returns how long something took, in tenths of seconds where that is short.
func Spent(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return Seconds(d)
}

// Seconds returns a duration, such as "4s", "2m 05s" or "1h 12m".
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

// Age returns how long ago something was: "now", "5 min", "2 h", "3 d".
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

// Ago returns how long ago something was, in words: "now", "5 min ago", "2 h ago", "3 d ago".
func Ago(d time.Duration) string {
	if d < time.Minute {
		return Age(d)
	}
	return Age(d) + " ago"
}

// Tokens returns a number of tokens: "900", "41k", "1.2M".
func Tokens(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", (n+500)/1000)
	}
	s := fmt.Sprintf("%.1f", float64(n)/1e6)
	return strings.TrimSuffix(s, ".0") + "M"
}

// Count returns a number with its noun, such as "1 line" or "1,204 lines".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// Number returns a number with commas between the thousands.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
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

// Kilobytes returns a number of bytes in kilobytes of 1024, rounded up, such as "1,204 KB".
func Kilobytes(bytes int) string { return Number((bytes+1023)/1024) + " KB" }

// Megabytes returns a number of bytes in millions, such as "77.1 MB".
func Megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

// Dollars returns credits, which are cents, in dollars: "$3", "$0.50", "$0.0025".
func Dollars(credits float64) string {
	s := strconv.FormatFloat(math.Round(credits*1e4)/1e6, 'f', -1, 64)
	if at := strings.IndexByte(s, '.'); at > 0 && at == len(s)-2 {
		s += "0"
	}
	return "$" + s
}

// And returns words as a list for a sentence: "a", "a and b", "a, b and c"; "" for none.
func And(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// Forked returns the title that the first of a line of copies had, and how many copies later a title is, 0 for no copy.
func Forked(title string) (first string, copies int) {
	rest, is := strings.CutSuffix(title, ")")
	at := strings.LastIndex(rest, " (fork")
	if !is || at < 0 {
		return title, 0
	}
	n := 1
	if number := rest[at+len(" (fork"):]; number != "" {
		var err error
		if n, err = strconv.Atoi(strings.TrimPrefix(number, " ")); err != nil || n < 2 || number[0] != ' ' {
			return title, 0
		}
	}
	first, copies = Forked(rest[:at])
	return first, copies + n
}

// Fork returns the title of a copy: that of a copy of "a" is "a (fork)", that of its copy "a (fork 2)".
func Fork(title string) string {
	first, copies := Forked(strings.TrimSpace(title))
	if copies == 0 {
		return strings.TrimSpace(first + " (fork)")
	}
	return fmt.Sprintf("%s (fork %d)", first, copies+1)
}
