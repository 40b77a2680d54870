package login

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"parley/internal/safefs"
)

// sourceOwnFile is the source of a token from a sign-in of parley.
const sourceOwnFile = "parley's own file"

// TokenFile is the path of a file with the tokens of parley's sign-ins, by host, which only its owner may read; "" for
// none.
type TokenFile string

// Load returns the token for a host, the zero secret if there is none. The error for a file that others may read, that
// is irregular or that is damaged includes the next step.
func (f TokenFile) Load(host string) (Secret, error) {
	all, err := f.read()
	return NewSecret(strings.TrimSpace(all[host])), err
}

// Save stores the token for a host. It replaces the file as a whole.
func (f TokenFile) Save(host string, token Secret) error {
	if f == "" {
		return errors.New("no token file is configured")
	}
	all, err := f.read()
	if err != nil {
		return err
	}
	all[host] = token.Reveal()
	return f.write(all)
}

// Remove removes the token for a host, and the file with the last one. It reports whether there was a token.
func (f TokenFile) Remove(host string) (removed bool, err error) {
	all, err := f.read()
	if _, has := all[host]; err != nil || !has {
		return false, err
	}
	if delete(all, host); len(all) > 0 {
		return true, f.write(all)
	}
	if err := os.Remove(string(f)); err != nil {
		return false, fmt.Errorf("remove the token: %w", err)
	}
	return true, nil
}

// write replaces the file as a whole.
func (f TokenFile) write(all map[string]string) error {
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Dir(string(f))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("store the token: %w", err)
	}
	if err := safefs.WriteFileSync(string(f), append(text, '\n')); err != nil {
		return fmt.Errorf("store the token: %w", err)
	}
	return nil
}

// read returns the tokens by host, none for a missing file.
func (f TokenFile) read() (map[string]string, error) {
	all := map[string]string{}
	if f == "" {
		return all, nil
	}
	info, err := os.Lstat(string(f))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return all, nil
	case err != nil:
		return all, fmt.Errorf("read parley's own token: %w", err)
	case !info.Mode().IsRegular():
		return all, fmt.Errorf("read parley's own token: %s is not a regular file; remove it", f)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return all, fmt.Errorf("read parley's own token: others may read %s; run chmod 600 on it", f)
	}
	file, err := os.Open(string(f))
	if err != nil {
		return all, fmt.Errorf("read parley's own token: %w", err)
	}
	defer func() { _ = file.Close() }()
	text, err := readBounded(file, 64<<10)
	if err == nil && len(strings.TrimSpace(string(text))) > 0 && json.Unmarshal(text, &all) != nil {
		err = fmt.Errorf("%s is damaged; remove it and sign in again", f) // without the decoder's text, which quotes the file
	}
	if err != nil {
		return map[string]string{}, fmt.Errorf("read parley's own token: %w", err)
	}
	if all == nil {
		all = map[string]string{}
	}
	return all, nil
}

// readBounded reads all of r, at most limit bytes.
func readBounded(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("it is longer than %d bytes", limit)
	}
	return b, err
}
