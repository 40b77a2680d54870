package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
)

// mark begins simulated encrypted reasoning.
const mark = "sim-enc-"

// Reasoning makes encrypted reasoning of a model. It depends on the text and the model alone, so that a conversation can go
// on with another server of this kind.
func Reasoning(thought, model string) string {
	text := sha256.Sum256([]byte("simulated reasoning\n" + thought))
	check := sha256.Sum256(append(text[:], model...))
	return base64.StdEncoding.EncodeToString(append(append([]byte(mark), text[:]...), check[:8]...))
}

// By reports whether content is encrypted reasoning of that model, unchanged.
func By(content, model string) bool {
	data, err := base64.StdEncoding.DecodeString(content)
	if err != nil || len(data) != len(mark)+sha256.Size+8 || !bytes.HasPrefix(data, []byte(mark)) {
		return false
	}
	text := data[len(mark) : len(mark)+sha256.Size]
	check := sha256.Sum256(append(bytes.Clone(text), model...))
	return bytes.Equal(check[:8], data[len(mark)+sha256.Size:])
}

// Sign makes the signature of a reasoning block. It depends on the text alone, so that a conversation can go on with
// another server of this kind, and a changed block is recognised.
func Sign(thought string) string {
	sum := sha256.Sum256([]byte("simulated reasoning\n" + thought))
	return base64.StdEncoding.EncodeToString(append([]byte("sim-sig-"), sum[:]...))
}
