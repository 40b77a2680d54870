package clipboard

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// MaxImage is the largest image, in bytes.
const MaxImage = 20 << 20

// Image is a picture.
type Image struct {
	// Type is the media type: image/png, image/jpeg, image/gif or image/webp.
	Type string
	Data []byte
}

// errNoImage reports that there is no image on the clipboard.
var errNoImage = errors.New("no image on the clipboard")

// imageReader is a way to get an image.
type imageReader struct {
	name   string
	types  []string // arguments that print which types there are; nil if it need not be asked
	args   func(kind string) []string
	decode func([]byte) ([]byte, error)
}

// PasteImage returns the image on the clipboard: errNoImage if there is none, and ErrNothing if no program here can read it.
func (c *Clipboard) PasteImage(ctx context.Context) (Image, error) {
	if c.remote() {
		return Image{}, fmt.Errorf("%w: it is on another machine", ErrNothing)
	}
	err := ErrNothing
	for _, r := range c.imageReaders() {
		if _, missing := c.sys.LookPath(r.name); missing != nil {
			continue
		}
		img, failed := c.readImage(ctx, r)
		if failed == nil {
			return img, nil
		}
		if !errors.Is(err, errNoImage) {
			err = failed
		}
	}
	return Image{}, err
}

func (c *Clipboard) imageReaders() (all []imageReader) {
	env := c.sys.Getenv
	windows := imageReader{name: "powershell.exe", decode: fromBase64, args: func(string) []string {
		return []string{"-NoProfile", "-NonInteractive", "-STA", "-Command", "Add-Type -AssemblyName System.Windows.Forms,System.Drawing; " +
			"$i=[Windows.Forms.Clipboard]::GetImage(); if($i){$m=New-Object IO.MemoryStream; " +
			"$i.Save($m,[Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($m.ToArray())}"}
	}}
	switch c.sys.GOOS {
	case "darwin":
		return []imageReader{{name: "osascript", decode: fromAppleScript, args: func(string) []string {
			return []string{"-e", "get the clipboard as «class PNGf»"}
		}}}
	case "windows":
		return []imageReader{windows}
	}
	if env("WAYLAND_DISPLAY") != "" {
		all = append(all, imageReader{name: "wl-paste", types: []string{"--list-types"},
			args: func(kind string) []string { return []string{"--no-newline", "--type", kind} }})
	}
	if env("DISPLAY") != "" {
		all = append(all, imageReader{name: "xclip", types: []string{"-selection", "clipboard", "-target", "TARGETS", "-out"},
			args: func(kind string) []string { return []string{"-selection", "clipboard", "-target", kind, "-out"} }})
	}
	if c.wsl() {
		all = append(all, windows)
	}
	return all
}

// imageTypes are those that models take, the best first.
var imageTypes = []string{"image/png", "image/jpeg", "image/webp", "image/gif"}

func (c *Clipboard) readImage(ctx context.Context, r imageReader) (Image, error) {
	kind := ""
	if r.types != nil {
		list, err := c.run(ctx, Command{Name: r.name, Args: r.types, Output: true})
		if err != nil {
			return Image{}, errNoImage // an empty clipboard has no types
		}
		for _, want := range imageTypes {
			for have := range strings.FieldsSeq(string(list)) {
				if have == want && kind == "" {
					kind = want
				}
			}
		}
		if kind == "" {
			return Image{}, errNoImage
		}
	}
	data, err := c.run(ctx, Command{Name: r.name, Args: r.args(kind), Output: true})
	if err != nil && r.types == nil {
		return Image{}, errNoImage // the output of osascript if there is none
	}
	if err != nil {
		return Image{}, fmt.Errorf("reading the image with %s: %w", r.name, err)
	}
	if r.decode != nil {
		if data, err = r.decode(data); err != nil {
			return Image{}, fmt.Errorf("reading the image with %s: %w", r.name, err)
		}
	}
	if len(data) == 0 {
		return Image{}, errNoImage
	}
	if len(data) > MaxImage {
		return Image{}, fmt.Errorf("the image on the clipboard is larger than %d MB", MaxImage>>20)
	}
	if kind = imageType(data); kind == "" {
		return Image{}, errNoImage
	}
	return Image{kind, data}, nil
}

// imageType returns the media type of an image by its first bytes, "" for one that models do not accept.
func imageType(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(b, []byte("GIF87a")), bytes.HasPrefix(b, []byte("GIF89a")):
		return "image/gif"
	case len(b) > 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

func fromBase64(b []byte) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(b)), ""))
}

// fromAppleScript reads «data PNGf8950…», which is how a script prints what it got.
func fromAppleScript(b []byte) ([]byte, error) {
	_, digits, ok := strings.Cut(string(b), "PNGf")
	if !ok {
		return nil, errNoImage
	}
	digits, _, _ = strings.Cut(digits, "»")
	return hex.DecodeString(strings.TrimSpace(digits))
}
