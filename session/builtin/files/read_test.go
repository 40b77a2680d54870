package files

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/tool/tooltest"
)

// picture returns an image; noise cannot be compressed.
func picture(w, h int, noise bool) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = byte(i / 4 % 251)
		if noise {
			m.Pix[i] = byte(r.Uint32())
		}
	}
	return m
}

func encoded(t *testing.T, encode func(w io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReadImages(t *testing.T) {
	small := encoded(t, func(w io.Writer) error { return png.Encode(w, picture(30, 20, false)) })
	paletted := image.NewPaletted(image.Rect(0, 0, 2000, 4), color.Palette{color.White, color.Black})
	b := tooltest.New(t, map[string]string{
		"small.png":    small,
		"wide.png":     encoded(t, func(w io.Writer) error { return png.Encode(w, picture(3136, 100, false)) }),
		"noise.png":    encoded(t, func(w io.Writer) error { return png.Encode(w, picture(600, 600, true)) }),
		"photo":        encoded(t, func(w io.Writer) error { return jpeg.Encode(w, picture(1700, 100, false), nil) }),
		"anim.gif":     encoded(t, func(w io.Writer) error { return gif.Encode(w, paletted, nil) }),
		"thin.png":     encoded(t, func(w io.Writer) error { return png.Encode(w, picture(5000, 1, false)) }),
		"damaged.png":  small[:len(small)/2],
		"cut.png":      encoded(t, func(w io.Writer) error { return png.Encode(w, picture(3136, 100, false)) })[:400],
		"hostile.png":  small[:16] + "\x7f\xff\xff\xff\x7f\xff\xff\xff" + small[24:],
		"not.png":      "this is text\n",
		"nothing.webp": "RIFF\x10\x00\x00\x00WEBPVP8 \x00\x00\x00\x00",
	})
	for name, want := range map[string]string{
		"small.png": "PNG image, 30x20", "wide.png": "PNG image, 3136x100, shown as 1568x50", "noise.png": "PNG image, 600x600",
		"photo": "JPEG image, 1700x100, shown as 1568x92", "anim.gif": "GIF image, 2000x4, shown as 1568x3", "thin.png": "PNG image, 5000x1, shown as 1568x1",
	} {
		got := b.Run(Read, tooltest.Obj{"file_path": name})
		if got.How != session.ToolOK || !strings.HasPrefix(got.Result.Text, name+": "+want) || len(got.Result.Media) != 1 {
			t.Errorf("%s: %s %q", name, got.How, got.Result.Text)
			continue
		}
		m := got.Result.Media[0]
		if config, format, err := image.DecodeConfig(bytes.NewReader(m.Data)); err != nil || "image/"+format != m.MediaType ||
			len(m.Data) > maxImage || max(config.Width, config.Height) > maxSide {
			t.Errorf("%s: %d bytes of %s, %+v, %v", name, len(m.Data), m.MediaType, config, err)
		}
		if name == "small.png" && string(m.Data) != small {
			t.Error("an image that fits was changed")
		}
	}
	for _, name := range []string{"damaged.png", "cut.png", "hostile.png", "nothing.webp"} {
		got := b.Run(Read, tooltest.Obj{"file_path": name})
		fits := name == "damaged.png" && len(got.Result.Media) == 1 // its size can be read, and the service decides
		if !fits && (got.How != session.ToolFailed || !strings.Contains(got.Result.Text, "cannot be shown: it ")) {
			t.Errorf("%s: %+v", name, got.Result.Text)
		}
	}
	if got := b.Run(Read, tooltest.Obj{"file_path": "not.png"}); got.Result.Text != "1\tthis is text\n" {
		t.Errorf("%+v", got)
	}
}

// A session holds so many bytes of images and no more, also after it is resumed.
func TestImagesOfASessionAreBounded(t *testing.T) {
	noise := encoded(t, func(w io.Writer) error { return png.Encode(w, picture(400, 400, true)) })
	b := tooltest.New(t, map[string]string{"a.png": noise})
	var past session.Transcript
	h := session.Head{Session: "s", Turn: "t"}
	past.Apply(session.TurnStarted{Head: h})
	past.Apply(session.ToolStarted{Head: session.Head{Session: "s", Turn: "t", At: b.W.Now()}, Call: "c", Name: "Read"})
	past.Apply(session.ToolEnded{Head: h, Call: "c", Result: session.ToolResult{Media: []session.Media{{MediaType: "image/png", Data: make([]byte, 63<<20)}}}})
	b.W.Files.Restore(&past, b.W.Dir)
	shown := 0
	for range 10 {
		if got := b.Run(Read, tooltest.Obj{"file_path": "a.png"}); got.How == session.ToolOK {
			shown++
		} else if !strings.Contains(got.Result.Text, "as many images and documents as one may") {
			t.Fatalf("%+v", got)
		}
	}
	if want := 1 << 20 / len(noise); shown != want {
		t.Errorf("%d, want %d", shown, want)
	}
}

// endless is a file of lines without an end.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "0123456789abcde\n"[(e.read+i)%16]
	}
	e.read += len(p)
	return len(p), nil
}

