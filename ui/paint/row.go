package paint

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// rowReader converts rows of styled text to cells. It is used by one goroutine.
type rowReader struct {
	parser  *ansi.Parser
	method  ansi.Method // how wide the terminal draws a character
	profile colorprofile.Profile
}

func newRowReader(profile colorprofile.Profile) *rowReader {
	p := ansi.NewParser()
	p.SetParamsSize(64)
	p.SetDataSize(4096)
	return &rowReader{parser: p, method: ansi.WcWidth, profile: profile}
}

// read fills the line with the row. It drops control sequences except for SGR and hyperlinks, cuts what does not fit and
// fills a short row with blanks. It returns the first cell whose width is doubtful, or else the width of the line.
func (r *rowReader) read(row string, line uv.Line) (drift int) {
	drift = len(line)
	row = strings.ToValidUTF8(row, "\ufffd")
	for i := range line {
		line[i] = uv.EmptyCell
	}
	var (
		raw   uv.Style // as the row has it
		style uv.Style // with the colours that the terminal has
		link  uv.Link
		state byte
		x     int
		last  = -1 // the cell written last, to which a combining mark belongs
	)
	for len(row) > 0 && x < len(line) {
		if isPlain(row) {
			line[x] = uv.Cell{Content: row[:1], Width: 1, Style: style, Link: link}
			last, x, row = x, x+1, row[1:]
			continue
		}
		seq, width, n, next := r.decode(row, state)
		switch {
		case !isText(seq):
			r.control(seq, &raw, &link)
			style = uv.ConvertStyle(raw, r.profile)
		case width > 0:
			line.Set(x, &uv.Cell{Content: seq, Width: width, Style: style, Link: link})
			if r.drifts(seq) {
				drift = min(drift, x)
			}
			last, x = x, x+width
		case last >= 0 && line[last].Width > 0:
			line[last].Content += seq
			if r.drifts(line[last].Content) {
				drift = min(drift, last)
			}
		}
		state, row = next, row[n:]
	}
	adopt(line)
	return drift
}

// adopt gives blanks between words the style of the cell before them, where that does not show: the pen changes once less.
func adopt(line uv.Line) {
	before := -1 // the last cell that is not blank
	for x := range line {
		c := &line[x]
		if c.Width == 0 || c.Content == " " {
			continue
		}
		if before >= 0 {
			for i := before + 1; i < x; i++ {
				if b := &line[i]; b.Width > 0 && unseen(b, &line[before]) {
					b.Style = line[before].Style
				}
			}
		}
		before = x
	}
}

// unseen reports whether a blank looks the same in the style of another cell.
func unseen(blank, c *uv.Cell) bool {
	const seen = uv.AttrReverse | uv.AttrStrikethrough | uv.AttrBlink | uv.AttrRapidBlink
	s := blank.Style
	if (s.Attrs|c.Style.Attrs)&seen != 0 || c.Style.Underline != 0 || s.Bg != nil && s.Attrs != c.Style.Attrs || !blank.Link.Equal(&c.Link) {
		return false
	}
	s.Fg, s.Attrs = c.Style.Fg, c.Style.Attrs
	return s.Equal(&c.Style)
}

// drifts reports whether terminals disagree about how wide the text is.
func (r *rowReader) drifts(text string) bool {
	return len(text) > 1 && ansi.StringWidth(text) != ansi.StringWidthWc(text)
}

// isPlain reports whether the row begins with a printable ASCII character that nothing can combine with.
func isPlain(row string) bool {
	return row[0] >= 0x20 && row[0] < 0x7f && (len(row) == 1 || row[1] < utf8.RuneSelf)
}

// isText reports whether a decoded sequence is text, and not a control character (C0, C1) or an escape sequence.
func isText(seq string) bool {
	c, _ := utf8.DecodeRuneInString(seq)
	return c >= 0x20 && (c < 0x7f || c > 0x9f)
}

func (r *rowReader) decode(row string, state byte) (seq string, width, n int, next byte) {
	if r.method == ansi.GraphemeWidth {
		seq, width, n, next = ansi.DecodeSequence(row, state, r.parser)
	} else {
		seq, width, n, next = ansi.DecodeSequenceWc(row, state, r.parser)
	}
	// The decoder returns an ASCII character without the marks that follow it.
	if n == 1 && len(row) > 1 && row[1] >= utf8.RuneSelf && isText(seq) {
		if cluster, w := ansi.FirstGraphemeCluster(row, r.method); len(cluster) > 1 {
			seq, width, n = cluster, w, len(cluster)
		}
	}
	return seq, width, n, next
}

// control applies SGR and hyperlinks.
func (r *rowReader) control(seq string, style *uv.Style, link *uv.Link) {
	switch {
	case ansi.HasCsiPrefix(seq) && r.parser.Command() == 'm':
		uv.ReadStyle(r.parser.Params(), style)
	case ansi.HasOscPrefix(seq) && r.parser.Command() == 8:
		var l uv.Link
		uv.ReadLink(r.parser.Data(), &l)
		if !isLinkText(l.URL) || !isLinkText(l.Params) {
			l = uv.Link{}
		}
		*link = l
	}
}

// isLinkText reports whether a part of a hyperlink is safe to write. Addresses are ASCII; another byte could end the
// sequence in a terminal with C1 controls.
func isLinkText(s string) bool {
	for i := range len(s) {
		if s[i] <= 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}
