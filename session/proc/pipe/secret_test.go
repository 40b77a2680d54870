package pipe

import (
	"strconv"
	"strings"
	"testing"

	"parley/session/proc"
)

func TestMask(t *testing.T) {
	for _, tc := range []struct {
		known      []string
		text, want string
	}{
		{[]string{"abcdefgh.s1"}, "Error: 401 Authorization: Bearer abcdefgh.s1 for abcdefgh, sk-ant-1234, ghp_0123, github_pat_77",
			"Error: 401 Authorization: *** for ***, ***, ***, ***"},
		{[]string{"secret-value", "and", ""}, "Bearer gho_abc and secret-value", "*** and ***"},
		{[]string{"abc.secret"}, "abc and abc.secret", "abc and ***"},
		{nil, "nothing", "nothing"},
	} {
		var s Secrets
		s.Add(tc.known...)
		if got := s.Mask(tc.text); got != tc.want {
			t.Errorf("%q: %q", tc.text, got)
		}
	}
}

// The newest secrets are known; how many there are is bounded.
func TestSecretsAreBounded(t *testing.T) {
	var s Secrets
	for i := range 2 * maxSecrets {
		s.Add("secret-" + strconv.Itoa(10_000+i))
	}
	if got := s.Mask("secret-10000 secret-12047"); len(s.all) != maxSecrets || got != "secret-10000 ***" {
		t.Errorf("%d secrets: %q", len(s.all), got)
	}
}

// A secret of which the beginning was cut off is left out of a tail.
func TestMaskedTail(t *testing.T) {
	var s Secrets
	s.Add("secretsecret.s1")
	var tail proc.Tail
	tail.Add([]byte("secretsecret.s1 "))
	tail.Add([]byte(strings.Repeat("x", proc.TailSize-8)))
	if got := s.Mask(tail.Text()); got != strings.Repeat("x", proc.TailSize-8) {
		t.Errorf("%d %.20q", len(got), got)
	}
	tail = proc.Tail{}
	tail.Add([]byte(strings.Repeat("y", 3*proc.TailSize)))
	if got := s.Mask(tail.Text()); got != "" {
		t.Errorf("%.20q", got)
	}
	for range 3000 {
		tail.Add([]byte("ghp_abcdef and more "))
	}
	if got := s.Mask(tail.Text()); len(got) > proc.TailSize || !strings.HasPrefix(got, "and") && !strings.HasPrefix(got, "***") && !strings.HasPrefix(got, "more") {
		t.Errorf("%.40q, %d", got, len(got))
	}
}

func TestLastLines(t *testing.T) {
	long := strings.Repeat("a", maxColumns-1) + "ä"
	for _, tc := range []struct {
		text string
		n    int
		want string
	}{
		{"", 5, ""},
		{"one\ntwo\nthree\n", 2, "two\nthree"},
		{"one\n", 5, "one"},
		{long, 1, strings.Repeat("a", maxColumns-1) + "…"},
	} {
		if got := LastLines(tc.text, tc.n); got != tc.want {
			t.Errorf("%q: %q", tc.text, got)
		}
	}
}
