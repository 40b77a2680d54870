package archive

import (
	"bytes"
	"encoding/json"

	"parley/session/copilot/protocol"
)

// maxLine bounds an event, in bytes. Longer ones count as damaged.
const maxLine = 64 << 20

// unused begin lines that make no events of a session, and that may be long.
var unused = [][]byte{
	[]byte(`{"type":"system.message"`), []byte(`{"type":"model.`), []byte(`{"type":"session.usage_`), []byte(`{"type":"hook.`),
	[]byte(`{"type":"permission.`), []byte(`{"type":"external_tool.`), []byte(`{"type":"session.binary_asset"`),
	[]byte(`{"type":"skill.`),
}

// isUnused reports whether a line makes no events.
func isUnused(line []byte) bool {
	for _, begin := range unused {
		if bytes.HasPrefix(line, begin) {
			return true
		}
	}
	return false
}

// parse reads a line, which it does not retain. It reports false for a damaged one.
func parse(line []byte) (e protocol.Event, ok bool) {
	if len(line) > maxLine {
		return e, false
	}
	err := json.Unmarshal(line, &e)
	return e, err == nil && e.Type != ""
}

// parseAll reads whole lines. damaged counts those that cannot be read; an empty line is none.
func parseAll(lines []byte) (events []protocol.Event, damaged int) {
	for line := range bytes.Lines(lines) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || isUnused(line) {
			continue
		}
		if e, ok := parse(line); ok {
			events = append(events, e)
		} else {
			damaged++
		}
	}
	return events, damaged
}
