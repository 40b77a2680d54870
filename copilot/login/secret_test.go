package login

import "testing"

func TestSecretMask(t *testing.T) {
	s := NewSecret("tok")
	if got := s.mask("a tok b tok"); got != "a *** b ***" {
		t.Errorf("got %q", got)
	}
	if got := (Secret{}).mask("a"); got != "a" {
		t.Errorf("an empty secret changed the text to %q", got)
	}
	b := []byte("nothing")
	if got := s.maskBytes(b); &got[0] != &b[0] {
		t.Error("bytes without the token were copied")
	}
	if got := s.maskBytes([]byte("xtokx")); string(got) != "x***x" {
		t.Errorf("got %q", got)
	}
}
