package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"parley/internal/human"
	"parley/internal/jsonedit"
	"parley/internal/safefs"
	"parley/session"
)

// Fork copies the conversation at path, up to and including the line upTo, into a new transcript in a folder and returns
// the new session's id. Like the SDK it gives every line a new uuid and its source, and "(fork)" to the title, where it counts. It does
// not copy child agents and file checkpoints. The file appears complete or not at all, readable only by the user.
func Fork(ctx context.Context, path, folder, upTo, title string) (string, error) {
	const op = "fork session"
	f := Open(path)
	if _, err := f.Update(ctx); err != nil {
		return "", err
	}
	order := f.order(false)
	end := -1
	for n, i := range order {
		if f.lines[i].uuid == upTo {
			end = n
		}
	}
	if end < 0 {
		return "", &session.Error{Op: op, Kind: session.KindNotFound, Err: fmt.Errorf("%s has no line %s", filepath.Base(path), upTo)}
	}
	order = f.closed(order, end)
	source := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	id := uuid.NewString()
	data, err := f.copyLines(order, source, id)
	if err != nil {
		return "", &session.Error{Op: op, Kind: session.KindInternal, Err: err}
	}
	if title = strings.TrimSpace(title); title != "" {
		last, err := json.Marshal(map[string]string{"type": "custom-title", "customTitle": human.Fork(oneLine(title)), "sessionId": id})
		if err != nil {
			return "", &session.Error{Op: op, Kind: session.KindInternal, Err: err}
		}
		data = append(append(data, last...), '\n')
	}
	if err := ctx.Err(); err != nil {
		return "", &session.Error{Op: op, Kind: session.KindCancelled, Err: err}
	}
	if err := safefs.WriteFileSync(filepath.Join(folder, id+".jsonl"), data); err != nil {
		return "", diskError(op, err)
	}
	return id, nil
}

// closed returns the lines up to position end with later results of calls before it. The results come before the last line,
// where the conversation continues.
func (f *File) closed(order []int, end int) []int {
	kept := map[string]bool{}
	for _, i := range order[:end+1] {
		kept[f.lines[i].uuid] = true
	}
	out := order[:end:end]
	for _, i := range order[end+1:] {
		if l := &f.lines[i]; l.kind == user && l.source != "" && kept[l.source] {
			out = append(out, i)
		}
	}
	return append(out, order[end])
}

// copyLines writes the lines under the id of another session.
func (f *File) copyLines(order []int, source, id string) ([]byte, error) {
	renamed := make(map[string]string, len(order))
	for _, i := range order {
		renamed[f.lines[i].uuid] = uuid.NewString()
	}
	var out bytes.Buffer
	previous := ""
	for _, i := range order {
		l := &f.lines[i]
		fresh := map[string]any{"uuid": renamed[l.uuid], "sessionId": id,
			"forkedFrom": map[string]string{"sessionId": source, "messageUuid": l.uuid}}
		for key, old := range map[string]string{"parentUuid": l.parent, "logicalParentUuid": l.logical, "sourceToolAssistantUUID": l.source} {
			switch to, ok := renamed[old]; {
			case old == "":
			case ok:
				fresh[key] = to
			case key == "parentUuid" && previous != "":
				fresh[key] = renamed[previous] // its own parent was damaged
			default:
				fresh[key] = nil
			}
		}
		line, err := rewrite(l.data, fresh)
		if err != nil {
			return nil, err
		}
		out.Write(append(line, '\n'))
		previous = l.uuid
	}
	return out.Bytes(), nil
}

// rewrite replaces or adds members of a JSON object that is not empty, and keeps every other byte: signatures of reasoning
// must not change.
func rewrite(data []byte, fresh map[string]any) ([]byte, error) {
	var edits []jsonedit.Edit
	s := jsonedit.Scan(data)
	for more := s.TopObject(); more; more = s.NextMember() {
		key := s.String(s.Key())
		at := s.Value()
		value, ok := fresh[key]
		if !ok {
			continue
		}
		b, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		edits = append(edits, jsonedit.Edit{Span: at, Text: string(b)})
		delete(fresh, key)
	}
	if s.End() != nil {
		return nil, errors.New("a line is not a JSON object")
	}
	end := bytes.LastIndexByte(data, '}')
	for _, key := range []string{"uuid", "sessionId", "parentUuid", "logicalParentUuid", "sourceToolAssistantUUID", "forkedFrom"} {
		value, ok := fresh[key]
		if !ok || value == nil {
			continue
		}
		b, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		edits = append(edits, jsonedit.Edit{Span: jsonedit.Span{From: end, To: end}, Text: `,"` + key + `":` + string(b)})
	}
	return jsonedit.Apply(data, edits), nil
}
