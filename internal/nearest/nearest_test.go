package nearest

import "testing"

func TestOf(t *testing.T) {
	names := []string{"sessions", "models", "auth", "list", "rm"}
	for word, want := range map[string]string{"session": "sessions", "modles": "models", "lst": "list", "aut": "auth", "rmm": "rm",
		"weather": "", "": "", "x": "", "listing": "list"} {
		if got := Of(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
