package translate

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// signaturePrefix begins every signature made here: who made it and in which version of the format. What follows is
// the API it is for, a colon, and base64 of a JSON object.
const signaturePrefix = "parley:v1:"

// sealed is what a signature carries: reasoning as the service wants it back.
type sealed struct {
	// Model is the model that thought; no other can read it.
	Model string `json:"m"`
	// ID is the id of the item. The Copilot API gives an item another id in every event; this is the one that came
	// together with the content.
	ID string `json:"i,omitempty"`
	// Content is encrypted, or empty if the service gave none.
	Content string `json:"c,omitempty"`
}

// sign makes the signature of a thinking block. A block gets one also when there is nothing to carry, so that it can be
// told from one that another service made.
func sign(a api, s sealed) string {
	b, err := json.Marshal(s)
	if err != nil { // strings always marshal
		panic(err)
	}
	return signaturePrefix + string(a) + ":" + base64.StdEncoding.EncodeToString(b)
}

// unsign reads a signature back. It is false for one that was made by others, for another API or another model, and for
// one that was damaged.
func unsign(a api, model, signature string) (sealed, bool) {
	rest, ok := strings.CutPrefix(signature, signaturePrefix+string(a)+":")
	if !ok {
		return sealed{}, false
	}
	b, err := base64.StdEncoding.DecodeString(rest)
	if err != nil {
		return sealed{}, false
	}
	var s sealed
	if json.Unmarshal(b, &s) != nil || s.Model != model {
		return sealed{}, false
	}
	return s, true
}

// IsOwnSignature reports whether the signature of a thinking block was made by this package, in this version or
// another. Such a block means nothing to a model that speaks the Messages API itself, which would refuse it.
func IsOwnSignature(signature string) bool { return strings.HasPrefix(signature, "parley:v") }
