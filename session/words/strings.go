package words

import (
	"bytes"
	"encoding/json"
)

// longWord is the length in bytes from which a text without a space counts as data.
const longWord = 1 << 10

// Strings returns the texts in a JSON value, each on its lines, without the names of fields and without data such as images. What is no
// JSON has none.
func Strings(raw []byte) []byte {
	var all []byte
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		from := i
		for i++; i < len(raw) && raw[i] != '"'; i++ {
			if raw[i] == '\\' {
				i++
			}
		}
		if i >= len(raw) {
			break
		}
		if rest := bytes.TrimLeft(raw[i+1:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
			continue // the name of a field
		}
		var text string
		if i-from > longWord && bytes.IndexByte(raw[from:i], ' ') < 0 || json.Unmarshal(raw[from:i+1], &text) != nil || text == "" {
			continue
		}
		if len(all) > 0 {
			all = append(all, '\n')
		}
		all = append(all, text...)
	}
	return all
}
