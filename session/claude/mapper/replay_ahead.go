package mapper

import (
	"sync"

	"parley/session/claude/transcript"
)

// resultsAhead are results of calls that were read before their turn came, by the entry that holds them and by their
// place in it. Reading them takes half of the time of a replay and needs nothing of what comes before them.
type resultsAhead map[*transcript.Entry][]resultAhead

// resultAhead is one of them. It counts only for the tool it was read for.
type resultAhead struct {
	name string
	said resultSaid
	ok   bool
}

// worthAhead is how many entries a conversation has at least for it to be read by several processors at once.
const worthAhead = 512

// readAhead reads the results in a conversation with so many processors, as those of the tools that these calls name.
func readAhead(entries []transcript.Entry, names map[string]string, workers int) resultsAhead {
	found := make([][]resultAhead, len(entries))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			// In turns and not in halves: the longest results often stand together.
			for i := w; i < len(entries); i += workers {
				found[i] = resultsIn(&entries[i], names)
			}
		})
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
	// What cannot be read fails again when its turn comes, where that is counted.
	defer func() { _ = recover() }()
	for i, b := range e.Blocks {
		if b.Type != "tool_result" {
			continue
		}
		if out == nil {
			out = make([]resultAhead, len(e.Blocks))
		}
		name := names[b.ToolUseID]
		out[i] = resultAhead{name, readResult(resultLine(e, ""), blockFrom(b), name, false), true}
	}
	return out
}

// resultLine is the line that brings the results in an entry, as far as they are concerned.
func resultLine(e *transcript.Entry, child string) line {
	return line{Type: "user", ParentID: child, ToolUseResult: e.Result}
}

// reader returns what reads the result at a place of an entry: what was read ahead, if that is the same.
func (a resultsAhead) reader(e *transcript.Entry, at int) resultReader {
	return func(l line, b block, name string, denied bool) resultSaid {
		if results := a[e]; at < len(results) && results[at].ok && results[at].name == name && !denied {
			return results[at].said
		}
		return readResult(l, b, name, denied)
	}
}
