package files

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // formats that image.Decode knows
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // the same

	"parley/session"
	"parley/session/builtin/tool"
)

const (
	// maxImageFile bounds the file of an image, maxPixels its pixels, which take up to four bytes each while it is scaled.
	maxImageFile = 32 << 20
	maxPixels    = 50_000_000
	// maxSide bounds the longer side of what is sent, in pixels; services scale larger ones down themselves.
	maxSide = 1568
	// maxImage bounds what is sent, in bytes: the journal keeps it.
	maxImage = 1 << 20
)

// imageFormats are the names of the formats that services take, by media type.
var imageFormats = map[string]string{"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WebP"}

// readImage returns an image as a result. Errors are for the model.
func readImage(w *tool.Workspace, p tool.Place, content []byte) (session.ToolResult, error) {
	m, about, err := fitImage(content)
	if err != nil {
		return session.ToolResult{}, tool.Errorf("%s cannot be shown: %w", w.Short(p.Path), err)
	}
	if !w.Files.TakeMedia(len(m.Data)) {
		return session.ToolResult{}, tool.Errorf("%s cannot be shown: this session holds as many images and documents as one may. Go on without it.", w.Short(p.Path))
	}
	return session.ToolResult{Text: w.Short(p.Path) + ": " + about, Summary: about, Media: []session.Media{m}}, nil
}

// fitImage returns an image within the bounds, and what it is in words. What fits stays as it is, byte for byte. It is pure.
func fitImage(content []byte) (session.Media, string, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return session.Media{}, "", tool.Errorf("it is damaged (%w).", err)
	}
	media := "image/" + format
	about := fmt.Sprintf("%s image, %dx%d", imageFormats[media], config.Width, config.Height)
	if config.Width <= 0 || config.Height <= 0 || config.Width > maxPixels/config.Height {
		return session.Media{}, "", tool.Errorf("it has %dx%d pixels, more than %d million. Make a smaller copy with a command, and read that.",
			config.Width, config.Height, maxPixels/1_000_000)
	}
	if max(config.Width, config.Height) <= maxSide && len(content) <= maxImage {
		return session.Media{MediaType: media, Data: content}, about, nil
	}
	decoded, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return session.Media{}, "", tool.Errorf("it is damaged (%w).", err)
	}
	for side := maxSide; side >= maxSide/4; side /= 2 {
		small := scaled(decoded, side)
		data, kind, err := encodeImage(small, format == "jpeg")
		if err != nil {
			return session.Media{}, "", tool.Errorf("it cannot be scaled (%w).", err)
		}
		if len(data) <= maxImage {
			b := small.Bounds()
			return session.Media{MediaType: kind, Data: data}, fmt.Sprintf("%s, shown as %dx%d", about, b.Dx(), b.Dy()), nil
		}
	}
	return session.Media{}, "", tool.Errorf("it stays too large when it is scaled down.")
}

// scaled returns an image with a longer side of at most side pixels.
func scaled(m image.Image, side int) image.Image {
	b := m.Bounds()
	longer := max(b.Dx(), b.Dy())
	if longer <= side {
		return m
	}
	to := image.Rect(0, 0, max(1, b.Dx()*side/longer), max(1, b.Dy()*side/longer))
	out := image.NewNRGBA(to)
	draw.ApproxBiLinear.Scale(out, to, m, b, draw.Src, nil)
	return out
}

// encodeImage returns a PNG, or a JPEG where that is what it was or where a PNG would be too large.
func encodeImage(m image.Image, photo bool) ([]byte, string, error) {
	var b bytes.Buffer
	if !photo {
		if err := png.Encode(&b, m); err != nil || b.Len() <= maxImage {
			return b.Bytes(), "image/png", err
		}
	}
	flat := image.NewRGBA(m.Bounds()) // a JPEG is not transparent
	draw.Draw(flat, flat.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Rect, m, m.Bounds().Min, draw.Over)
	for _, quality := range []int{85, 60} {
		b.Reset()
		if err := jpeg.Encode(&b, flat, &jpeg.Options{Quality: quality}); err != nil {
			return nil, "", err
		}
		if b.Len() <= maxImage {
			break
		}
	}
	return b.Bytes(), "image/jpeg", nil
}
