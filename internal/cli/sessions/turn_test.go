package sessions

import (
	"strings"
	"testing"

	"parley/session"
)

func TestFindTurn(t *testing.T) {
	turns := []session.TurnID{"one", "onto", "3"}
	for at, want := range map[string]session.TurnID{"1": "one", "2": "onto", "3": "3", "onto": "onto", "ont": "onto", "one": "one"} {
		if got, err := findTurn(turns, at); got != want || err != nil {
			t.Errorf("%q: %q, %v", at, got, err)
		}
	}
	for at, want := range map[string]string{"0": "has 3 turns", "4": "has 3 turns", "on": "fits 2 turns", "x": "fits 0 turns", "123456": "fits 0 turns"} {
		if _, err := findTurn(turns, at); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", at, err)
		}
	}
}
