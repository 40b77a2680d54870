package store

import (
	"bytes"
	"context"
	"encoding/json"

	"parley/session"
	"parley/session/words"
)

// The beginnings of the lines that have texts, and of one that says which parts are reasoning.
var (
	deltaLine    = []byte(`{"type":"part_delta"`)
	replacedLine = []byte(`{"type":"part_replaced"`)
	startedLine  = []byte(`{"type":"part_started"`)
	steeredLine  = []byte(`{"type":"steered"`)
	readyLine    = []byte(`{"type":"tool_ready"`)
	endedLine    = []byte(`{"type":"tool_ended"`)
	textField    = []byte(`,"text":"`)
	partField    = []byte(`,"part":"`)
	childField   = []byte(`,"child":"`)
	reasoning    = []byte(`,"kind":"reasoning"`)
)

// Texts passes on what was said in a session without locking it; see [session.TextReader]. What child agents said and did is left out.
func (s *Store) Texts(ctx context.Context, id session.ID, want session.TextQuery, yield func(session.Text) bool) (session.TextsRead, error) {
	const op = "search session"
	path, err := s.path(op, id)
	if err != nil {
		return session.TextsRead{}, err
	}
	f, err := openJournal(op, path)
	if err != nil {
		return session.TextsRead{}, err
	}
	defer f.Close()
	r, err := words.Resume(ctx, f, want.After)
	if err != nil {
		return session.TextsRead{}, err
	}
	t := texts{TextQuery: want, yield: yield, reading: r}
	read, err := r.Lines(ctx, t.line)
	if err != nil {
		return session.TextsRead{Bytes: read}, diskError(op, path, err)
	}
	return session.TextsRead{Bytes: read, Place: r.Place()}, nil
}

// texts finds the texts in the lines of a journal.
type texts struct {
	session.TextQuery
	yield   func(session.Text) bool
	reading *words.Reading // its state is the newest part with reasoning
	last    []byte         // the part of the text before
}

// line handles a line, and reports whether more are wanted.
func (t *texts) line(line []byte) bool {
	switch {
	case t.Tools && !bytes.HasPrefix(line, readyLine) && !bytes.HasPrefix(line, endedLine):
	case bytes.HasPrefix(line, deltaLine):
		return t.piece(line)
	case bytes.HasPrefix(line, startedLine):
		if bytes.HasSuffix(bytes.TrimRight(line, "}"), reasoning) {
			t.reading.State = string(field(line, partField))
		}
	case bytes.HasPrefix(line, replacedLine):
		t.last = t.last[:0] // it is a text of its own
		return t.Skips(line) || t.piece(line)
	case bytes.HasPrefix(line, promptLine), bytes.HasPrefix(line, steeredLine):
		return t.Skips(line) || t.prompt(line)
	case bytes.HasPrefix(line, readyLine), bytes.HasPrefix(line, endedLine):
		return t.Skips(line) || t.tool(line)
	}
	return true
}

// piece passes on a piece of an answer.
func (t *texts) piece(line []byte) bool {
	part := field(line, partField)
	at := bytes.Index(line, textField)
	if at < 0 || bytes.Contains(line[:at], reasoning) || string(part) == t.reading.State || bytes.Contains(line[:at], childField) {
		return true
	}
	text := field(line, textField)
	if bytes.IndexByte(text, '\\') >= 0 {
		var plain string
		if json.Unmarshal(line[at+len(textField)-1:at+len(textField)+len(text)+1], &plain) != nil {
			return true
		}
		text = []byte(plain)
	}
	goesOn := len(t.last) > 0 && bytes.Equal(part, t.last)
	t.last = append(t.last[:0], part...)
	if !goesOn {
		t.reading.Hold()
	}
	return t.yield(session.Text{GoesOn: goesOn, Bytes: text})
}

// prompt passes on a prompt.
func (t *texts) prompt(line []byte) bool {
	e, verdict := decodeLine(new(session.Decoder), line)
	if verdict != lineEvent || e.Header().Child != "" {
		return true
	}
	text := ""
	switch e := e.(type) {
	case session.TurnStarted:
		if e.Origin != session.OriginAutonomous {
			text = e.Prompt.Text
		}
	case session.Steered:
		if e.Said != nil {
			text = e.Said.Text
		}
	}
	t.ends()
	return text == "" || t.yield(session.Text{Prompt: true, Bytes: []byte(text)})
}

// tool passes on the input or the result of a tool call.
func (t *texts) tool(line []byte) bool {
	if t.Spoken && !bytes.Contains(line, childField) {
		t.ends()
		return true
	}
	e, verdict := decodeLine(new(session.Decoder), line)
	if verdict != lineEvent || e.Header().Child != "" {
		return true
	}
	t.ends()
	var text []byte
	switch e := e.(type) {
	case session.ToolReady:
		text = words.Strings(e.Input)
	case session.ToolEnded:
		text = []byte(e.Result.Text)
	}
	return len(text) == 0 || t.Spoken || t.yield(session.Text{Tool: true, Bytes: text})
}

// ends ends the answer before, so that what follows is not joined to it.
func (t *texts) ends() {
	t.last = t.last[:0]
	t.reading.Release()
}

// field returns the value of the first field of a line with a name, as JSON spells it, nil if there is none.
func field(line, name []byte) []byte {
	at := bytes.Index(line, name)
	if at < 0 {
		return nil
	}
	rest := line[at+len(name):]
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '"':
			return rest[:i]
		}
	}
	return nil
}
