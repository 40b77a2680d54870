package builtin

import (
	"testing"

	"parley/session/permission"
)

func TestRevoke(t *testing.T) {
	var rules []permission.Rule
	for _, text := range []string{"command go test *", "command go vet *", "command go test *"} {
		r, err := permission.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, r)
	}
	b := newAskBook(rules)
	before := b.rulesNow()
	b.revoke("command go test *")
	if now := b.rulesNow(); len(now) != 1 || now[0].String() != "command go vet *" || len(before) != 3 {
		t.Errorf("%v, before %v", now, before)
	}
}
