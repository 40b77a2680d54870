package translate

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
)

const (
	// maxCallID and maxToolName are OpenAI's limits in bytes. Anthropic's clients may exceed both.
	maxCallID   = 64
	maxToolName = 64
	// wrappedID begins an id of a tool call that was rewritten for Anthropic's clients.
	wrappedID = "toolx_"
)

// toolUseID spells the id of a call for Anthropic's clients, which accept only letters, digits, "_" and "-". It returns
// such an id unchanged and wraps any other, so that callID can restore it without memory.
func toolUseID(callID string) string {
	if isPlainID(callID) && !strings.HasPrefix(callID, wrappedID) {
		return callID
	}
	return wrappedID + base64.RawURLEncoding.EncodeToString([]byte(callID))
}

// callID spells the id of a tool_use block for OpenAI's APIs: unwrapped, or shortened if it comes from a service with
// longer ids. A call and its result get the same id.
func callID(toolUseID string) string {
	if rest, ok := strings.CutPrefix(toolUseID, wrappedID); ok {
		if b, err := base64.RawURLEncoding.DecodeString(rest); err == nil {
			return string(b)
		}
	}
	if len(toolUseID) > maxCallID {
		return "call_" + digest(toolUseID, 40)
	}
	return toolUseID
}

// madeID returns an id for a call without one from the service.
func madeID(messageID string, n int) string {
	return "call_" + digest(messageID+"/"+strconv.Itoa(n), 24)
}

func isPlainID(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != ""
}

// digest returns n hexadecimal digits of the hash of a text.
func digest(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:n]
}

// toolNames maps the names of tools that are too long or have characters that OpenAI's APIs refuse.
type toolNames struct{ back map[string]string }

// to spells a name for the service.
func (n *toolNames) to(name string) string {
	if len(name) <= maxToolName && isPlainID(name) {
		return name
	}
	plain := strings.Map(func(r rune) rune {
		if r < 0x80 && isPlainID(string(r)) {
			return r
		}
		return '_'
	}, name)
	short := plain[:min(len(plain), maxToolName-9)] + "_" + digest(name, 8)
	if n.back == nil {
		n.back = map[string]string{}
	}
	n.back[short] = name
	return short
}

// from returns the client's spelling of a name.
func (n *toolNames) from(name string) string {
	if long, ok := n.back[name]; ok {
		return long
	}
	return name
}
