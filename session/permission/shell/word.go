package shell

import (
	"slices"
	"strings"
)

// PartKind is the type of a part of a word.
type PartKind int

// The kinds of parts.
const (
	// Literal stands for Text and nothing else. Two of them never stand side by side.
	Literal PartKind = iota
	// Variable is the value of the variable Text.
	Variable
	// Glob is *, ? or a plain bracket.
	Glob
	// Home is the home directory. It is first in its word, and what follows begins with a slash.
	Home
	// Output is the text that Body prints.
	Output
)

// Part is one part of a word. Bare means that a shell makes any number of words of it, Own that the line sets the variable.
type Part struct {
	Kind PartKind
	Text string
	Bare bool
	Own  bool
	Body Line
}

// Word is one word of a command.
type Word struct {
	// Parts are in the order in which they stand. An empty word is one empty literal.
	Parts []Part
	// Text is the word as the program gets it, or the beginning of it that is sure.
	Text string
	// Known reports whether Text is all of the word, and the word is one.
	Known bool
	// Begins reports whether each word that the shell makes of it begins with Text. It is so where the word is known.
	Begins bool
	// Home reports whether Text is "~" or begins with "~/", and the shell puts the home directory there.
	Home bool
}

// Lit returns the word that stands for a text.
func Lit(text string) Word {
	return Word{Parts: []Part{{Text: text}}, Text: text, Known: true, Begins: true}
}

// WordOf returns the word of parts, of which literals that stand side by side become one.
func WordOf(parts ...Part) Word {
	w := Word{Known: true, Begins: true, Parts: make([]Part, 0, len(parts))}
	for _, p := range parts {
		if last := len(w.Parts) - 1; p.Kind == Literal && last >= 0 {
			if p.Text == "" && !w.Parts[last].Bare {
				continue
			}
			if w.Parts[last].Kind == Literal {
				w.Parts[last].Text += p.Text
				continue
			}
		}
		w.Parts = append(w.Parts, p)
	}
	for i := 0; i+1 < len(w.Parts); i++ {
		if w.Parts[i].Kind == Literal && w.Parts[i].Text == "" && !w.Parts[i+1].Bare { // it adds nothing
			w.Parts = slices.Delete(w.Parts, i, i+1)
		}
	}
	for i, p := range w.Parts {
		switch {
		case p.Kind == Home && i == 0:
			w.Home, w.Text = true, "~"
		case p.Kind != Literal:
			w.Known = false
			w.Begins = w.Begins && !p.Bare
		case w.Known:
			w.Text += p.Text
		}
	}
	return w
}

// Sure reports whether each word that the shell makes of w is one that a program takes for something else than an option.
func (w Word) Sure() bool {
	return w.Begins && w.Text != "" && w.Text[0] != '-' && w.Text[0] != '+' || w.Known && w.Text == ""
}

// Has reports whether a part of one of the kinds stands in w.
func (w Word) Has(kinds ...PartKind) bool {
	for _, p := range w.Parts {
		for _, k := range kinds {
			if p.Kind == k {
				return true
			}
		}
	}
	return false
}

// Splits reports whether a shell may make more or fewer than one word of w.
func (w Word) Splits() bool {
	for _, p := range w.Parts {
		if p.Bare || p.Kind == Glob {
			return true
		}
	}
	return false
}

// whole returns the word of which no shell makes more or fewer than one, but for patterns.
func (w Word) whole() Word {
	parts := slices.Clone(w.Parts)
	for i := range parts {
		parts[i].Bare = false
	}
	return WordOf(parts...)
}

// Cut returns the word without its first n bytes, which have to be known.
func (w Word) Cut(n int) Word {
	parts := append([]Part{{Text: w.Parts[0].Text[n:]}}, w.Parts[1:]...)
	return WordOf(parts...)
}

// After returns the word with a text before it.
func (w Word) After(text string) Word { return WordOf(append([]Part{{Text: text}}, w.Parts...)...) }

// Literal returns the word in which patterns stand for themselves, as a program gets it that matches them itself.
func (w Word) Literal() Word {
	parts := make([]Part, len(w.Parts))
	for i, p := range w.Parts {
		if parts[i] = p; p.Kind == Glob {
			parts[i] = Part{Text: strings.Replace(p.Text, "[!", "[^", 1)}
		}
	}
	return WordOf(parts...)
}
