package search

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

var utf8Mark = []byte("\xef\xbb\xbf")

// utf16Order returns the order of bytes that the mark at the beginning of a text in UTF-16 says, nil for other texts.
func utf16Order(text []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		return binary.BigEndian
	}
	return nil
}

// decode returns a text in UTF-8 without a mark. What is not valid in UTF-16 becomes U+FFFD.
func decode(text []byte) []byte {
	order := utf16Order(text)
	if order == nil {
		return bytes.TrimPrefix(text, utf8Mark)
	}
	out := make([]byte, 0, len(text))
	for text = text[2:]; len(text) >= 2; text = text[2:] {
		r := rune(order.Uint16(text))
		if utf16.IsSurrogate(r) {
			low := rune(-1)
			if len(text) >= 4 {
				low = rune(order.Uint16(text[2:]))
			}
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				text = text[2:]
			}
		}
		out = utf8.AppendRune(out, r)
	}
	if len(text) == 1 {
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	return out
}
