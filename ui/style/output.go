package style

import "strings"

// PlainOutput returns a program's output without colors, and of each line what the last carriage return left. Other control
// characters remain: Visible must still be called.
func PlainOutput(s string) string {
	if !strings.ContainsAny(s, "\x1b\r") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '[' {
			j := i + 2
			for j < len(s) && (s[j] >= '0' && s[j] <= '9' || s[j] == ';' || s[j] == ':') {
				j++
			}
			if j < len(s) && (s[j] == 'm' || s[j] == 'K') {
				i = j + 1
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	lines := strings.Split(b.String(), "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		lines[i] = line[strings.LastIndexByte(line, '\r')+1:]
	}
	return strings.Join(lines, "\n")
}
