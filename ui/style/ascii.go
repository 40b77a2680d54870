package style

import (
	"strings"
	"unicode/utf8"
)

// inASCII maps the characters that parley draws with, and frequent ones of texts, to ASCII of the same width.
var inASCII = map[rune]byte{
	'─': '-', '━': '-', '╶': '-', '╴': '-', '═': '=', '│': '|', '┃': '|', '║': '|', '▏': '|', '▎': '|', '▌': '|',
	'┌': '+', '┐': '+', '└': '+', '┘': '+', '├': '+', '┤': '+', '┬': '+', '┴': '+', '┼': '+', '╭': '+', '╮': '+', '╰': '+', '╯': '+',
	'•': '*', '·': '-', '…': '~', '⋯': '~', '❯': '>', '›': '>', '‹': '<', '»': '>', '«': '<', '●': '*', '○': 'o', '■': '#', '□': '-', '▪': '*',
	'▰': '#', '▱': '-', '█': '#', '▓': '#', '▒': '%', '░': '.', '▄': '_', '▀': '^',
	'↑': '^', '↓': 'v', '←': '<', '→': '>', '↵': '<', '⏎': '<', '▲': '^', '▼': 'v', '▶': '>', '◀': '<', '▸': '>', '▾': 'v', '↪': '\\',
	'↶': '<', '✓': '+', '✔': '+', '✗': 'x', '✘': 'x', '×': 'x', '☐': '-', '☑': '+', '☒': 'x', '÷': '/',
	'‘': '\'', '’': '\'', '‚': ',', '“': '"', '”': '"', '„': '"', '–': '-', '—': '-', '‐': '-', '‑': '-', '−': '-', '\u00a0': ' ',
	'à': 'a', 'á': 'a', 'â': 'a', 'ã': 'a', 'ä': 'a', 'å': 'a', 'ç': 'c', 'è': 'e', 'é': 'e', 'ê': 'e', 'ë': 'e', 'ì': 'i', 'í': 'i',
	'î': 'i', 'ï': 'i', 'ñ': 'n', 'ò': 'o', 'ó': 'o', 'ô': 'o', 'õ': 'o', 'ö': 'o', 'ø': 'o', 'ù': 'u', 'ú': 'u', 'û': 'u', 'ü': 'u',
	'ý': 'y', 'ÿ': 'y', 'À': 'A', 'Á': 'A', 'Â': 'A', 'Ã': 'A', 'Ä': 'A', 'Å': 'A', 'Ç': 'C', 'È': 'E', 'É': 'E', 'Ê': 'E', 'Ë': 'E',
	'Ñ': 'N', 'Ò': 'O', 'Ó': 'O', 'Ô': 'O', 'Õ': 'O', 'Ö': 'O', 'Ø': 'O', 'Ù': 'U', 'Ú': 'U', 'Û': 'U', 'Ü': 'U', 'Ý': 'Y',
}

// Plainly returns a row as the terminal can draw it: unchanged, or in as many columns of ASCII if the look requires that. A
// character without a replacement becomes a question mark in each of its columns. Sequences stay.
func (l *Look) Plainly(row string) string {
	if !l.Ascii || isASCII(row) {
		return row
	}
	var b strings.Builder
	b.Grow(len(row))
	for at := 0; at < len(row); {
		if c := row[at]; c < utf8.RuneSelf && c != 0x1b {
			b.WriteByte(c)
			at++
			continue
		}
		seq, width, n, _ := l.Measure.Method.DecodeSequenceInString(row[at:], 0, nil)
		if n <= 0 {
			break
		}
		at += n
		if seq[0] == 0x1b {
			writePrintable(&b, seq)
			continue
		}
		r, _ := utf8.DecodeRuneInString(seq)
		if c, ok := inASCII[r]; ok && width == 1 {
			b.WriteByte(c)
			continue
		}
		for range width {
			b.WriteByte('?')
		}
	}
	return b.String()
}

// writePrintable writes the ASCII of a sequence, such as an address in a link.
func writePrintable(b *strings.Builder, seq string) {
	for i := range len(seq) {
		if seq[i] < utf8.RuneSelf {
			b.WriteByte(seq[i])
		}
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// PlainRows applies Plainly to rows, in place.
func (l *Look) PlainRows(rows []string) []string {
	if !l.Ascii {
		return rows
	}
	for i, r := range rows {
		rows[i] = l.Plainly(r)
	}
	return rows
}
