package runtimes

import (
	"context"
	"crypto/sha512"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/crash"
)

// maxArchive bounds the size of an archive, in bytes.
const maxArchive = 512 << 20

// downloader downloads archives.
type downloader struct {
	http       *http.Client
	files      Files
	stallAfter time.Duration
}

// fetch downloads the package's archive into the directory of n and returns its path and SHA-512 sum. If the download does
// not begin, npm downloads it: npm knows logins, proxies, certificates and mirrors, but reports no progress.
func (d downloader) fetch(ctx context.Context, n npm, pkg npmPackage, archive dist, m *meter) (string, []byte, error) {
	path := filepath.Join(n.dir, archiveFile)
	sum, begun, err := d.download(ctx, archive.Tarball, path, m)
	if err == nil {
		return path, sum, nil
	}
	if begun || ctx.Err() != nil || ReasonOf(err) == ReasonDisk {
		return "", nil, err
	}
	os.Remove(path)
	m.stage(StageDownloading, 0)
	if path, err = n.pack(ctx, pkg); err != nil {
		return "", nil, err
	}
	sum, err = sumOf(path)
	return path, sum, err
}

// download downloads an address into a new file. begun reports whether bytes of the archive have arrived.
func (d downloader) download(ctx context.Context, address, path string, m *meter) (sum []byte, begun bool, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return nil, false, &Failure{Reason: ReasonNPM, What: "npm names no address of the archive that can be used"}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := &Failure{Reason: ReasonStalled, What: fmt.Sprintf("the download went silent for %v", d.stallAfter),
		Next: "check the network and try again"}
	watch := time.AfterFunc(d.stallAfter, crash.Guarded(func() { cancel(stalled) }))
	defer watch.Stop()

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, false, &Failure{Reason: ReasonNPM, What: "npm names no address of the archive that can be used"}
	}
	req.Header.Set("Accept-Encoding", "identity") // the hash is of the compressed archive
	resp, err := d.http.Do(req)
	if err != nil {
		return nil, false, networkFailure(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, false, statusFailure(resp.StatusCode)
	}
	if resp.ContentLength > maxArchive {
		return nil, true, tooLong()
	}
	m.stage(StageDownloading, resp.ContentLength)
	return d.save(ctx, resp, path, m, watch)
}

// save writes the body to a new file and returns its sum.
func (d downloader) save(ctx context.Context, resp *http.Response, path string, m *meter, watch *time.Timer) (sum []byte, begun bool, err error) {
	file, err := d.files.Create(path, 0o600)
	if err != nil {
		return nil, false, diskFailure(err)
	}
	hash := sha512.New()
	buf := make([]byte, 128<<10)
	var got int64
	for {
		n, readErr := resp.Body.Read(buf)
		watch.Reset(d.stallAfter)
		if got += int64(n); got > maxArchive {
			file.Close()
			return nil, true, tooLong()
		}
		hash.Write(buf[:n])
		if _, err := file.Write(buf[:n]); err != nil {
			file.Close()
			return nil, true, diskFailure(err)
		}
		m.add(int64(n))
		if readErr == io.EOF {
			break
		}
		if readErr != nil {
			file.Close()
			return nil, got > 0, brokenOff(ctx, readErr, got, resp.ContentLength)
		}
	}
	if err := file.Close(); err != nil {
		return nil, true, diskFailure(err)
	}
	return hash.Sum(nil), true, nil
}

// sumOf returns the sum of a file that npm downloaded.
func sumOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	hash := sha512.New()
	if n, err := io.Copy(hash, io.LimitReader(f, maxArchive+1)); err != nil {
		return nil, err
	} else if n > maxArchive {
		return nil, tooLong()
	}
	return hash.Sum(nil), nil
}

func tooLong() *Failure {
	return &Failure{Reason: ReasonArchive, What: fmt.Sprintf("the archive is longer than %d MB, which no runtime is", maxArchive>>20)}
}

// networkFailure returns why a request got no answer, without the address in net/http's errors.
func networkFailure(ctx context.Context, err error) error {
	if f, ok := errors.AsType[*Failure](context.Cause(ctx)); ok {
		return f
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if ue, ok := errors.AsType[*url.Error](err); ok {
		err = ue.Err
	}
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var verify *tls.CertificateVerificationError
	if errors.As(err, &unknown) || errors.As(err, &invalid) || errors.As(err, &host) || errors.As(err, &verify) {
		f := certificate("TLS")
		f.Err = err
		return f
	}
	f := offline("no connection")
	f.Err = err
	return f
}

func statusFailure(status int) error {
	why := fmt.Sprintf("HTTP %d", status)
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusProxyAuthRequired:
		return denied(why)
	case status == http.StatusNotFound, status == http.StatusGone:
		return &Failure{Reason: ReasonNoSuchVersion, What: "the npm registry does not have the archive it names (" + why + ")",
			Next: "check with `npm config get registry` which registry is used"}
	}
	return offline(why)
}

// brokenOff returns why an archive is incomplete.
func brokenOff(ctx context.Context, err error, got, total int64) error {
	if f, ok := errors.AsType[*Failure](context.Cause(ctx)); ok {
		return f
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	what := fmt.Sprintf("the connection broke after %d bytes of the archive", got)
	if total > 0 {
		what = fmt.Sprintf("the connection broke after %d of %d bytes of the archive", got, total)
	}
	return &Failure{Reason: ReasonOffline, What: what, Next: "check the network and try again", Err: err}
}

// sha512Of returns the SHA-512 sums of an integrity attribute as defined by W3C Subresource Integrity: hashes separated by
// spaces, each with optional options after a question mark.
func sha512Of(integrity string) [][]byte {
	var sums [][]byte
	for word := range strings.FieldsSeq(integrity) {
		word, _, _ = strings.Cut(word, "?")
		text, ok := strings.CutPrefix(word, "sha512-")
		if !ok {
			continue
		}
		if sum, err := base64.StdEncoding.DecodeString(text); err == nil && len(sum) == sha512.Size {
			sums = append(sums, sum)
		}
	}
	return sums
}

// matches reports whether the integrity attribute has the sum.
func matches(integrity string, sum []byte) bool {
	for _, want := range sha512Of(integrity) {
		if subtle.ConstantTimeCompare(want, sum) == 1 {
			return true
		}
	}
	return false
}
