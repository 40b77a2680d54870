package host

import (
	"context"
	"errors"
	"os/user"
	"slices"
	"testing"
)

// What logind answers decides; what cannot be asked ends nothing.
func TestEndsAtLogout(t *testing.T) {
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		kills, sessions string
		err             error
		want            bool
		spared          string
	}{
		"keeps":             {"b false\n", "2\n", nil, false, ""},
		"kills":             {"b true\n", "2 c1\n", nil, true, ""},
		"no login":          {"b true\n", "\n", nil, false, ""},
		"no systemd":        {"", "", errors.New("there is no bus"), false, ""},
		"something else":    {"s \"true\"\n", "2\n", nil, false, ""},
		"nothing":           {"", "", nil, false, ""},
		"sessions unknown":  {"b true\n", "?", nil, true, ""},
		"spared":            {"b true\n", "2\n", nil, false, `as 2 "nobody" "` + me.Username + `"`},
		"others are spared": {"b true\n", "2\n", nil, true, `as 1 "nobody"`},
		"spaces are no end": {" b true \n", "2", nil, true, ""},
	} {
		got := EndsAtLogout(t.Context(), func(_ context.Context, argv ...string) (string, error) {
			switch {
			case slices.Contains(argv, "KillExcludeUsers"):
				return c.spared, nil
			case argv[0] == "busctl":
				return c.kills, c.err
			}
			return c.sessions, c.err
		})
		if got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
