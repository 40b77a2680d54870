package highlight

import (
	"bytes"
	"slices"
	"strings"
	"time"
)

// OpenBlock is a fenced block that is still being written, with provisional tokens of its finished lines from windows of its last
// lines. A line gets them once and keeps them until the fence is closed and the whole is lexed.
type OpenBlock struct {
	lang    string
	text    []byte // finished lines
	starts  []int  // where in text they begin
	bounds  []bool // by line with colors: whether a window may begin there
	toks    []Token
	done    int // lines with colors
	version int // changes when the results of running jobs must be dropped
	changes int // grows with every result
	asked   bool
	plain   bool // no lexer, or it failed
	last    time.Time
	owner   any
}

// The pace and the size of windows: one for each so many finished lines, or after some time. A long window, which lies within
// an endless comment, waits for an eighth of its lines.
const (
	WindowLines = 4
	WindowTime  = 250 * time.Millisecond
	windowBytes = 16 << 10
	windowBack  = 24 // lines searched for the beginning of a declaration
	nearLines   = 2  // lines that a shorter window must lex as before
)

// NewOpenBlock returns an empty block in a language, as written behind its fence.
func NewOpenBlock(lang string) *OpenBlock { return &OpenBlock{lang: lang} }

// Lang returns the language of NewOpenBlock.
func (g *OpenBlock) Lang() string { return g.lang }

// Colored returns how many of the first lines have their colors.
func (g *OpenBlock) Colored() int { return g.done }

// Tokens returns the tokens of the lines that have colors. The slice must not be changed.
func (g *OpenBlock) Tokens() []Token { return g.toks }

// Changes grows with every result.
func (g *OpenBlock) Changes() int { return g.changes }

// add adds finished lines.
func (g *OpenBlock) add(lines []byte) {
	for len(lines) > 0 {
		end := bytes.IndexByte(lines, '\n') + 1
		g.starts = append(g.starts, len(g.text))
		g.text = append(g.text, lines[:end]...)
		lines = lines[end:]
	}
}

// Line returns a finished line without its line feed.
func (g *OpenBlock) Line(i int) []byte {
	end := len(g.text)
	if i+1 < len(g.starts) {
		end = g.starts[i+1]
	}
	return g.text[g.starts[i] : end-1]
}

// begin returns the first line of the next window: the last unindented line that no token spans, which likely begins a
// declaration, or else the last line that no token spans.
func (g *OpenBlock) begin() int {
	best := 0
	for i := g.done - 1; i > 0; i-- {
		if !g.bounds[i] {
			continue
		}
		best = max(best, i)
		if l := g.Line(i); len(l) > 0 && !strings.ContainsRune(" \t})]", rune(l[0])) {
			return i
		}
		if g.done-i > windowBack {
			break
		}
	}
	return best
}

// RequestWindow requests the next window of a block if its time has come.
func (h *Highlighter) RequestWindow(g *OpenBlock) {
	delete(h.due, g)
	lines := len(g.starts) - g.done
	if h.at || g.plain || g.asked || lines <= 0 {
		return
	}
	g.owner = h.owner
	begin := g.begin()
	if next := g.last.Add(WindowTime); lines < max(WindowLines, (g.done-begin)/8) && h.now().Before(next) {
		h.due[g] = next
		return
	}
	from := g.starts[begin]
	if len(g.text)-from > windowBytes {
		return // plain until the fence
	}
	g.asked, g.last = true, h.now()
	r := &request{key: Key{Language: Language{Name: g.lang}}, code: string(g.text[from:]), round: h.round, block: g, version: g.version,
		from: from}
	r.near, r.known = g.near(begin)
	h.queue = append(h.queue, r)
}

// near returns a later line at which a window may begin, and the tokens known from there, both relative to the window; 0 if
// there is none.
func (g *OpenBlock) near(begin int) (at int, known []Token) {
	i := g.done - nearLines
	for i > begin && !g.bounds[i] {
		i--
	}
	if i <= begin {
		return 0, nil
	}
	from := g.starts[begin]
	for _, t := range g.toks {
		if int(t.End) > g.starts[i] {
			known = append(known, Token{t.End - int32(from), t.Kind})
		}
	}
	return g.starts[i] - from, known
}

// take accepts the result of a window and reports whether any line got its colors by it.
func (g *OpenBlock) take(l lexed) bool {
	if l.version != g.version {
		return false
	}
	g.asked = false
	if l.toks == nil {
		g.plain = true
		return false
	}
	covered := l.from + int(l.toks[len(l.toks)-1].End)
	at := g.covered()
	for _, t := range l.toks {
		if end := l.from + int(t.End); end > at {
			g.toks = append(g.toks, Token{int32(end), t.Kind})
			at = end
		}
	}
	first := g.done
	for g.done < len(g.starts) && g.starts[g.done] < covered {
		g.done++
		g.bounds = append(g.bounds, false)
	}
	for i, k := g.done-1, len(l.bounds)-1; i >= 0 && g.starts[i] > l.from+l.near; i-- {
		for k >= 0 && l.from+l.bounds[k] > g.starts[i] {
			k--
		}
		g.bounds[i] = k >= 0 && l.from+l.bounds[k] == g.starts[i]
	}
	g.changes++
	return g.done > first
}

// covered returns the end of the tokens.
func (g *OpenBlock) covered() int {
	if n := len(g.toks); n > 0 {
		return int(g.toks[n-1].End)
	}
	return 0
}

// Close drops pending results because the fence is closed and the whole is lexed.
func (g *OpenBlock) Close() { g.version++ }

// Finish adds the nth line, with its line feed, unless it is known.
func (g *OpenBlock) Finish(n int, line []byte) {
	if n >= len(g.starts) {
		g.add(line)
	}
}

// Set sets the finished lines, most of which are usually known.
func (g *OpenBlock) Set(code []byte) {
	if !bytes.HasPrefix(code, g.text) {
		*g = OpenBlock{lang: g.lang, version: g.version + 1, changes: g.changes + 1, last: g.last}
	}
	g.add(code[len(g.text):])
}

// LineTokens returns the tokens of a finished line, relative to it.
func (g *OpenBlock) LineTokens(i int) (toks []Token) {
	from := g.starts[i]
	end := from + len(g.Line(i))
	k, _ := slices.BinarySearchFunc(g.toks, from, func(t Token, at int) int { return int(t.End) - at })
	for ; k < len(g.toks); k++ {
		if to := min(int(g.toks[k].End), end); to > from {
			toks = append(toks, Token{int32(to - from), g.toks[k].Kind})
		}
		if int(g.toks[k].End) >= end {
			break
		}
	}
	return toks
}
