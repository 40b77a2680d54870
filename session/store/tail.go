package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"parley/session"
)

// maxUncovered bounds the bytes of a journal after its summary, for which ReadTail works.
const maxUncovered = 1 << 20

// turnLine is the beginning of the line that begins a turn, with the line feed before it.
var turnLine = append([]byte{'\n'}, promptLine...)

// ReadTail returns the content of the whole lines within the last n bytes of a journal without locking it, nothing if no turn
// begins there. An unreadable or incomplete line, and a missing or old summary, are errors of kind [session.KindCorrupt].
func (s *Store) ReadTail(ctx context.Context, id session.ID, n int64) (session.Meta, session.Tail, error) {
	const op = "read the end of a journal"
	none := func(err error) (session.Meta, session.Tail, error) { return session.Meta{}, session.Tail{}, err }
	path, err := s.path(op, id)
	if err != nil {
		return none(err)
	}
	if err := ctx.Err(); err != nil {
		return none(problem(op, session.KindCancelled, err))
	}
	f, err := openJournal(op, path)
	if err != nil {
		return none(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return none(diskError(op, path, err))
	}
	sum, ok := loadSummary(summaryPath(path))
	size := info.Size()
	if !ok || sum.Size > size || size-sum.Size > maxUncovered {
		return none(problem(op, session.KindCorrupt, errors.New("its summary is missing or old")))
	}
	sum.Meta.ID = id
	sum = foldRest(sum, io.NewSectionReader(f, sum.Size, size-sum.Size))
	from := max(0, size-n)
	data := make([]byte, size-from)
	if _, err := f.ReadAt(data, from); err != nil && !errors.Is(err, io.EOF) {
		return none(diskError(op, path, err))
	}
	if from > 0 && !bytes.Contains(data, turnLine) { // a turn longer than n is found without decoding
		return fallbackTimes(sum.Meta, path), session.Tail{Size: size}, nil
	}
	events, err := decodeTail(data, from == 0)
	if err != nil {
		return none(problem(op, session.KindCorrupt, err))
	}
	before, ok := sum.Choices.before(events)
	if !ok {
		return none(problem(op, session.KindCorrupt, errors.New("it is not known what was chosen before")))
	}
	return fallbackTimes(sum.Meta, path), session.Tail{Events: events, Before: before, Todos: sum.Todos, Size: size, Whole: from == 0}, nil
}

// decodeTail decodes the lines at the end of a journal, all whole except the first. A whole journal begins with its header.
func decodeTail(data []byte, whole bool) ([]session.Event, error) {
	if !bytes.HasSuffix(data, []byte{'\n'}) {
		return nil, errors.New("its last line has no end")
	}
	first, rest, _ := bytes.Cut(data[:len(data)-1], []byte{'\n'})
	if _, ok := decodeHeader(first); whole && !ok {
		return nil, errors.New("its beginning cannot be read")
	}
	if len(rest) == 0 {
		return nil, nil
	}
	events, kinds := decodeAtOnce(bytes.Split(rest, []byte{'\n'}))
	for i, kind := range kinds {
		if kind != lineEvent {
			return nil, fmt.Errorf("line %d from its end cannot be read", len(kinds)-i)
		}
	}
	return events, nil
}
