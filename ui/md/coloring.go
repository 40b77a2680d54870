package md

import (
	"bytes"

	"github.com/yuin/goldmark/text"

	"parley/ui/md/highlight"
)

// coloring finds the colors of code, and requests those that are unknown.
type coloring struct {
	highlighter *highlight.Highlighter // nil leaves code plain

	from    int                          // where the source that is laid out begins in the document
	ended   bool                         // every block in it is closed
	blocks  map[int]*highlight.OpenBlock // blocks that were written live, by where their code begins; nil for a whole document
	open    *highlight.OpenBlock         // the one that is still being written
	missing []highlight.Key              // code drawn without the colors it will have
}

// begin starts the layout of source that begins at an offset of the document.
func (c *coloring) begin(from int, ended bool) {
	c.from, c.ended, c.missing = from, ended, c.missing[:0]
}

// blockTokens returns the known tokens of a code block, of one that is still being written those of its finished lines.
func (c *coloring) blockTokens(lines *text.Segments, src []byte, lang string) []highlight.Token {
	if c.highlighter == nil || lang == "" || lines.Len() == 0 {
		return nil
	}
	last := lines.At(lines.Len() - 1)
	at := c.from + lines.At(0).Start
	if c.blocks != nil && !c.ended && bytes.IndexByte(src[last.Stop:], '\n') < 0 {
		finished := lines.Len()
		if src[last.Stop-1] != '\n' {
			finished--
		}
		c.open = c.openBlock(at, lang)
		c.open.Set(blockCode(lines, finished, src))
		return c.open.Tokens()
	}
	return c.wholeTokens(at, lang, blockCode(lines, lines.Len(), src))
}

// blockCode returns the first n lines of a code block.
func blockCode(lines *text.Segments, n int, src []byte) (code []byte) {
	for i := range n {
		s := lines.At(i)
		code = append(code, s.Value(src)...)
	}
	return code
}

// wholeTokens returns the tokens of a closed block, and until they are known those from the time when it grew.
func (c *coloring) wholeTokens(at int, lang string, code []byte) []highlight.Token {
	if len(code) > 0 && code[len(code)-1] != '\n' {
		code = append(code[:len(code):len(code)], '\n')
	}
	g := c.blocks[at]
	toks, known := c.tokens(highlight.Language{Name: lang}, code, false)
	if known {
		delete(c.blocks, at)
		return toks
	}
	if g == nil {
		return nil
	}
	g.Close()
	return g.Tokens()
}

// openBlock returns the state of a block that is being written; at is where in the document its code begins.
func (c *coloring) openBlock(at int, lang string) *highlight.OpenBlock {
	g := c.blocks[at]
	if g == nil || g.Lang() != lang {
		g = highlight.NewOpenBlock(lang)
		c.blocks[at] = g
	}
	return g
}

// tokens returns the tokens of some code and whether they are known. Otherwise it requests them and records that.
func (c *coloring) tokens(l highlight.Language, code []byte, later bool) (toks []highlight.Token, known bool) {
	if c.highlighter == nil || l.Name == "" || len(code) == 0 || len(code) > highlight.MaxBytes {
		return nil, true
	}
	toks, key, known := c.highlighter.Tokens(l, code, later)
	if !known {
		c.missing = append(c.missing, key)
	}
	return toks, known
}

// headLines is the number of lines of a file or hunk that are lexed first, because they are likely visible.
const headLines = 100

// fileTokens returns the tokens of code by the name of its file: all of them, those of the first lines, or none yet.
func (c *coloring) fileTokens(name string, code []byte) []highlight.Token {
	l := highlight.Language{Name: name, File: true}
	head := lineEnd(code, headLines)
	if head == len(code) {
		toks, _ := c.tokens(l, code, false)
		return toks
	}
	if toks, known := c.tokens(l, code, true); known {
		return toks
	}
	toks, _ := c.tokens(l, code[:head], false)
	return toks
}

// lineEnd returns where the first n lines of some text end.
func lineEnd(s []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		i := bytes.IndexByte(s[at:], '\n')
		if i < 0 {
			return len(s)
		}
		at += i + 1
	}
	return at
}
