package index

import "bytes"

// inWord are the bytes of words, as the tokenizer of the tables has them: letters and digits of ASCII, and all that is not ASCII.
var inWord = func() (in [256]bool) {
	for c := range in {
		in[c] = c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	return in
}()

// vocabulary collects the words of pieces. The zero value is ready.
type vocabulary struct {
	seen map[string]struct{}
}

// of returns the different words of a piece in small letters. The tables keep of a piece only which words it has, and reading a word costs
// them several times of what it costs here.
func (v *vocabulary) of(piece []byte) []byte {
	if v.seen == nil {
		v.seen = map[string]struct{}{}
	}
	clear(v.seen)
	lower := bytes.ToLower(piece)
	out := lower[:0] // words only move to the front
	for at := 0; at < len(lower); {
		if !inWord[lower[at]] {
			at++
			continue
		}
		from := at
		for at < len(lower) && inWord[lower[at]] {
			at++
		}
		word := lower[from:at]
		if _, known := v.seen[string(word)]; known {
			continue
		}
		v.seen[string(word)] = struct{}{}
		out = append(append(out, word...), ' ')
	}
	return out
}
