package files

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/internal/fuzzy"
)

// Match is a path that fits a query.
type Match struct {
	// Path is relative to the directory, with slashes; that of a directory ends with one.
	Path string
	// Dir reports whether it is a directory.
	Dir bool
	// Spans are the bytes of Path that fit the query, in their order.
	Spans [][2]int
}

// Found is the answer to a query.
type Found struct {
	// Matches are the best ones, the best first.
	Matches []Match
	// Total is the number of all that fit.
	Total int
	// Complete reports whether everything was searched: no first walk is under way.
	Complete bool
}

// Find returns the limit best paths for a query: those that have its letters in their order, better where they begin
// words and names, stand in a row, or are in the name itself. Among equals the shorter path is better. A query without
// letters gives what is nearest to the top. Capitals count little. It takes some milliseconds for 100,000 paths, so it is
// not for the event loop; when ctx ends it returns the context's error.
func (f *Finder) Find(ctx context.Context, query string, limit int) (Found, error) {
	x, complete := f.snapshot()
	query = strings.TrimPrefix(strings.ReplaceAll(query, `\`, "/"), "./")
	s := fuzzy.New(query)
	letters := lettersOf(s.Folded())
	t := top{limit: max(limit, 0)}
	found := Found{Complete: complete}
	var buf []byte
	for i := range x.entries {
		if i&0xfff == 0 && ctx.Err() != nil {
			return Found{}, ctx.Err()
		}
		e := &x.entries[i]
		if e.letters&letters != letters {
			continue
		}
		var base int
		buf, base = x.path(buf, int32(i))
		score, ok := s.Score(buf, base)
		if !ok {
			continue
		}
		found.Total++
		t.offer(hit{score, len(buf), int32(i)})
	}
	for _, h := range t.sorted() {
		path, base := x.path(buf, h.entry)
		buf = path
		s.Score(path, base)
		found.Matches = append(found.Matches, Match{string(path), x.entries[h.entry].dir, spans(path, s.At())})
	}
	return found, nil
}

// spans joins the places of letters that stand in a row. Bytes are compared, so it may be a part of a character that fits;
// the span is of the whole character then.
func spans(path []byte, at []int) (all [][2]int) {
	for _, i := range at {
		from, to := i, i+1
		for from > 0 && !utf8.RuneStart(path[from]) {
			from--
		}
		for to < len(path) && !utf8.RuneStart(path[to]) {
			to++
		}
		if n := len(all); n > 0 && all[n-1][1] >= from {
			all[n-1][1] = max(all[n-1][1], to)
			continue
		}
		all = append(all, [2]int{from, to})
	}
	return all
}

// hit is an entry that fits.
type hit struct {
	score, length int
	entry         int32
}

// compare is below zero if h is better.
func (h hit) compare(g hit) int {
	switch {
	case h.score != g.score:
		return g.score - h.score
	case h.length != g.length && h.score > 0:
		return h.length - g.length
	}
	return int(h.entry) - int(g.entry)
}

// top keeps the best hits. It lets twice as many as it needs come together before it drops the worse half.
type top struct {
	limit int
	hits  []hit
	worst hit // of the kept half, once there was too much
	some  bool
}

func (t *top) offer(h hit) {
	if t.limit == 0 || t.some && h.compare(t.worst) > 0 {
		return
	}
	t.hits = append(t.hits, h)
	if len(t.hits) >= 2*t.limit+16 {
		t.sorted()
		t.worst, t.some = t.hits[len(t.hits)-1], true
	}
}

func (t *top) sorted() []hit {
	slices.SortFunc(t.hits, hit.compare)
	t.hits = t.hits[:min(len(t.hits), t.limit)]
	return t.hits
}
