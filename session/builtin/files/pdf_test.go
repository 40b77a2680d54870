package files

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/tool/tooltest"
)

// pdfOf makes a document, a page for each content stream.
func pdfOf(pages ...string) string {
	var b bytes.Buffer
	var at []int
	object := func(text string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), text)
	}
	b.WriteString("%PDF-1.4\n")
	var kids strings.Builder
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", 4+2*i)
	}
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids.String(), len(pages)))
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	for i, content := range pages {
		object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 612 792] /Contents %d 0 R >>", 5+2*i))
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		_, _ = z.Write([]byte(content)) // into memory
		_ = z.Close()
		object(fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", packed.Len(), packed.String()))
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return b.String()
}

func TestReadPDF(t *testing.T) {
	lines := "BT /F1 12 Tf 72 700 Td (Hello) Tj ( world) Tj 0 -14 Td [(spa) -10 (ced) -400 (out)] TJ ET BT /F1 12 Tf 1 0 0 1 72 600 Tm (caf\\351) Tj 1 0 0 1 99 600 Tm (bar) Tj ET"
	b := tooltest.New(t, map[string]string{"a.pdf": pdfOf(lines, "BT /F1 12 Tf 0 9 Td (two) Tj ET", ""), "scan.pdf": pdfOf("", "q Q"),
		"bad.pdf": "%PDF-1.4\nnothing", "bomb.pdf": pdfOf(strings.Repeat("BT ET\n", 1<<20)), "args.pdf": pdfOf("Tj Tf TJ Td Tm ' \" (x) Tf [[]] TJ ET BT (ok) Tj")})
	const head = "(PDF document with 3 pages)\n"
	one, two := "\npage 1:\nHello world\nspaced out\ncafé bar\n", "\npage 2:\ntwo\n"
	for pages, want := range map[string]string{"": head + one + two + "\npage 3:\n(no text)\n", "2": head + two, "2-9,1": head + two + "\npage 3:\n(no text)\n" + one,
		"9": "a.pdf has 3 pages: there is no page 9.", "x": `a.pdf has 3 pages: "pages" must be such as "3" or "1-5,8", not "x".`, "3-1": `a.pdf has 3 pages: "pages" must be such as "3" or "1-5,8", not "3-1".`} {
		if got := b.Run(Read, tooltest.Obj{"file_path": "a.pdf", "pages": pages}); got.Result.Text != want {
			t.Errorf("%q: %q", pages, got.Result.Text)
		}
	}
	if got := b.Run(Read, tooltest.Obj{"file_path": "scan.pdf"}); len(got.Result.Media) != 1 || got.Result.Media[0].MediaType != "application/pdf" || !strings.Contains(got.Result.Text, "pdftoppm") {
		t.Errorf("%+v", got.Result.Text)
	}
	if got := b.Run(Read, tooltest.Obj{"file_path": "bad.pdf"}); got.How != session.ToolFailed || !strings.HasPrefix(got.Result.Text, "bad.pdf cannot be read as a PDF document: ") {
		t.Errorf("%+v", got)
	}
	if got := b.Run(Read, tooltest.Obj{"file_path": "bomb.pdf"}); !strings.Contains(got.Result.Text, "without text") && got.How != session.ToolFailed {
		t.Errorf("%.200s", got.Result.Text)
	}
	if got := b.Run(Read, tooltest.Obj{"file_path": "args.pdf"}); !strings.Contains(got.Result.Text, "ok") {
		t.Errorf("%+v", got.Result.Text)
	}
}

// No damage makes the reader panic or go on for ever.
func TestDamagedPDFs(t *testing.T) {
	whole := []byte(pdfOf("BT /F1 12 Tf 72 700 Td (Hello) Tj ET"))
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		content := bytes.Clone(whole)
		for range 1 + r.IntN(4) {
			i, j := r.IntN(len(content)), r.IntN(len(content))
			switch r.IntN(3) {
			case 0:
				content[i] = byte(r.Uint32())
			case 1:
				content = slices.Delete(content, min(i, j), min(i, j)+min(20, max(i, j)-min(i, j)))
			default:
				content = slices.Insert(content, i, bytes.Clone(content[min(i, j):max(i, j)])...)
			}
		}
		d, err := openPDF(t.Context(), content)
		if err != nil {
			continue
		}
		for n := 1; n <= min(d.pages, 3); n++ {
			if text, err := d.page(n); err != nil && text != "" {
				t.Errorf("%q with %v", text, err)
			}
		}
	}
	circle := strings.Replace(string(whole), "/Parent 2 0 R", "/Parent 4 0 R", 1)
	circle = strings.Replace(circle, "/Resources << /Font << /F1 3 0 R >> >>", strings.Repeat(" ", 38), 1)
	if d, err := openPDF(t.Context(), []byte(circle)); err == nil {
		if _, err := d.page(1); err != nil && !strings.Contains(err.Error(), "damaged") {
			t.Error(err)
		}
	}
}
