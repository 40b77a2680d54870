package sim

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
)

// sealMark begins simulated encrypted reasoning.
const sealMark = "sim-enc-"

// seal makes encrypted reasoning of a model. It depends on the text and the model alone, so that a conversation can go
// on with another server of this kind.
func seal(thought, model string) string {
	text := sha256.Sum256([]byte("simulated reasoning\n" + thought))
	check := sha256.Sum256(append(text[:], model...))
	return base64.StdEncoding.EncodeToString(append(append([]byte(sealMark), text[:]...), check[:8]...))
}

// sealedBy reports whether content is encrypted reasoning of that model, unchanged.
func sealedBy(content, model string) bool {
	data, err := base64.StdEncoding.DecodeString(content)
	if err != nil || len(data) != len(sealMark)+sha256.Size+8 || !bytes.HasPrefix(data, []byte(sealMark)) {
		return false
	}
	text := data[len(sealMark) : len(sealMark)+sha256.Size]
	check := sha256.Sum256(append(bytes.Clone(text), model...))
	return bytes.Equal(check[:8], data[len(sealMark)+sha256.Size:])
}
