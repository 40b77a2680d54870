package words

import (
	"strings"
	"testing"
)

// TestStrings finds the texts of a value, and neither names nor data.
func TestStrings(t *testing.T) {
	data := strings.Repeat("QUJD", 600)
	for raw, want := range map[string]string{
		`{"command":"go test ./...","lines":[1,"a\"b"],"of":{"path" : "x\\y"}}`: "go test ./...\na\"b\nx\\y",
		`"plain"`:                 "plain",
		`{"data":"` + data + `"}`: "",
		`{"a":"torn`:              "",
		``:                        "",
	} {
		if got := string(Strings([]byte(raw))); got != want {
			t.Errorf("%.80s: %q, want %q", raw, got, want)
		}
	}
}