func TestHugeFilesAreReadInParts(t *testing.T) {
	e := &endless{}
	r, err := (&hugeFile{ctx: t.Context(), f: e}).lines(100_001, 2)
	want := "100001\t0123456789abcde\n100002\t0123456789abcde\n(lines 100001 to 100002 of a large file; read on with offset 100003, or find lines with Grep)\n"
	if err != nil || r.Text != want || r.Summary != "2 lines" || !r.Truncated {
		t.Errorf("%v %+v", err, r)
	}
	if e.read > 100_002*16+2*hugePiece {
		t.Errorf("read %d bytes", e.read)
	}
	for text, want := range map[string]string{
		"":                                       "(the end of the file: it has 0 lines)\n",
		"a\r\nb":                                 "1\ta\n2\tb\n(the end of the file: it has 2 lines)\n",
		strings.Repeat("x", 3*hugePiece) + "\ny": "1\t" + strings.Repeat("x", readColumns) + fmt.Sprintf("… (%d more bytes)\n2\ty\n(the end of the file: it has 2 lines)\n", 3*hugePiece-readColumns),
	} {
		if r, err := (&hugeFile{ctx: t.Context(), f: strings.NewReader(text)}).lines(1, 0); err != nil || r.Text != want {
			t.Errorf("%.20q: %v %.100q", text, err, r.Text)
		}
	}
	if r, err := (&hugeFile{ctx: t.Context(), f: strings.NewReader("a\nb\n")}).lines(9, 0); err != nil || r.Text != "(the file has fewer than 9 lines)" {
		t.Errorf("%v %+v", err, r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&hugeFile{ctx: ctx, f: e}).lines(1<<40, 0); err != context.Canceled {
		t.Error(err)
	}
}

// A file of gigabytes is read without its content being in memory, and a binary one is refused by its beginning.
func TestReadASparseFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("files are not sparse by themselves")
		return
	}
	b := tooltest.New(t, map[string]string{"log": strings.Repeat("a line of a log\n", 1000), "bin": "\x00"})
	for _, name := range []string{"log", "bin"} {
		if err := os.Truncate(filepath.Join(b.W.Dir, name), 5<<30); err != nil {
			t.Fatal(err)
		}
	}
	got := b.Run(Read, tooltest.Obj{"file_path": "log", "offset": 999, "limit": 2})
	if want := "999\ta line of a log\n1000\ta line of a log\n"; !strings.HasPrefix(got.Result.Text, want) {
		t.Errorf("%+v", got)
	}
	if got := b.Run(Read, tooltest.Obj{"file_path": "bin"}); got.Result.Text != "bin is a binary file of 5368709120 bytes." {
		t.Errorf("%+v", got)
	}
	if got := b.Run(Edit, tooltest.Obj{"file_path": "log", "old_string": "a", "new_string": "b"}); !strings.Contains(got.Result.Text, "is too large") {
		t.Errorf("%+v", got)
	}
}

// A part suffices to edit, and replacing all of a file takes all of it.
func TestAPartIsNotTheWhole(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a": "1\n2\n3\n"})
	write := tooltest.Obj{"file_path": "a", "content": "x\n"}
	b.Run(Read, tooltest.Obj{"file_path": "a", "offset": 2, "limit": 1})
	if got := b.Run(Write, write); !strings.HasPrefix(got.Result.Text, "Only a part of a was read") {
		t.Errorf("%+v", got)
	}
	if got := b.Run(Edit, tooltest.Obj{"file_path": "a", "old_string": "2", "new_string": "two"}); got.How != session.ToolOK {
		t.Errorf("%+v", got)
	}
	if got := b.Run(Write, write); !strings.HasPrefix(got.Result.Text, "Only a part of a was read") {
		t.Errorf("%+v", got)
	}
	b.Run(Read, tooltest.Obj{"file_path": "a"})
	b.Run(Read, tooltest.Obj{"file_path": "a", "limit": 1}) // what was seen as a whole stays so
	if got := b.Run(Write, write); got.How != session.ToolOK {
		t.Errorf("%+v", got)
	}
}

func TestBinaryFilesAreNamed(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a.zip": "PK\x03\x04\x00\x00", "b": "\x00\x01", "c": "\x7fELF\x00"})
	for name, want := range map[string]string{"a.zip": "a.zip is a binary file of 6 bytes (application/zip).", "b": "b is a binary file of 2 bytes.", "c": "c is a binary file of 5 bytes."} {
		if got := b.Run(Read, tooltest.Obj{"file_path": name}); got.Result.Text != want || got.How != session.ToolFailed {
			t.Errorf("%+v", got)
		}
	}
}
