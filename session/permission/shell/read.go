package shell

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Longest is the longest line that is read, in bytes, and mostSteps the most steps that a line may have.
const (
	Longest   = 16 << 10
	mostSteps = 256
	deepest   = 64
)

// parsers has idle parsers, which keep their buffers. A parser serves one reader at a time.
var parsers = map[syntax.LangVariant]*sync.Pool{
	syntax.LangBash:  {New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }},
	syntax.LangPOSIX: {New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangPOSIX)) }},
}

// Read returns the steps that a shell takes for a line. The error says in a few words, without a period, why the line is not
// understood.
func Read(d Dialect, line string) (read Line, err error) {
	if err := readable(line); err != nil {
		return Line{}, err
	}
	variant := syntax.LangBash
	if d == POSIX {
		variant = syntax.LangPOSIX
	}
	defer func() {
		if r := recover(); r != nil { // a bug of the parser, which leaves it in any state
			read, err = Line{}, errors.New("the parser gave up")
		}
	}()
	parser := parsers[variant].Get().(*syntax.Parser)
	file, err := parser.Parse(strings.NewReader(line), "")
	parsers[variant].Put(parser)
	if err != nil {
		return Line{}, errors.New("it is not complete, or no shell of this kind understands it")
	}
	w := walker{dialect: d, line: line}
	w.stmts(file.Stmts, scope{})
	if w.err != nil {
		return Line{}, w.err
	}
	slices.SortStableFunc(w.steps, func(a, b Step) int { return cmp.Compare(a.Start, b.Start) })
	return Line{Steps: w.steps}, nil
}

// readable refuses lines with characters that shells, locales and the parser may take for different things. Outside of
// ASCII only what stands for itself on the screen may pass, and [walker.unquoted] lets it pass in quotes only.
func readable(line string) error {
	switch {
	case len(line) > Longest:
		return errors.New("it is too long")
	case strings.TrimLeft(line, " \t\n") == "":
		return errors.New("it is empty")
	}
	for i, r := range line {
		switch {
		case r == ' ', r == '\t', r == '\n':
		case r == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(line[i:]); size <= 1 {
				return errors.New("it has bytes that are not text")
			}
		case r < ' ', r == 0x7f, !unicode.IsPrint(r), r > unicode.MaxASCII && showsNothing(r):
			return fmt.Errorf("it has the character <U+%04X>", r)
		}
	}
	return nil
}

// IsInvisible reports whether a character outside of ASCII shows nothing, drives the terminal or changes how the text around
// it is shown. Blanks are not among them.
func IsInvisible(r rune) bool {
	return r > unicode.MaxASCII && (unicode.In(r, unicode.Cf, unicode.Cc, unicode.Zl, unicode.Zp) || showsNothing(r))
}

// showsNothing reports whether a character shows nothing, though it counts as a letter or a sign.
func showsNothing(r rune) bool {
	return slices.Contains([]rune{0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0}, r) || unicode.Is(unicode.Variation_Selector, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// Quote returns a word as every shell reads it back, which [Read] takes for that word.
func Quote(word string) string {
	plain := word != "" && !strings.HasPrefix(word, "=") && !strings.HasPrefix(word, "~")
	for _, r := range word {
		plain = plain && isPlain(r)
	}
	if plain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

// isPlain reports whether a character means itself to every shell, wherever it stands in a word but for an = at its begin.
func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:,@+=%", r)
}
