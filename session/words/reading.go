package words

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"strconv"

	"parley/session"
)

// Reading reads the lines of a file that grows, from where an earlier reading ended.
type Reading struct {
	// State is what whoever reads the lines has to know at the place from which the next reading begins.
	State string

	file io.ReaderAt
	at   int64  // behind the newest whole line
	line int64  // where the newest line begins
	held *place // where the next reading begins, nil: at at
}

// place is where a reading begins. Sum is of what stands before, so that a file that was written anew is known.
type place struct {
	At    int64  `json:"at"`
	Sum   string `json:"sum"`
	State string `json:"state,omitempty"`
}

// The bytes at the beginning of a file and before a place of which there is a sum.
const (
	headBytes = 1 << 10
	tailBytes = 4 << 10
)

// Resume returns a reading that begins at the place that an earlier one returned, "" for the beginning. The error is of kind
// [session.KindInvalid] if the file does not go on from there.
func Resume(f io.ReaderAt, after string) (*Reading, error) {
	r := &Reading{file: f}
	if after == "" {
		return r, nil
	}
	var p place
	err := json.Unmarshal([]byte(after), &p)
	if err == nil && p.At >= 0 {
		sum := ""
		if sum, err = r.sum(p.At); err == nil && sum == p.Sum {
			r.at, r.State = p.At, p.State
			return r, nil
		}
	}
	return nil, &session.Error{Op: "go on reading", Kind: session.KindInvalid, Err: errors.Join(errors.New("the file is not the one that was read before"), err)}
}

// Lines passes on the lines from the place on, as the function Lines does.
func (r *Reading) Lines(ctx context.Context, yield func(line []byte) bool) (read int64, err error) {
	from := r.at
	return lines(ctx, io.NewSectionReader(r.file, from, maxRead+maxLine), func(line []byte, start, end int64, whole bool) bool {
		r.line = from + start
		before := *r
		goOn := yield(line)
		if whole {
			r.at = from + end
		} else {
			*r = before // it is read again
		}
		return goOn
	}, func(end int64) { r.at = from + end })
}

// Hold lets the next reading begin with the newest line, because more may come that belongs to it. Release takes that back.
func (r *Reading) Hold() { r.held = &place{At: r.line, State: r.State} }

// Release lets the next reading begin behind the newest line.
func (r *Reading) Release() { r.held = nil }

// Place returns where the next reading begins, "" for the beginning.
func (r *Reading) Place() string {
	p := place{At: r.at, State: r.State}
	if r.held != nil {
		p = *r.held
	}
	var err error
	if p.Sum, err = r.sum(p.At); err != nil || p.At == 0 {
		return ""
	}
	out, _ := json.Marshal(p) // numbers and strings
	return string(out)
}

// sum returns the sum of what stands before a place.
func (r *Reading) sum(at int64) (string, error) {
	h := fnv.New64a()
	for _, part := range [][2]int64{{0, min(at, headBytes)}, {max(0, at-tailBytes), at}} {
		var b bytes.Buffer
		n, err := io.Copy(&b, io.NewSectionReader(r.file, part[0], part[1]-part[0]))
		if err != nil {
			return "", err
		}
		if n < part[1]-part[0] {
			return "", io.ErrUnexpectedEOF
		}
		h.Write(b.Bytes())
	}
	return strconv.FormatUint(h.Sum64(), 36), nil
}
