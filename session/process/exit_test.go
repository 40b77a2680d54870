package process

import (
	"errors"
	"strings"
	"testing"
)

func TestExitDetail(t *testing.T) {
	many := strings.Repeat("line\n", 3*maxExitLines)
	for _, tc := range []struct {
		code           int
		signal, stderr string
		cause          error
		want           string
	}{
		{1, "", "", nil, "exit status 1"},
		{-1, "killed", " \n", nil, "killed"},
		{1, "", "out of memory\n", nil, "exit status 1: out of memory"},
		{1, "", "one\n  two\n\nthree\n\n", nil, "exit status 1: three\none\n  two"},
		{1, "", "one\ntwo", errors.New("it did not answer"), "exit status 1: it did not answer\none\ntwo"},
		{1, "", many + "last", nil, "exit status 1: last\n" + strings.TrimSpace(many[:5*maxExitLines])},
	} {
		if got := ExitDetail(tc.code, tc.signal, tc.cause, tc.stderr); got != tc.want {
			t.Errorf("%+v: %q", tc, got)
		}
	}
}
