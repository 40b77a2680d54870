package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/safefs"
)

// MaxImage is the size limit of an image in bytes: what Copilot takes.
const MaxImage = 3 << 20

// ErrNotImage is the error of a file that is not an image models take.
var ErrNotImage = errors.New("no PNG, JPEG, GIF or WebP image")

// NamesImage reports whether a path has the extension of an image that models take.
func NamesImage(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return true
	}
	return false
}

// PastedImage returns the path of an image file that a text consists of, as terminals paste it when a file is dropped:
// plain, quoted or escaped for a shell, or a file URL. ok is false for any other text, and for a relative path.
func PastedImage(text string) (path string, ok bool) {
	s := strings.TrimSpace(text)
	if s == "" || len(s) > 4096 || strings.ContainsAny(s, "\n\r") {
		return "", false
	}
	if n := len(s); n > 2 && (s[0] == '\'' || s[0] == '"') && s[n-1] == s[0] {
		s = strings.ReplaceAll(s[1:n-1], `'\''`, "'")
	} else if u, err := url.Parse(s); err == nil && u.Scheme == "file" {
		s = u.Path
	} else if os.PathSeparator == '/' {
		s = unescape(s)
	}
	if NamesImage(s) {
		return s, filepath.IsAbs(s) || strings.HasPrefix(s, "~/")
	}
	return "", false
}

// unescape removes the backslashes with which a shell quotes the next character.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// ReadImage reads an image file of at most MaxImage bytes and returns its media type. The error is ErrNotImage, wrapped
// or not, for a file that is not an image models take.
func ReadImage(ctx context.Context, name string) (kind string, data []byte, err error) {
	f, info, err := safefs.OpenFile(name, safefs.FollowLinks)
	if errors.Is(err, safefs.ErrNotRegular) {
		return "", nil, ErrNotImage
	}
	if err != nil {
		return "", nil, unreadable(name, err)
	}
	defer f.Close()
	if info.Size() > MaxImage {
		return "", nil, ImageTooLarge(filepath.Base(name), info.Size())
	}
	if data, err = safefs.Read(ctx, f, MaxImage); err != nil {
		return "", nil, unreadable(name, err)
	}
	switch kind = http.DetectContentType(data); kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return kind, data, nil
	}
	return "", nil, fmt.Errorf("%s is %w", filepath.Base(name), ErrNotImage)
}

// unreadable returns the error of an image that cannot be read, short enough for a line of 80 columns: the path is named
// once and by its last part.
func unreadable(name string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("cannot read %s: %w", filepath.Base(name), err)
}

// ImageTooLarge returns the error of an image over MaxImage; name may be empty.
func ImageTooLarge(name string, bytes int64) error {
	return fmt.Errorf("%s has %.1f MB; Copilot takes at most %d MB", cmp.Or(name, "the image"), float64(bytes)/1e6, MaxImage>>20)
}
