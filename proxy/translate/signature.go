package translate

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// signaturePrefix begins every signature made here, with the version of the format. After it come the API it is for, a
// colon, and base64 of a JSON object.
const signaturePrefix = "parley:v1:"

// sealed is the content of a signature: reasoning as the service wants it back.
type sealed struct {
	// Model is the model that produced the reasoning; no other can read it.
	Model string `json:"m"`
	// ID is the id of the item. The Copilot API gives an item another id in every event; this one came with the
	// content.
	ID string `json:"i,omitempty"`
	// Content is encrypted, or empty if the service gave none.
	Content string `json:"c,omitempty"`
}

// sign returns the signature of a thinking block. A block without content gets one too, to distinguish it from blocks
// of other services.
func sign(a api, s sealed) string {
	b, err := json.Marshal(s)
	if err != nil { // strings always marshal
		panic(err)
	}
	return signaturePrefix + string(a) + ":" + base64.StdEncoding.EncodeToString(b)
}

// unsign decodes a signature. It reports false for one that was made elsewhere, for another API or another model, or
// that was damaged.
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

// IsOwnSignature reports whether this package, in any version, made the signature of a thinking block. A model of the
// Messages API cannot use such a block and would refuse it.
func IsOwnSignature(signature string) bool { return strings.HasPrefix(signature, "parley:v") }
