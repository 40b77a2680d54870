package compact

import (
	"testing"

	"parley/session/builtin/wire"
)

// What is shortened has words in any case: a request without messages is refused.
func TestShortenLeavesWords(t *testing.T) {
	words := func(role string) wire.Piece {
		return wire.Piece{Role: role, Turn: "t", Blocks: []wire.Content{{Type: "text", Text: "some words"}}}
	}
	tests := map[string][]wire.Piece{
		"a prompt":             {words("user")},
		"a prompt and nothing": {words("user"), {Role: "assistant", Turn: "t"}, {Role: "user", Turn: "t"}},
		"two prompts":          {words("user"), words("user"), {Role: "user", Turn: "t"}},
	}
	for name, pieces := range tests {
		for _, room := range []int{-1000, 0, 1} {
			if left := wire.Join(Shorten(pieces, room), "m"); len(left) != 1 {
				t.Errorf("%s, %d bytes: %+v", name, room, left)
			}
		}
	}
}
