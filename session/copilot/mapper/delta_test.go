package mapper

import (
	"encoding/json"
	"testing"
)

// FuzzDelta compares the scan of a fragment with the decoder. The scan may leave any data to it.
func FuzzDelta(f *testing.F) {
	for _, s := range []string{
		`{"messageId":"m","deltaContent":"a \\u00e4 \\ud83d\\ude42 \\n"}`, `{"reasoningId":"r","deltaContent":""}`,
		`{"toolCallId":"c","toolName":"bash","inputDelta":"{\\"a\\":"}`, `{"messageId":"m","messageId":"n"}`, `{"messageId":7}`, `{} x`, `{"DeltaContent":"x"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		got, ok := readDelta([]byte(data))
		var want streamed
		if err := json.Unmarshal([]byte(data), &want); ok && (err != nil || got != want) {
			t.Errorf("scanned %+v, decoded %+v, %v", got, want, err)
		}
	})
}
