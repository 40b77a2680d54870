package claude

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"

	"parley/session"
	"parley/session/claude/driver"
)

// growth tells what others have added to the transcript of a session since a runtime of ours has read it: the user may
// go on with the same session in Claude Code itself, while it is open here. It is not safe for concurrent use.
type growth struct {
	find   func() string // looks for the transcript; "" if there is none
	path   string        // once it is found: the search looks into every project
	offset int64         // how far it is known; always the beginning of a line
}

// follow begins to follow the transcript of a session, all of which is known.
func (a *Agent) follow(id string) *growth {
	g := &growth{find: func() string {
		if found := a.transcriptsOf(session.ID(id)); len(found) > 0 {
			return found[0]
		}
		return ""
	}}
	if info, err := os.Stat(g.at()); err == nil {
		g.offset = info.Size()
	}
	return g
}

// at is the path of the transcript, "" if there is none.
func (g *growth) at() string {
	if g.path == "" {
		g.path = g.find()
	}
	return g.path
}

// entrypoint is how a line says by whom the runtime was started that has written it.
var entrypoint = []byte(`"entrypoint":"`)

// others returns the ids of the messages in the user's name that a runtime which is not ours has written since the last
// time, and whether it has written anything that belongs to the conversation. What cannot be read counts as nothing: a
// prompt must not fail for it.
func (g *growth) others() (messages map[session.TurnID]bool, any bool) {
	f, err := os.Open(g.at())
	if err != nil {
		return nil, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() == g.offset {
		return nil, false
	}
	if info.Size() < g.offset { // it was replaced
		g.offset = info.Size()
		return nil, true
	}
	if _, err := f.Seek(g.offset, io.SeekStart); err != nil {
		return nil, false
	}
	messages = map[session.TurnID]bool{}
	r := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return messages, any // a line without an end is looked at the next time
		}
		g.offset += int64(len(line))
		l, foreign := foreignLine(line)
		if !foreign {
			continue
		}
		any = true
		if l.Type == "user" {
			messages[session.TurnID(l.UUID)] = true
		}
	}
}

// storedLine is what tells where a line comes from.
type storedLine struct {
	Type       string `json:"type"`
	UUID       string `json:"uuid"`
	Sidechain  bool   `json:"isSidechain"`
	Entrypoint string `json:"entrypoint"`
}

// foreignLine reads a line that is part of the conversation and was written by a runtime that parley did not start. One that
// does not say who started it counts as ours.
func foreignLine(line []byte) (storedLine, bool) {
	var l storedLine
	if !bytes.Contains(line, entrypoint) || json.Unmarshal(line, &l) != nil || l.Sidechain {
		return l, false
	}
	said := l.Type == "user" || l.Type == "assistant"
	return l, said && l.Entrypoint != "" && l.Entrypoint != driver.Entrypoint
}
