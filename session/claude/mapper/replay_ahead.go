package mapper

import (
	"sync"

	"parley/internal/crash"
	"parley/session/claude/transcript"
)

// resultsAhead are tool results that are read in parallel, by entry and index of the block. Reading them takes half of the
// time of a replay and needs nothing that comes before them.
type resultsAhead map[*transcript.Entry][]resultAhead

// resultAhead is one result, read for one tool.
type resultAhead struct {
	tool    string
	reading toolReading
	ok      bool
}

// minAhead is the number of entries from which results are read in parallel.
const minAhead = 512

// readAhead reads the results in a conversation with that many goroutines. names are the tools by call.
func readAhead(entries []transcript.Entry, names map[string]string, workers int) resultsAhead {
	found := make([][]resultAhead, len(entries))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(crash.Guarded(func() {
			// Interleaved, because the longest results are often neighbors.
			for i := w; i < len(entries); i += workers {
				found[i] = resultsIn(&entries[i], names)
			}
		}))
	}
	wg.Wait()
	ahead := resultsAhead{}
	for i, results := range found {
		if results != nil {
			ahead[&entries[i]] = results
		}
	}
	return ahead
}

// resultsIn reads the results in an entry, nil if there are none.
func resultsIn(e *transcript.Entry, names map[string]string) (out []resultAhead) {
	// A malformed result fails again in the replay, which counts it.
	defer func() { _ = recover() }()
	for i, b := range e.Blocks {
		if b.Type != "tool_result" {
			continue
		}
		if out == nil {
			out = make([]resultAhead, len(e.Blocks))
		}
		tool := names[b.ToolUseID]
		out[i] = resultAhead{tool, readStored(resultLine(e, ""), blockFrom(b), tool, false), true}
	}
	return out
}

// resultLine returns the fields of a live line that a result needs.
func resultLine(e *transcript.Entry, child string) line {
	return line{Type: "user", ParentID: child, ToolUseResult: e.Result}
}

// reader returns the reader of the result at an index of an entry. It uses the result read ahead if tool and denial match,
// and the other reader if not.
func (a resultsAhead) reader(e *transcript.Entry, at int, otherwise resultReader) resultReader {
	return func(l line, b block, tool string, denied bool) toolReading {
		if results := a[e]; at < len(results) && results[at].ok && results[at].tool == tool && !denied {
			return results[at].reading
		}
		return otherwise(l, b, tool, denied)
	}
}
