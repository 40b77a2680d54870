package archive

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/copilot/mapper"
	"parley/session/copilot/protocol"
)

// Tail returns the events of about the last n bytes of a stored session; see [session.Tailer]. Of the bytes before, it decodes
// only the lines that change the choices or the task list. It fails with kind [session.KindUnsupported] if a child agent that
// began before is still at work, and with kind [session.KindCorrupt] for damage.
func (a *Archive) Tail(ctx context.Context, id session.ID, n int64) (session.Tail, error) {
	const op = "read the end of a session"
	dir, err := a.find(id)
	if err != nil {
		return session.Tail{}, err
	}
	f, info, err := safefs.OpenFile(filepath.Join(dir, eventsFile), safefs.NoLinks)
	if os.IsNotExist(err) {
		return session.Tail{}, notFound(id)
	}
	if err != nil {
		return session.Tail{}, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	defer f.Close()
	from := max(0, info.Size()-n)
	before, from, err := stateBefore(ctx, f, from)
	if err != nil {
		return session.Tail{}, &session.Error{Op: op, Kind: kindOf(err), Err: err}
	}
	lines, err := wholeLines(ctx, f, from, info.Size())
	if err != nil {
		return session.Tail{}, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	events, damaged := parseAll(lines)
	if damaged > 0 {
		return session.Tail{}, &session.Error{Op: op, Kind: session.KindCorrupt, Err: fmt.Errorf("%d lines are damaged", damaged)}
	}
	end, ok := mapper.ReplayEnd(id, before, events)
	if !ok {
		return session.Tail{}, &session.Error{Op: op, Kind: session.KindUnsupported, Err: errors.New("a child agent began before and is still at work")}
	}
	return session.Tail{Events: end.Events, Before: end.Before, Todos: end.Todos, Size: info.Size(), Whole: from == 0}, nil
}

// errShape is the cause of an error about lines that do not begin with their type, as they do in newer runtimes.
var errShape = errors.New("its lines have another shape")

func kindOf(err error) session.Kind {
	if errors.Is(err, errShape) {
		return session.KindUnsupported
	}
	return session.KindDisk
}

// maxBefore bounds the lines before the end that are decoded, in bytes.
const maxBefore = 16 << 20

// stateBefore returns the events up to about a position that change the choices or the task list, and the end of the line at
// that position.
func stateBefore(ctx context.Context, f *os.File, until int64) ([]protocol.Event, int64, error) {
	if until == 0 {
		return nil, 0, nil
	}
	r := bufio.NewReaderSize(io.NewSectionReader(f, 0, 1<<62), 256<<10)
	var state []protocol.Event
	asked := map[string]bool{} // calls that change the task list
	read, kept := int64(0), 0
	for read < until {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		begin, err := r.Peek(peekBytes)
		if len(begin) == 0 {
			return state, read, nil // the file ended meanwhile
		}
		if err != nil && err != io.EOF {
			return nil, 0, err
		}
		if !bytes.HasPrefix(begin, []byte(`{"type":"`)) {
			return nil, 0, errShape
		}
		wanted := changesState(begin, asked)
		line, err := readLine(r, wanted)
		read += line.size
		if err == io.EOF {
			return state, read, nil
		}
		if err != nil {
			return nil, 0, err
		}
		if !wanted {
			continue
		}
		if kept += len(line.data); kept > maxBefore {
			return nil, 0, errShape
		}
		if e, ok := parse(line.data); ok && mapper.IsState(e) {
			if call := mapper.TodoCall(e); call != "" {
				asked[call] = true
			}
			state = append(state, e)
		}
	}
	return state, read, nil
}

// peekBytes is the size of the beginning of a line that decides whether it is decoded.
const peekBytes = 512

// Beginnings of the lines that may change the choices or the task list.
var (
	sessionLine  = []byte(`{"type":"session.`)
	startLine    = []byte(`{"type":"tool.execution_start"`)
	completeLine = []byte(`{"type":"tool.execution_complete","data":{"toolCallId":"`)
)

// changesState reports whether a line with that beginning may change the choices or the task list.
func changesState(begin []byte, asked map[string]bool) bool {
	switch {
	case bytes.HasPrefix(begin, sessionLine):
		rest := begin[len(sessionLine):]
		return bytes.HasPrefix(rest, []byte("start")) || bytes.HasPrefix(rest, []byte("resume")) || bytes.HasPrefix(rest, []byte("mod"))
	case bytes.HasPrefix(begin, startLine):
		line, _, _ := bytes.Cut(begin, []byte("\n"))
		return bytes.Contains(line, []byte(`"toolName":"sql"`)) || bytes.Contains(line, []byte(`"toolName":"update_todo"`))
	case bytes.HasPrefix(begin, completeLine):
		call, _, _ := bytes.Cut(begin[len(completeLine):], []byte(`"`))
		return asked[string(call)]
	}
	return false
}

// rawLine is a line, of which the data are there only if they were wanted.
type rawLine struct {
	data []byte
	size int64
}

// readLine reads a line with its end.
func readLine(r *bufio.Reader, wanted bool) (l rawLine, err error) {
	for {
		part, err := r.ReadSlice('\n')
		l.size += int64(len(part))
		if wanted && len(l.data)+len(part) <= maxLine {
			l.data = append(l.data, part...)
		}
		if err != bufio.ErrBufferFull {
			return l, err
		}
	}
}
