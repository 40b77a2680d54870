package catalog

import (
	"errors"
	"testing"
	"time"

	"parley/copilot"
	"parley/session"
)

func TestRefusalsSayWhatTheyMean(t *testing.T) {
	meaning := errors.New("the token in GH_TOKEN cannot be used")
	for name, tt := range map[string]struct {
		err  copilot.Error
		want string
	}{
		"refused":     {copilot.Error{Op: "list models", Kind: copilot.KindAuth, Status: 401, Code: "unauthorized", Message: "bad", Err: meaning}, "GitHub did not accept the sign-in: the token in GH_TOKEN cannot be used."},
		"unexplained": {copilot.Error{Op: "list models", Kind: copilot.KindAuth, Status: 401, Message: "bad"}, "GitHub did not accept the sign-in: list models failed: 401 Unauthorized: bad."},
		"no answer":   {copilot.Error{Op: "list models", Kind: copilot.KindAuth, Err: meaning}, "GitHub did not accept the sign-in: the token in GH_TOKEN cannot be used."},
	} {
		err := Error(&tt.err)
		if got := session.ProblemOf(err, time.Time{}).What; got != tt.want {
			t.Errorf("%s: %s", name, got)
		}
		if e, ok := errors.AsType[*copilot.Error](err); !ok || e != &tt.err {
			t.Errorf("%s: the refusal is lost", name)
		}
	}
}
