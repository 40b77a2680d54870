package sessions

import (
	"fmt"
	"strconv"
	"strings"

	"parley/session"
)

// turnsOf returns the ids of a session's turns, in their order.
func turnsOf(events []session.Event) (turns []session.TurnID) {
	for _, turn := range session.Fold(events).Turns {
		if turn.ID != "" {
			turns = append(turns, turn.ID)
		}
	}
	return turns
}

// findTurn returns a turn by its number, counted from 1, by its id, or by a unique beginning of its id. The error gives the
// number of turns.
func findTurn(turns []session.TurnID, at string) (session.TurnID, error) {
	var fit []session.TurnID
	for _, turn := range turns {
		if string(turn) == at {
			return turn, nil
		}
		if strings.HasPrefix(string(turn), at) {
			fit = append(fit, turn)
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
