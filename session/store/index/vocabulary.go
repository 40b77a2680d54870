package index

import (
	"bytes"
	"hash/maphash"
)

// inWord are the bytes of words, as the tokenizer of the tables has them: letters and digits of ASCII, and all that is not ASCII.
var inWord = func() (in [256]bool) {
	for c := range in {
		in[c] = c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	return in
}()

// vocabulary collects the words of pieces. The zero value is ready.
type vocabulary struct {
	slots []slot // by the hashes of words, a power of two of which at most half are in use
	piece uint32 // the number of the piece
	seed  maphash.Seed
}

// slot has a word of a piece, by its place.
type slot struct{ piece, from, to uint32 }

// of returns the different words of a piece in small letters. The tables keep of a piece only which words it has, and reading a word costs
// them several times of what it costs here.
func (v *vocabulary) of(piece []byte) []byte {
	if v.piece++; v.slots == nil || v.piece == 0 { // numbers are used again after 4 billion pieces
		v.slots, v.seed, v.piece = make([]slot, 1<<12), maphash.MakeSeed(), 1
	}
	lower := bytes.ToLower(piece)
	out := lower[:0] // words only move to the front
	words := 0
	for at := 0; at < len(lower); {
		if !inWord[lower[at]] {
			at++
			continue
		}
		from := at
		for at < len(lower) && inWord[lower[at]] {
			at++
		}
		s := v.find(out, lower[from:at])
		if s.piece == v.piece {
			continue
		}
		*s = slot{v.piece, uint32(len(out)), uint32(len(out) + at - from)}
		out = append(append(out, lower[from:at]...), ' ')
		if words++; 2*words > len(v.slots) {
			v.grow(out)
		}
	}
	return out
}

// find returns the slot of a word, or the one for it.
func (v *vocabulary) find(out, word []byte) *slot {
	for at := maphash.Bytes(v.seed, word); ; at++ {
		s := &v.slots[at&uint64(len(v.slots)-1)]
		if s.piece != v.piece || bytes.Equal(out[s.from:s.to], word) {
			return s
		}
	}
}

// grow makes room for more words.
func (v *vocabulary) grow(out []byte) {
	old := v.slots
	v.slots = make([]slot, 2*len(old))
	for _, s := range old {
		if s.piece == v.piece {
			*v.find(out, out[s.from:s.to]) = s
		}
	}
}
