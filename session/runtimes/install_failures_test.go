package runtimes

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/session"
)

// full is a disk that takes so many bytes.
type full struct {
	diskFiles
	left      int
	renameErr error
}

func (f *full) Create(path string, perm fs.FileMode) (io.WriteCloser, error) {
	w, err := f.diskFiles.Create(path, perm)
	if err != nil {
		return nil, err
	}
	return &fullFile{w, f}, nil
}

func (f *full) Rename(from, to string) error {
	if f.renameErr != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: f.renameErr}
	}
	return f.diskFiles.Rename(from, to)
}

type fullFile struct {
	io.WriteCloser
	disk *full
}

func (f *fullFile) Write(p []byte) (int, error) {
	if f.disk.left -= len(p); f.disk.left < 0 {
		return 0, &fs.PathError{Op: "write", Path: "package", Err: syscall.ENOSPC}
	}
	return f.WriteCloser.Write(p)
}

func TestInstallFailures(t *testing.T) {
	good := packageOf("@toys/toy-linux-x64", "2.0.0")
	// another replaces the archive of a version that is not pinned, so that its hash fits.
	another := func(data []byte) func(b *bench) {
		return func(b *bench) { b.reg.packages["@toys/toy-linux-x64@1.5.0"] = data }
	}
	with := func(e entry) func(b *bench) { return another(packageOf("@toys/toy-linux-x64", "1.5.0", e)) }
	for name, tc := range map[string]struct {
		prepare func(b *bench)
		ask     string // 2.0.0 if empty
		reason  Reason
		kind    session.Kind
		next    string // part of what to do
	}{
		"no network":          {prepare: func(b *bench) { b.reg.npmError = "ENOTFOUND" }, reason: ReasonOffline, kind: session.KindNetwork, next: "check the network"},
		"refused connection":  {prepare: func(b *bench) { b.reg.srv.Close() }, reason: ReasonOffline, kind: session.KindNetwork, next: "check the network"},
		"login wanted":        {prepare: func(b *bench) { b.reg.npmError = "E401" }, reason: ReasonDenied, kind: session.KindForbidden, next: "npm login"},
		"unknown certificate": {prepare: func(b *bench) { b.reg.npmError = "SELF_SIGNED_CERT_IN_CHAIN" }, reason: ReasonCertificate, kind: session.KindNetwork, next: "cafile"},
		"npm's disk full":     {prepare: func(b *bench) { b.reg.npmError = "ENOSPC" }, reason: ReasonDisk, kind: session.KindDisk, next: "make room"},
		"npm's own trouble": {prepare: func(b *bench) {
			b.reg.npmError, b.reg.summary = "EWEIRD", "at https://user:"+secret+"@host/x with _authToken="+secret
		}, reason: ReasonNPM, kind: session.KindRuntime, next: "npm view @toys/toy-linux-x64@2.0.0"},
		"no such version":          {ask: "1.7.0", reason: ReasonNoSuchVersion, kind: session.KindNotFound, next: "another version"},
		"no such version, old npm": {ask: "1.7.0", prepare: func(b *bench) { b.reg.silent = true }, reason: ReasonNoSuchVersion, kind: session.KindNotFound, next: "another version"},
		"too old":                  {ask: "0.9.0", reason: ReasonTooOld, kind: session.KindInvalid, next: "parley runtimes install toy"},
		"no version":               {ask: "../up", reason: ReasonInvalidVersion, kind: session.KindInvalid, next: "toy@2.0.0"},
		"npm missing":              {prepare: func(b *bench) { b.o.NPM = nil }, reason: ReasonNoNPM, kind: session.KindRuntime, next: "install Node.js"},
		"npm gone":                 {prepare: func(b *bench) { b.o.NPM = []string{filepath.Join(b.bin, "npm")} }, reason: ReasonNoNPM, kind: session.KindRuntime, next: "install Node.js"},
		"npm without node":         {prepare: npmWithoutNode, reason: ReasonNoNode, kind: session.KindRuntime, next: "Node.js 18"},
		"script without node":      {ask: "1.0.0", prepare: func(b *bench) { b.o.Environ[0] = "PATH=" }, reason: ReasonNoNode, kind: session.KindRuntime, next: "Node.js 18"},
		"unsupported system":       {prepare: func(b *bench) { b.o.Platform = Platform{OS: "plan9", Arch: "386"} }, reason: ReasonPlatform, kind: session.KindUnsupported, next: "parley runtimes install toy@1.0.0"},
		"musl without a package":   {prepare: func(b *bench) { b.o.Platform = Platform{OS: "linux", Arch: "arm64", Musl: true} }, reason: ReasonPlatform, kind: session.KindUnsupported, next: "--agent builtin"},
		"announced as another":     {prepare: func(b *bench) { b.reg.announce = integrityOf([]byte("other")) }, reason: ReasonMismatch, kind: session.KindCorrupt, next: "can be trusted"},
		"another archive": {prepare: func(b *bench) {
			b.reg.packages["@toys/toy-linux-x64@2.0.0"] = packageOf("evil", "2.0.0")
			b.reg.announce = integrityOf(good)
		}, reason: ReasonMismatch, kind: session.KindCorrupt, next: "can be trusted"},
		"no hash":                    {ask: "1.5.0", prepare: func(b *bench) { another(good)(b); b.reg.noHash = true }, reason: ReasonMismatch, kind: session.KindCorrupt, next: "another version"},
		"only a weak hash":           {ask: "1.5.0", prepare: func(b *bench) { another(good)(b); b.reg.announce = "sha1-AAAA" }, reason: ReasonMismatch, kind: session.KindCorrupt, next: "another version"},
		"connection cut":             {prepare: func(b *bench) { b.reg.body = cut(good, len(good)/2) }, reason: ReasonOffline, kind: session.KindNetwork, next: "try again"},
		"silent":                     {prepare: func(b *bench) { b.o.StallAfter = 20 * time.Millisecond; b.reg.body = silent(good) }, reason: ReasonStalled, kind: session.KindStalled, next: "try again"},
		"archive cut short":          {ask: "1.5.0", prepare: another(good[:len(good)-20]), reason: ReasonArchive, kind: session.KindCorrupt, next: "try again"},
		"no archive":                 {ask: "1.5.0", prepare: another([]byte("<html>sign in</html>")), reason: ReasonArchive, kind: session.KindCorrupt, next: "try again"},
		"empty archive":              {ask: "1.5.0", prepare: another(archive()), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"traversal":                  {ask: "1.5.0", prepare: with(entry{name: "package/../../../evil", body: "x"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"traversal at once":          {ask: "1.5.0", prepare: with(entry{name: "../evil", body: "x"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"absolute name":              {ask: "1.5.0", prepare: with(entry{name: "/tmp/evil", body: "x"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"backslashes":                {ask: "1.5.0", prepare: with(entry{name: `package/..\..\evil`, body: "x"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"symbolic link":              {ask: "1.5.0", prepare: with(entry{name: "package/link", kind: tar.TypeSymlink, link: "/etc"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"hard link":                  {ask: "1.5.0", prepare: with(entry{name: "package/link", kind: tar.TypeLink, link: "/etc/passwd"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"device":                     {ask: "1.5.0", prepare: with(entry{name: "package/tty", kind: tar.TypeChar}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"a name twice":               {ask: "1.5.0", prepare: with(entry{name: "package/toy", body: "x"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"a receipt of its own":       {ask: "1.5.0", prepare: with(entry{name: "package/" + receiptFile, body: "{}"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"a file as directory":        {ask: "1.5.0", prepare: with(entry{name: "package/toy/x", body: "x"}), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"another version":            {ask: "1.5.0", prepare: another(packageOf("@toys/toy-linux-x64", "1.6.0")), reason: ReasonArchive, kind: session.KindCorrupt, next: "registry"},
		"no program":                 {ask: "1.5.0", prepare: another(archive(entry{name: "package/package.json", body: `{"name":"@toys/toy","version":"1.5.0"}`})), reason: ReasonPlatform, kind: session.KindUnsupported, next: "toy@1.0.0"},
		"disk full, downloading":     {prepare: func(b *bench) { b.o.Files = &full{left: len(good) / 2} }, reason: ReasonDisk, kind: session.KindDisk, next: "make room"},
		"disk full, unpacking":       {prepare: func(b *bench) { b.o.Files = &full{left: len(good) + 60} }, reason: ReasonDisk, kind: session.KindDisk, next: "make room"},
		"disk full, at the receipt":  {prepare: func(b *bench) { b.o.Files = &full{left: len(good) + len(elf) + 80} }, reason: ReasonDisk, kind: session.KindDisk, next: "make room"},
		"disk full, at the very end": {prepare: func(b *bench) { b.o.Files = &full{left: 1 << 20, renameErr: syscall.ENOSPC} }, reason: ReasonDisk, kind: session.KindDisk, next: "make room"},
		"cache is a file":            {prepare: func(b *bench) { file(b.t, b.o.Dir, "", 0o600) }, reason: ReasonDisk, kind: session.KindDisk, next: "XDG_CACHE_HOME"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			if tc.prepare != nil {
				tc.prepare(b)
			}
			ask := tc.ask
			if ask == "" {
				ask = "2.0.0"
			}
			_, err := b.Install(t.Context(), "toy", ask, nil)
			if ReasonOf(err) != tc.reason || session.KindOf(err) != tc.kind {
				t.Fatalf("%v: reason %q, kind %q; want %q, %q", err, ReasonOf(err), session.KindOf(err), tc.reason, tc.kind)
			}
			e, ok := errors.AsType[*session.Error](err)
			if !ok || !strings.Contains(e.Op, "install") || !strings.Contains(e.Op, "toy") {
				t.Errorf("%v does not say what was being done", err)
			}
			text := err.Error()
			if !strings.Contains(text, tc.next) {
				t.Errorf("%q does not say %q", text, tc.next)
			}
			for _, leak := range []string{secret, "127.0.0.1", "http://", "https://"} {
				if strings.Contains(text, leak) {
					t.Errorf("%q tells an address", text)
				}
			}
			if got := b.leftovers(); len(got) != 0 {
				t.Errorf("left behind %v", got)
			}
		})
	}
}

func npmWithoutNode(b *bench) {
	b.o.NPM = nil
	dir := b.t.TempDir()
	name := "npm"
	if runtime.GOOS == "windows" {
		name = "npm.exe"
	}
	program(b.t, filepath.Join(dir, name), "#!/bin/sh\n")
	b.o.Environ[0] = "PATH=" + dir
}

// cut serves the beginning of an archive and breaks the connection.
func cut(data []byte, at int) func() http.Handler {
	return func() http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000")
			w.Write(data[:at])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		})
	}
}

// silent serves the beginning of an archive and then nothing.
func silent(data []byte) func() http.Handler {
	return func() http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			w.Write(data[:10])
			w.(http.Flusher).Flush()
			<-req.Context().Done()
		})
	}
}
