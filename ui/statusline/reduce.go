package statusline

import (
	"strconv"
	"strings"

	"parley/ui/style"
)

// What of the command's output is shown.
const (
	MaxRows   = 3
	maxOutput = 16 << 10 // bytes
)

// reduce turns output of a command into at most [MaxRows] rows that hold text, colors and emphasis. Other sequences vanish
// with what they carry, other control characters are written out. Every row ends with the pen down.
func reduce(output string) []string {
	var rows []string
	for line := range strings.SplitSeq(strings.TrimRight(output, "\r\n"), "\n") {
		if len(rows) == MaxRows {
			break
		}
		rows = append(rows, reduceLine(strings.TrimRight(line, "\r")))
	}
	for len(rows) > 0 && strings.TrimSpace(style.Unstyled(rows[len(rows)-1])) == "" {
		rows = rows[:len(rows)-1]
	}
	if len(rows) == 0 {
		return nil
	}
	return rows
}

func reduceLine(line string) string {
	var b, text strings.Builder
	styled := false
	flush := func() {
		b.WriteString(style.Visible(text.String()))
		text.Reset()
	}
	for i := 0; i < len(line); {
		n, pen := sequence(line[i:])
		if n == 0 {
			text.WriteByte(line[i])
			i++
			continue
		}
		if pen != "" {
			flush()
			b.WriteString(pen)
			styled = true
		}
		i += n
	}
	flush()
	if styled {
		b.WriteString("\x1b[m")
	}
	return b.String()
}

// sequence measures the control sequence that s begins with, 0 if it begins with none, and returns the part of it that
// chooses colors.
func sequence(s string) (n int, pen string) {
	if len(s) < 2 || s[0] != 0x1b {
		return 0, ""
	}
	switch s[1] {
	case '[':
		for n = 2; n < len(s) && s[n] >= 0x20 && s[n] < 0x40; n++ {
		}
		if n == len(s) || s[n] < 0x40 || s[n] > 0x7e {
			return n, ""
		}
		if s[n] == 'm' {
			pen = selectPen(s[2:n])
		}
		return n + 1, pen
	case ']', 'P', 'X', '^', '_': // a string, up to its end
		for n = 2; n < len(s); n++ {
			if s[n] == 0x07 {
				return n + 1, ""
			}
			if s[n] == 0x1b && n+1 < len(s) && s[n+1] == '\\' {
				return n + 2, ""
			}
		}
		return n, ""
	}
	return 2, ""
}

// selectPen keeps the parameters of SGR that choose a color or emphasis. Blinking, hidden and reversed text are not.
func selectPen(params string) string {
	if params == "" {
		return "\x1b[m"
	}
	var kept []string
	fields := strings.FieldsFunc(params, func(r rune) bool { return r == ';' || r == ':' })
	for i := 0; i < len(fields); i++ {
		v, err := strconv.Atoi(fields[i])
		if err != nil {
			return ""
		}
		switch {
		case v == 38 || v == 48:
			color, n := extended(fields[i+1:])
			if color != "" {
				kept = append(kept, strconv.Itoa(v)+";"+color)
			}
			i += n
		case v >= 0 && v <= 4, v == 9, v == 22, v == 23, v == 24, v == 29, v >= 30 && v <= 49 && v != 38 && v != 48, v >= 90 && v <= 107:
			kept = append(kept, strconv.Itoa(v))
		}
	}
	if kept == nil {
		return ""
	}
	return "\x1b[" + strings.Join(kept, ";") + "m"
}

// extended reads the rest of a color of 256 or of all, and how many parameters it takes.
func extended(fields []string) (color string, n int) {
	want := 0
	switch {
	case len(fields) == 0:
		return "", 0
	case fields[0] == "5":
		want = 2
	case fields[0] == "2":
		want = 4
	default:
		return "", len(fields)
	}
	if len(fields) < want {
		return "", len(fields)
	}
	for _, f := range fields[1:want] {
		if v, err := strconv.Atoi(f); err != nil || v < 0 || v > 255 {
			return "", want
		}
	}
	return strings.Join(fields[:want], ";"), want
}
