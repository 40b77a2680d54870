package question

import (
	"testing"

	"parley/session"
)

// A page that a server wants opened is shown with the host it leads to, and with what may mislead about it.
func TestPages(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com/sign-in?x=1":         "It leads to example.com.",
		"https://github.com.evil.example/":        "It leads to github.com.evil.example.",
		"https://github.com@evil.example/":        "It leads to evil.example. Careful: what stands before @ is not its name.",
		"https://www.xn--pple-43d.com/":           "It leads to www.xn--pple-43d.com. Careful: its name has letters of another script.",
		"https://аpple.com/":                      "It leads to аpple.com. Careful: its name has letters of another script.",
		"http://example.com:8080/":                "It leads to example.com:8080. It is not encrypted.",
		"http://127.0.0.1:8080/callback":          "It leads to 127.0.0.1:8080.",
		"javascript:alert(1)":                     "",
		"https://exa\u202emple.com/":              "It leads to exa<U+202E>mple.com. Careful: its name has letters of another script.",
		"file:///etc/passwd":                      "",
		"\x1b]8;;https://example.com\x1b\\https:": "",
	} {
		q := New(&session.Ask{Asked: session.Asked{Elicitation: &session.ElicitationAsk{Server: "s", URL: address}}}, Options{Opens: true})
		if q.About != want || q.Choices[q.At].Answer.Decision != session.Deny || q.Decline.Answer.Decision != session.Cancel {
			t.Errorf("%q: %q, want %q; %+v", address, q.About, want, q.Choices[q.At])
		}
	}
}
