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

// foreignLines reads the lines that other programs add to the transcript of a session after our runtime has read it: the
// user may continue the session in Claude Code itself. It is not safe for concurrent use.
type foreignLines struct {
	find   func() string // searches every project for the transcript; "" if there is none
	path   string        // once it is found
	offset int64         // of the first line that was not read
}

// foreignLines starts at the end of the transcript of a session.
func (a *Agent) foreignLines(id string) *foreignLines {
	f := &foreignLines{find: func() string {
		if found := a.transcriptsOf(session.ID(id)); len(found) > 0 {
			return found[0]
		}
		return ""
	}}
	if info, err := os.Stat(f.locate()); err == nil {
		f.offset = info.Size()
	}
	return f
}

// locate returns the path of the transcript, "" if there is none.
func (f *foreignLines) locate() string {
	if f.path == "" {
		f.path = f.find()
	}
	return f.path
}

// entrypoint begins the field of a line that names the program that started its runtime.
var entrypoint = []byte(`"entrypoint":"`)

// read returns the ids of the user messages that other programs wrote since the last call, and whether they wrote anything
// of the conversation. A read error counts as nothing, so that no prompt fails for it.
func (f *foreignLines) read() (messages map[session.TurnID]bool, found bool) {
	file, err := os.Open(f.locate())
	if err != nil {
		return nil, false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() == f.offset {
		return nil, false
	}
	if info.Size() < f.offset { // the file was replaced
		f.offset = info.Size()
		return nil, true
	}
	if _, err := file.Seek(f.offset, io.SeekStart); err != nil {
		return nil, false
	}
	messages = map[session.TurnID]bool{}
	r := bufio.NewReaderSize(file, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return messages, found // an incomplete line is read the next time
		}
		f.offset += int64(len(line))
		l, foreign := foreignLine(line)
		if !foreign {
			continue
		}
		found = true
		if l.Type == "user" {
			messages[session.TurnID(l.UUID)] = true
		}
	}
}

// storedLine holds the fields that show the origin of a line.
type storedLine struct {
	Type       string `json:"type"`
	UUID       string `json:"uuid"`
	Sidechain  bool   `json:"isSidechain"`
	Entrypoint string `json:"entrypoint"`
}

// foreignLine decodes a line and reports whether it is part of the conversation and of a runtime that parley did not
// start. A line without an entrypoint counts as ours.
func foreignLine(line []byte) (storedLine, bool) {
	var l storedLine
	if !bytes.Contains(line, entrypoint) || json.Unmarshal(line, &l) != nil || l.Sidechain {
		return l, false
	}
	isMessage := l.Type == "user" || l.Type == "assistant"
	return l, isMessage && l.Entrypoint != "" && l.Entrypoint != driver.Entrypoint
}
