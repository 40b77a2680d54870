package words

import (
	"context"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"strconv"

	"parley/session"
)

// Reading reads the lines of a file that grows, from where an earlier reading ended.
type Reading struct {
	// State is what whoever reads the lines has to know at the place from which the next reading begins.
	State string

	file io.ReaderAt
	at   int64 // behind the newest whole line
	line int64 // where the newest line begins
	end  int64 // of all that was read
	sum  sum   // of what stands before the end
	hold bool  // the next reading begins at held, with its state
	held int64
	with string
}

// place is where a reading begins. Sum is of all that stood before the end of the earlier one, so that a file that was changed there is known.
type place struct {
	At    int64  `json:"at"`
	End   int64  `json:"end"`
	Sum   string `json:"sum"`
	State string `json:"state,omitempty"`
}

// sum is two sums of 32 bits with polynomials that have no divisor in common: 64 bits, at several times the speed of one such sum.
type sum struct{ castagnoli, ieee uint32 }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (s *sum) add(b []byte) {
	s.castagnoli, s.ieee = crc32.Update(s.castagnoli, castagnoli, b), crc32.Update(s.ieee, crc32.IEEETable, b)
}

func (s sum) String() string { return strconv.FormatUint(uint64(s.castagnoli)<<32|uint64(s.ieee), 36) }

// Resume returns a reading that begins at the place that an earlier one returned, "" for the beginning. It reads what that one read.
// The error is of kind [session.KindInvalid] if the file does not have that any more.
func Resume(ctx context.Context, f io.ReaderAt, after string) (*Reading, error) {
	r := &Reading{file: f}
	if after == "" {
		return r, nil
	}
	var p place
	err := json.Unmarshal([]byte(after), &p)
	if err == nil && p.At >= 0 && p.End >= p.At {
		if err = r.check(ctx, p); err == nil {
			return r, nil
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, &session.Error{Op: "go on reading", Kind: session.KindInvalid, Err: errors.Join(errors.New("the file is not the one that was read before"), err)}
}

// check goes to a place if what was read before is still there.
func (r *Reading) check(ctx context.Context, p place) error {
	if _, err := r.file.ReadAt(make([]byte, 1), max(0, p.End-1)); err != nil { // it is shorter
		return err
	}
	if err := r.pass(ctx, p.At); err != nil {
		return err
	}
	all := *r
	if err := all.pass(ctx, p.End); err != nil {
		return err
	}
	if all.sum.String() != p.Sum {
		return errors.New("it was changed")
	}
	r.at, r.State = p.At, p.State
	return nil
}

// pass adds what stands between the end and another one to the sum.
func (r *Reading) pass(ctx context.Context, end int64) error {
	b := make([]byte, min(end-r.end, 256<<10))
	for r.end < end {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.file.ReadAt(b[:min(int64(len(b)), end-r.end)], r.end)
		if r.add(b[:n]); r.end < end && err != nil {
			return err
		}
	}
	return nil
}

func (r *Reading) add(b []byte) {
	r.sum.add(b)
	r.end += int64(len(b))
}

// Lines passes on the lines from the place on, as the function Lines does.
func (r *Reading) Lines(ctx context.Context, yield func(line []byte) bool) (read int64, err error) {
	from := r.at
	return lines(ctx, io.NewSectionReader(r.file, from, maxRead+maxLine), r.add, func(line []byte, end int64, whole bool) bool {
		r.line = r.at
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
func (r *Reading) Hold() { r.hold, r.held, r.with = true, r.line, r.State }

// Release lets the next reading begin behind the newest line.
func (r *Reading) Release() { r.hold = false }

// Place returns where the next reading begins, "" for the beginning if nothing was read.
func (r *Reading) Place() string {
	p := place{At: r.at, End: r.end, Sum: r.sum.String(), State: r.State}
	if r.hold {
		p.At, p.State = r.held, r.with
	}
	if p.End == 0 {
		return ""
	}
	out, _ := json.Marshal(p) // numbers and strings
	return string(out)
}
