package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/ledongthuc/pdf"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/tool"
)

const (
	// maxPDF bounds the file of a PDF document, maxDocument that of one which is sent as it is; bytes.
	maxPDF      = 20 << 20
	maxDocument = 2 << 20
	// maxPageBytes bounds the instructions of a page, maxPageSteps their number: a short file may hold endless ones.
	maxPageBytes = 4 << 20
	maxPageSteps = 1 << 20
	// maxPageReads bounds how often the file is read for one page: its references may lead in a circle.
	maxPageReads = 20_000
)

// readPDF returns the text of a document, by pages. One without text is sent itself. Errors are for the model.
func readPDF(ctx context.Context, w *tool.Workspace, p tool.Place, content []byte, pages string) (session.ToolResult, error) {
	name := w.Short(p.Path)
	d, err := openPDF(ctx, content)
	if err != nil {
		return session.ToolResult{}, tool.Errorf("%s cannot be read as a PDF document: %w.", name, err)
	}
	wanted, err := pagesOf(pages, d.pages)
	if err != nil {
		return session.ToolResult{}, tool.Errorf("%s has %s: %w", name, human.Count(d.pages, "page", "pages"), err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "(PDF document with %s)\n", human.Count(d.pages, "page", "pages"))
	given, words := 0, false
	for _, n := range wanted {
		if ctx.Err() != nil {
			return session.ToolResult{}, ctx.Err()
		}
		if b.Len() > readBytes {
			break
		}
		text, err := d.page(n)
		words = words || text != ""
		switch {
		case err != nil:
			text = fmt.Sprintf("(cannot be read: %v)", err)
		case text == "":
			text = "(no text)"
		}
		fmt.Fprintf(&b, "\npage %d:\n%s\n", n, clip(text, readBytes))
		given++
	}
	if !words {
		return scannedPDF(w, name, content, d.pages)
	}
	r := session.ToolResult{Text: b.String(), Summary: human.Count(given, "page", "pages"), Truncated: given < d.pages}
	if given < len(wanted) {
		r.Text += fmt.Sprintf("\n(read on with pages %q)\n", fmt.Sprintf("%d-%d", wanted[given], wanted[len(wanted)-1]))
	}
	return r, nil
}

// scannedPDF returns a document without text as it is, for models that read PDF documents.
func scannedPDF(w *tool.Workspace, name string, content []byte, pages int) (session.ToolResult, error) {
	const instead = "Make images of its pages with a command, such as pdftoppm -r 80 -png, and read these."
	about := "PDF document, " + human.Count(pages, "page", "pages")
	if len(content) > maxDocument || !w.Files.TakeMedia(len(content)) {
		return session.ToolResult{}, tool.Errorf("%s has no text in these pages (%s): they may be scanned. %s", name, about, instead)
	}
	return session.ToolResult{Text: name + ": " + about + ", without text in these pages. It is attached. If you cannot see it: " + instead,
		Summary: about, Media: []session.Media{{MediaType: "application/pdf", Data: content}}}, nil
}

// pagesOf returns the numbers of wanted pages, such as "1-3,7"; all for "".
func pagesOf(wanted string, pages int) ([]int, error) {
	if strings.TrimSpace(wanted) == "" {
		wanted = fmt.Sprintf("1-%d", pages)
	}
	var out []int
	for part := range strings.SplitSeq(wanted, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		from, err := strconv.Atoi(strings.TrimSpace(first))
		to := from
		if isRange && err == nil {
			if to = pages; strings.TrimSpace(last) != "" {
				to, err = strconv.Atoi(strings.TrimSpace(last))
			}
		}
		if err != nil || from < 1 || to < from {
			return nil, tool.Errorf(`"pages" must be such as "3" or "1-5,8", not %q.`, wanted)
		}
		if from > pages {
			return nil, tool.Errorf("there is no page %d.", from)
		}
		for n := from; n <= min(to, pages) && len(out) < pages; n++ {
			out = append(out, n)
		}
	}
	return out, nil
}

// pdfText reads the text of a document. The library panics over what it does not understand; the errors say what that was.
type pdfText struct {
	ctx   context.Context
	file  *endingReader
	r     *pdf.Reader
	pages int
}

// endingReader fails once its context has ended or it was read too often, so that nothing in the library reads on.
type endingReader struct {
	ctx context.Context
	io.ReaderAt
	reads int
}

func (r *endingReader) ReadAt(b []byte, at int64) (int, error) {
	if r.reads++; r.reads > maxPageReads {
		return 0, errors.New("its parts lead in a circle")
	}
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.ReaderAt.ReadAt(b, at)
}

// guarded calls f and returns its panic as an error.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it is damaged, or has parts of an unknown kind (%.100v)", r)
		}
	}()
	return f()
}

