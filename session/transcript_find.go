package session

import (
	"fmt"
	"strconv"
	"strings"
)

// TurnAt returns a turn by its number, counted from 1, by its id, or by a unique beginning of its id. The error gives
// the number of turns.
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
