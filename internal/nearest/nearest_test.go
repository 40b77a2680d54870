package nearest

import "testing"

func TestSlip(t *testing.T) {
	names := []string{"sessions", "models", "help", "config"}
	for word, want := range map[string]string{"session": "sessions", "modles": "models", "modls": "models", "helpp": "help", "confih": "config",
		"hello": "", "models": "", "mdoesl": "", "": "", "weather": ""} {
		if got := Slip(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestOf(t *testing.T) {
	names := []string{"sessions", "models", "auth", "list", "rm"}
	for word, want := range map[string]string{"session": "sessions", "modles": "models", "lst": "list", "aut": "auth", "rmm": "rm",
		"weather": "", "": "", "x": "", "listing": "list"} {
		if got := Of(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
