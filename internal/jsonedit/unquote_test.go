package jsonedit

import (
	"encoding/json"
	"testing"
)

// FuzzUnquote holds strings against encoding/json.
func FuzzUnquote(f *testing.F) {
	for _, s := range []string{`""`, `"a\nb"`, `"\ud83d\ude00"`, `"\ud83dx"`, `"\ud83d\u0041"`, `"\ude00"`, "\"\xff\xc3\"", `"\/\b\f\r\t\"\\"`, `"`, `"\`, `"\u12"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got := unquote(data)
		var want string
		if json.Unmarshal(data, &want) == nil && len(data) > 0 && data[0] == '"' && data[len(data)-1] == '"' && got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
