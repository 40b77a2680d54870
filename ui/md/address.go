package md

import (
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"parley/ui/md/cells"
)

// maxAddress is the longest address for the terminal: VTE, on which many are built, drops longer ones.
const maxAddress = 2083

// linkTable numbers the addresses that looks refer to.
type linkTable struct {
	on        bool // the terminal makes links
	addresses []string
	numbers   map[string]uint32
}

// number returns the number of an address, 0 if it must not be a link of the terminal.
func (t *linkTable) number(address string) uint32 {
	if !t.on {
		return 0
	}
	address = terminalAddress(address)
	if address == "" {
		return 0
	}
	n, ok := t.numbers[address]
	if !ok {
		if t.numbers == nil {
			t.numbers = map[string]uint32{}
		}
		t.addresses = append(t.addresses, address)
		n = uint32(len(t.addresses))
		t.numbers[address] = n
	}
	return n
}

// open appends the sequence after which text is part of a link, or of none if it is 0. Its id makes the parts of a link
// that is broken over rows light up together; it is a hash of the address, so that equal text gives equal rows.
func (t *linkTable) open(dst []byte, link uint32) []byte {
	if link == 0 {
		return append(dst, "\x1b]8;;\x1b\\"...)
	}
	address := t.addresses[link-1]
	h := fnv.New32a()
	_, _ = h.Write([]byte(address)) // a hash never fails
	dst = append(dst, "\x1b]8;id="...)
	dst = strconv.AppendUint(dst, uint64(h.Sum32()), 36)
	dst = append(dst, ';')
	dst = append(dst, address...)
	return append(dst, "\x1b\\"...)
}

// terminalAddress returns an address in printable ASCII, as terminals need it, or "" if it is not one of the web or of mail:
// a document must not decide what a click opens.
func terminalAddress(s string) string {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || rest == "" || len(s) > maxAddress {
		return ""
	}
	switch strings.ToLower(scheme) {
	case "http", "https":
		if !strings.HasPrefix(rest, "//") || len(rest) == 2 {
			return ""
		}
	case "mailto":
	default:
		return ""
	}
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c < '!' || c == 0x7f || c >= utf8.RuneSelf:
			const digits = "0123456789ABCDEF"
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
		default:
			b.WriteByte(c)
		}
	}
	if b.Len() > maxAddress {
		return ""
	}
	return b.String()
}

// autoAddress returns the address of a link that is written as its address alone.
func autoAddress(n *ast.AutoLink, src []byte) string {
	address := string(n.URL(src))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	return cells.Visible(address)
}

// looksLikeAddress reports whether the text of a link could be mistaken for its address.
func looksLikeAddress(said string) bool {
	if strings.Contains(said, "://") || strings.HasPrefix(strings.ToLower(said), "mailto:") {
		return true
	}
	for word := range strings.FieldsSeq(said) {
		host, _, _ := strings.Cut(word, "/")
		if i := strings.LastIndexByte(host, '.'); i > 0 && len(host)-i > 2 && !strings.ContainsAny(host[i+1:], "()[]{}<>,;:\"'`") {
			return true
		}
	}
	return false
}