func openPDF(ctx context.Context, content []byte) (*pdfText, error) {
	d := &pdfText{ctx: ctx, file: &endingReader{ctx: ctx, ReaderAt: bytes.NewReader(content)}}
	err := guarded(func() (err error) {
		if d.r, err = pdf.NewReader(d.file, int64(len(content))); err == nil {
			d.pages = d.r.NumPage()
		}
		return err
	})
	if err == nil && d.pages < 1 {
		err = errors.New("it has no pages")
	}
	return d, err
}

// page returns the text of a page, from 1.
func (d *pdfText) page(n int) (text string, err error) {
	d.file.reads = 0
	err = guarded(func() error {
		p := d.r.Page(n)
		contents := p.V.Key("Contents")
		if p.V.IsNull() || contents.Kind() == pdf.Null {
			return nil
		}
		t := pageText{ctx: d.ctx, page: p, fonts: map[string]pdf.TextEncoding{}}
		if err := t.bounded(contents); err != nil {
			return err
		}
		pdf.Interpret(contents, t.step)
		text = t.text()
		return nil
	})
	return text, err
}

// pageText collects the text of a page from its instructions.
type pageText struct {
	ctx   context.Context
	page  pdf.Page
	fonts map[string]pdf.TextEncoding
	enc   pdf.TextEncoding
	steps int
	out   strings.Builder
	// y is the height of the line that is written, shown that of the last text; moved means that the place has changed.
	y, shown float64
	moved    bool
}

// bounded returns an error if a stream, or the streams of a list, are too long once they are unpacked.
func (t *pageText) bounded(v pdf.Value) error {
	streams := []pdf.Value{v}
	if v.Kind() == pdf.Array {
		streams = nil
		for i := range v.Len() {
			streams = append(streams, v.Index(i))
		}
	}
	left := int64(maxPageBytes)
	for _, s := range streams {
		if s.Kind() != pdf.Stream {
			continue
		}
		n, err := io.Copy(io.Discard, io.LimitReader(s.Reader(), left+1))
		if left -= n; left < 0 {
			return errors.New("the page is too long")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// step runs one instruction, named op, with its arguments on the stack.
func (t *pageText) step(stack *pdf.Stack, op string) {
	if t.steps++; t.steps > maxPageSteps || t.ctx.Err() != nil || t.out.Len() > readBytes {
		panic("the page is too long")
	}
	args := make([]pdf.Value, stack.Len())
	for i := len(args) - 1; i >= 0; i-- {
		args[i] = stack.Pop()
	}
	last := len(args) - 1
	switch op {
	case "Tf":
		if len(args) == 2 {
			t.enc = t.font(args[0].Name())
		}
	case "BT":
		t.y, t.moved = 0, true
	case "T*":
		t.y--
	case "Td", "TD":
		if len(args) == 2 {
			t.y, t.moved = t.y+args[1].Float64(), true
		}
	case "Tm":
		if len(args) == 6 {
			t.y, t.moved = args[5].Float64(), true
		}
	case "'", "\"":
		t.y--
		if last >= 0 {
			t.show(args[last].RawString())
		}
	case "Tj":
		if last >= 0 {
			t.show(args[last].RawString())
		}
	case "TJ":
		if last >= 0 {
			t.showAll(args[last])
		}
	}
}

// showAll shows strings with moves between them, of which wide ones are spaces.
func (t *pageText) showAll(v pdf.Value) {
	const wide = -200 // thousandths of the font's size
	for i := range v.Len() {
		switch x := v.Index(i); x.Kind() {
		case pdf.String:
			t.show(x.RawString())
		case pdf.Integer, pdf.Real:
			t.moved = t.moved || x.Float64() < wide
		}
	}
}

// font returns how a font of the page encodes text.
func (t *pageText) font(name string) pdf.TextEncoding {
	if enc, ok := t.fonts[name]; ok {
		return enc
	}
	f := t.page.Font(name)
	var enc pdf.TextEncoding
	if t.bounded(f.V.Key("ToUnicode")) == nil {
		enc = f.Encoder()
	}
	t.fonts[name] = enc
	return enc
}

func (t *pageText) show(raw string) {
	if t.enc != nil {
		raw = t.enc.Decode(raw)
	}
	switch {
	case t.y != t.shown:
		t.out.WriteByte('\n')
	case t.moved:
		t.out.WriteByte(' ')
	}
	t.shown, t.moved = t.y, false
	t.out.WriteString(strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, raw))
}

// text returns the lines without empty ones, and without white space around them.
func (t *pageText) text() string {
	var out []string
	for line := range strings.Lines(t.out.String()) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
