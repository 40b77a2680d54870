package session

import (
	"fmt"
	"strconv"
	"strings"
)

// TurnAt returns the turn with a number, counted from 1, with an id, or the only one whose id begins so. The error says how
// many turns there are.
func (t *Transcript) TurnAt(at string) (TurnID, error) {
	var turns, fit []TurnID
	for _, turn := range t.Turns {
		if turn.ID == "" {
			continue
		}
		turns = append(turns, turn.ID)
		if string(turn.ID) == at {
			return turn.ID, nil
		}
		if strings.HasPrefix(string(turn.ID), at) {
			fit = append(fit, turn.ID)
		}
	}
	if n, err := strconv.Atoi(at); err == nil && len(at) < 6 {
		if n < 1 || n > len(turns) {
			return "", fmt.Errorf("the session has %d turns, counted from 1", len(turns))
		}
		return turns[n-1], nil
	}
	if len(fit) != 1 {
		return "", fmt.Errorf("fits %d turns; give the number of a turn, from 1 to %d, or its id", len(fit), len(turns))
	}
	return fit[0], nil
}
